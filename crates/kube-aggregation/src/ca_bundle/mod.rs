//! Decodes the `caBundle` of an APIService the way Go does: base64, PEM, and just enough DER to
//! detect a certificate. Callers parse the certificates themselves.

pub mod base64;

/// Returns whether a `caBundle` field contains a certificate. Without one, kube-aggregator cannot
/// even build a transport.
pub fn has_certificate(field: &str) -> bool {
    let Ok(bytes) = base64::decode(field) else { return false };
    let is_certificate = |(label, body): &(String, Option<Vec<u8>>)| {
        label == "CERTIFICATE" && body.as_deref().is_some_and(is_certificate_der)
    };
    pem_blocks(&String::from_utf8_lossy(&bytes)).iter().any(is_certificate)
}

/// Returns the label of each PEM block, with its bytes if they can be decoded. As in Go, a block
/// ends at the next `-----END `, which must repeat its label.
pub fn pem_blocks(text: &str) -> Vec<(String, Option<Vec<u8>>)> {
    const BEGIN: &str = "-----BEGIN ";
    const END: &str = "-----END ";
    let mut blocks = vec![];
    let mut at = 0;
    let mut end = 0;
    while let Some(begin) = text[at..].find(BEGIN) {
        at += begin + BEGIN.len();
        if end < at {
            let Some(next) = text[at..].find(END) else { break };
            end = at + next;
        }
        let Some((label, body)) = text[at..end].split_once("-----") else { continue };
        let closed = text[end + END.len()..]
            .strip_prefix(label)
            .is_some_and(|rest| rest.starts_with("-----"));
        if !closed || label.contains('\n') || body.contains(BEGIN) {
            continue;
        }
        let packed: String = body.split_ascii_whitespace().collect();
        blocks.push((label.to_owned(), base64::decode(packed).ok()));
        at = end + END.len();
    }
    blocks
}

/// Returns whether DER has the outer structure of a certificate: a sequence of exactly the signed
/// part (a sequence), the algorithm (a sequence) and the signature (a bit string).
fn is_certificate_der(der: &[u8]) -> bool {
    const SEQUENCE: u8 = 0x30;
    const BIT_STRING: u8 = 0x03;
    let Some((SEQUENCE, body, [])) = der_value(der) else { return false };
    let Some((SEQUENCE, signed, rest)) = der_value(body) else { return false };
    let Some((SEQUENCE, _, rest)) = der_value(rest) else { return false };
    let Some((BIT_STRING, _, [])) = der_value(rest) else { return false };
    !signed.is_empty()
}

/// Splits DER into the tag and contents of its first value, and the rest.
fn der_value(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..0x80 => (usize::from(first), rest),
        _ => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            if bytes.is_empty() || bytes.len() > 4 {
                return None;
            }
            (bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
        }
    };
    let (contents, rest) = rest.split_at_checked(length)?;
    Some((tag, contents, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_blocks_between_other_text() {
        let text = "note\n-----BEGIN A-----\naGVs\nbG8=\n-----END A-----\n-----BEGIN B-----\n!\n-----END B-----\n-----BEGIN C-----\n";
        let blocks = pem_blocks(text);
        assert_eq!(blocks, [("A".to_owned(), Some(b"hello".to_vec())), ("B".to_owned(), None)]);
    }

    #[test]
    fn a_certificate_has_its_outer_structure() {
        let certificate = [0x30, 0x0b, 0x30, 3, 2, 1, 1, 0x30, 0, 0x03, 2, 0, 1];
        assert!(is_certificate_der(&certificate));
        for cut in 0..certificate.len() {
            assert!(!is_certificate_der(&certificate[..cut]), "{cut}");
        }
        assert!(!is_certificate_der(b"hello"));
        assert!(!is_certificate_der(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30]));
    }
}
