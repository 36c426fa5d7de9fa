//! Decodes base64 the way Go decodes it for a `[]byte` field.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Requires padding, and ignores stray bits in the last character.
const GO: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Decodes base64. Skips line breaks; any other white space is an error.
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>, String> {
    let lines: Vec<&[u8]> = text.as_ref().split(|byte| matches!(byte, b'\r' | b'\n')).collect();
    GO.decode(lines.concat()).map_err(|error| match error {
        base64::DecodeError::InvalidByte(_, byte) if byte.is_ascii_graphic() => {
            format!("`{}` does not belong there", char::from(byte))
        }
        base64::DecodeError::InvalidByte(_, b' ') => "a space does not belong there".to_owned(),
        base64::DecodeError::InvalidByte(..) => "a character does not belong there".to_owned(),
        _ => "it is cut off".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn takes_what_go_takes() {
        assert_eq!(decode("aGVs\nbG8=").as_deref(), Ok(&b"hello"[..]));
        assert_eq!(decode("").as_deref(), Ok(&b""[..]));
        assert_eq!(decode("aGVsbG9=").as_deref(), Ok(&b"hello"[..]));
        assert!(decode("aGVsbG8").is_err());
        assert_eq!(decode(" aGVsbG8="), Err("a space does not belong there".to_owned()));
        assert_eq!(decode("not base64!").unwrap_err(), "a space does not belong there");
    }
}
