//! Decompresses zstd, frame by frame: a file may have several, and frames to skip between them.

use std::error::Error;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window that a frame may ask for, as in the reference implementation.
const MAX_WINDOW: u64 = 128 << 20;

const CUT: &str = "its zstd data is cut off";

/// Describes why a frame cannot be decompressed. The library's own words are for its users.
fn describe(why: &FrameDecoderError) -> io::Error {
    let mut next: Option<&(dyn Error + 'static)> = Some(why);
    while let Some(cause) = next {
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            return match cause.kind() {
                io::ErrorKind::UnexpectedEof => io::Error::other(CUT),
                kind => io::Error::new(kind, cause.to_string()),
            };
        }
        next = cause.source();
    }
    io::Error::other(match why {
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_)) => {
            "something that is not zstd follows the compressed data".to_owned()
        }
        FrameDecoderError::WindowSizeTooBig { .. }
        | FrameDecoderError::FrameHeaderError(FrameHeaderError::WindowTooBig { .. }) => {
            let limit = MAX_WINDOW >> 20;
            format!(
                "its zstd window is larger than {limit} MiB: unpack it with `zstd --long=31 -d`"
            )
        }
        FrameDecoderError::DictNotProvided { .. } => {
            "it needs a zstd dictionary: unpack it with `zstd -D DICTIONARY -d`".to_owned()
        }
        _ => "its zstd data is damaged".to_owned(),
    })
}

/// A reader of what a compressed source contains.
pub(crate) struct ZstdReader<R> {
    source: R,
    frame: FrameDecoder,
    is_inside: bool,
    /// The bytes that the current frame had so far.
    unpacked: u64,
}

impl<R: BufRead> ZstdReader<R> {
    pub(crate) fn new(source: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(MAX_WINDOW);
        Self { source, frame, is_inside: false, unpacked: 0 }
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
                        return Err(io::Error::other(CUT));
                    }
                }
                Err(why) => return Err(describe(&why)),
            }
        }
        Ok(false)
    }

    /// Ends a frame that was read completely.
    fn end(&mut self) -> io::Result<()> {
        self.is_inside = false;
        // A frame that does not state its size states 0.
        let (size, stated) = (std::mem::take(&mut self.unpacked), self.frame.content_size());
        if stated != 0 && stated != size {
            return Err(io::Error::other("its size is wrong: the file is damaged"));
        }
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
                self.frame.decode_blocks(&mut self.source, one).map_err(|why| describe(&why))?;
            }
            let read = self.frame.read(buffer)?;
            self.unpacked += read as u64;
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

    /// A frame with one block: the frame's header after the magic number, and the block.
    fn frame(header: &[u8], block: &[u8]) -> Vec<u8> {
        let size = (block.len() as u32) << 3 | 1;
        [b"\x28\xb5\x2f\xfd", header, &size.to_le_bytes()[..3], block].concat()
    }

    #[test]
    fn damage_is_an_error() {
        let why = |packed: &[u8]| unpack(packed).unwrap_err().to_string();
        let packed = pack(&b"one line\n".repeat(1_000));
        for cut in 1..packed.len() {
            assert_eq!(why(&packed[..cut]), CUT, "{cut}");
        }
        let mut wrong = packed.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert_eq!(why(&wrong), "the checksum is wrong: the file is damaged");
        assert!(why(&[&packed[..], b"rest"].concat()).starts_with("something that is not zstd"));
        assert_eq!(why(&SKIPPED[..9]), CUT);
        assert_eq!(unpack(&frame(&[0x20, 3], b"abc")).unwrap(), b"abc");
        assert_eq!(why(&frame(&[0x20, 4], b"abc")), "its size is wrong: the file is damaged");
        for window in [0x90, 0xff] {
            assert!(why(&frame(&[0x00, window], b"abc")).contains("window is larger than 128 MiB"));
        }
        assert!(why(&frame(&[0x21, 7, 3], b"abc")).starts_with("it needs a zstd dictionary"));
        // A block of the reserved type.
        let reserved = [&frame(&[0x20, 3], b"")[..6], b"\x07\0\0"].concat();
        assert_eq!(why(&reserved), "its zstd data is damaged");
    }
}
