//! Decompresses zstd, frame by frame: a file may have several, and frames to skip between them.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window that a frame may ask for, as in the reference implementation.
const MAX_WINDOW: u64 = 128 << 20;

/// A reader of what a compressed source contains.
pub(crate) struct ZstdReader<R> {
    source: R,
    frame: FrameDecoder,
    is_inside: bool,
}

impl<R: BufRead> ZstdReader<R> {
    pub(crate) fn new(source: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(MAX_WINDOW);
        Self { source, frame, is_inside: false }
    }

    /// Starts the next frame. Returns whether there is one.
    fn start(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.frame.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let mut skipped = self.source.by_ref().take(length);
                    if io::copy(&mut skipped, &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(why) => return Err(io::Error::other(why)),
            }
        }
        Ok(false)
    }

    /// Ends a frame that was read completely.
    fn end(&mut self) -> io::Result<()> {
        self.is_inside = false;
        let stored = self.frame.get_checksum_from_data();
        if stored.is_some() && stored != self.frame.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is wrong: the file is damaged"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_inside && !self.start()? {
                return Ok(0);
            }
            self.is_inside = true;
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame.decode_blocks(&mut self.source, one).map_err(io::Error::other)?;
            }
            let read = self.frame.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.end()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = vec![];
        ZstdReader::new(packed).read_to_end(&mut text)?;
        Ok(text)
    }

    fn pack(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    /// A frame that decoders must skip, with three bytes.
    const SKIPPED: &[u8] = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";

    #[test]
    fn frames_follow_each_other() {
        let long = b"one line\n".repeat(100_000);
        let packed = [&pack(&long), SKIPPED, &pack(b"two"), &pack(b""), &pack(b"three")].concat();
        assert!(unpack(&packed).unwrap() == [&long[..], b"twothree"].concat());
        assert_eq!(unpack(SKIPPED).unwrap(), b"");
        assert_eq!(unpack(b"").unwrap(), b"");
    }

    #[test]
    fn damage_is_an_error() {
        let packed = pack(&b"one line\n".repeat(1_000));
        for cut in 1..packed.len() {
            assert!(unpack(&packed[..cut]).is_err(), "{cut}");
        }
        let mut wrong = packed.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert!(unpack(&wrong).unwrap_err().to_string().contains("checksum"));
        assert!(unpack(&[&packed[..], b"rest"].concat()).is_err());
        assert!(unpack(&SKIPPED[..9]).is_err());
    }
}
