//! LZF, the packing of PCD files: runs of bytes, and copies of what was unpacked before (Lehmann,
//! liblzf).
//!
//! The crate `lzf` is deprecated.

/// A copy of 264 bytes takes three.
const DENSEST: usize = 264 / 3;

/// Unpacks to `length` bytes; what they do else is an error.
pub(super) fn unpack(packed: &[u8], length: usize) -> Result<Vec<u8>, String> {
    if length > packed.len().saturating_mul(DENSEST) {
        return Err(format!("claim to grow from {} bytes to {length}", packed.len()));
    }
    let mut unpacked = Vec::with_capacity(length);
    let mut rest = packed.iter().copied();
    let mut next = || rest.next().map(usize::from);
    while let Some(control) = next() {
        let ends_early = || "end within a run".to_owned();
        if control < 32 {
            for _ in 0..=control {
                unpacked.push(next().ok_or_else(ends_early)? as u8);
            }
        } else {
            let mut run = control >> 5;
            if run == 7 {
                run += next().ok_or_else(ends_early)?;
            }
            let distance = ((control & 31) << 8 | next().ok_or_else(ends_early)?) + 1;
            let Some(from) = unpacked.len().checked_sub(distance) else {
                return Err(format!("copy from {distance} bytes before byte {}", unpacked.len()));
            };
            // It may copy bytes of itself.
            for place in from..from + run + 2 {
                unpacked.push(unpacked[place]);
            }
        }
        if unpacked.len() > length {
            break;
        }
    }
    match unpacked.len() == length {
        true => Ok(unpacked),
        false => Err(format!("unpack to {} bytes or more, and claim {length}", unpacked.len())),
    }
}
