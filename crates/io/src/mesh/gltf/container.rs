//! The container of a GLB file.

use crate::mesh::text::is_blank;

/// The crate subtracts from the length in a GLB header without looking.
pub(super) fn check_glb_length(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let promised = match bytes.get(8..12) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => {
            return Err(format!(
                "truncated: {} bytes, but the header of a GLB has 12",
                bytes.len()
            ));
        }
    };
    if promised < 20 {
        Err(format!("the header gives the file {promised} bytes, too few for a GLB"))
    } else if promised > bytes.len() {
        Err(format!(
            "truncated: the header promises {promised} bytes, the file has {}",
            bytes.len()
        ))
    } else if !is_blank(&bytes[promised..]) {
        Err(format!("the header promises {promised} bytes, the file has {}", bytes.len()))
    } else {
        check_chunks(&bytes[..promised])
    }
}

/// The crate reads two chunks, and does not look at what follows. Chunks of other kinds may follow
/// there, and are nothing for us.
fn check_chunks(bytes: &[u8]) -> Result<(), String> {
    let (mut number, mut rest) = (0, &bytes[12..]);
    while let Some((head, behind)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, kind @ ..] = *head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if number > 1 && matches!(&kind, b"JSON" | b"BIN\0") {
            return Err(format!("chunk {number} is another {}", kind.escape_ascii()));
        }
        let Some(after) = behind.get(length..) else {
            return Err(format!(
                "truncated: chunk {number} should have {length} bytes, {} are there",
                behind.len()
            ));
        };
        (number, rest) = (number + 1, after);
    }
    if is_blank(rest) {
        Ok(())
    } else {
        Err(format!("{} bytes follow chunk {}", rest.len(), number - 1))
    }
}
