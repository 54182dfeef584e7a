//! Encodings that texts are hidden in: base64 and hexadecimal digits.

/// The bytes of a base64 text, of either alphabet; padding and blanks are not needed. None where another character is in it.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.bytes().filter(|b| !b.is_ascii_whitespace()) {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// The bytes of a text in hexadecimal digits, blanks between them or not.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    Some(digits?.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_programs_decode() {
        assert_eq!(base64("cm0gLXJmIC8=").as_deref(), Some(&b"rm -rf /"[..]));
        assert_eq!(base64("cm0\ngLXJmIC8").as_deref(), Some(&b"rm -rf /"[..]));
        assert_eq!(base64("cm0!"), None);
        assert_eq!(hex("726d20 2d"), Some(b"rm -".to_vec()));
    }
}
