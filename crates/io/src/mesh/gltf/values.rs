//! The numbers of accessors.

use super::Trouble;
use super::buffers::Buffers;
use gltf::Accessor;
use gltf::accessor::{DataType, Dimensions};

/// What `make` makes of every element of an accessor of N floats, or of integers as
/// `KHR_mesh_quantization` and instances have them: as they are, or, where it says so, as fractions
/// of the largest.
pub(super) fn vectors<const N: usize, V>(
    buffers: &mut Buffers,
    accessor: &Accessor,
    what: &str,
    mut make: impl FnMut([f64; N]) -> V,
) -> Result<Vec<V>, Trouble> {
    let dimensions =
        [Dimensions::Scalar, Dimensions::Vec2, Dimensions::Vec3, Dimensions::Vec4][N - 1];
    let kind = accessor.data_type();
    if accessor.dimensions() != dimensions || kind == DataType::U32 {
        let (found, dimensions) = (format!("{kind:?}"), accessor.dimensions());
        return Err(Trouble::Values(format!(
            "{what} are not {N} numbers but {dimensions:?} of {found}"
        )));
    }
    let size = kind.size();
    let is_normalized = accessor.normalized() && kind != DataType::F32;
    buffers.elements(accessor, size_of::<[f64; N]>(), |bytes| {
        make(std::array::from_fn(|component| {
            let (value, largest) = number(kind, &bytes[component * size..]);
            // The least signed integer goes below −1 by its last step.
            if is_normalized { (value / largest).max(-1.0) } else { value }
        }))
    })
}

/// A number and the largest of its type.
fn number(kind: DataType, bytes: &[u8]) -> (f64, f64) {
    match kind {
        DataType::I8 => (f64::from(bytes[0] as i8), f64::from(i8::MAX)),
        DataType::U8 => (f64::from(bytes[0]), f64::from(u8::MAX)),
        DataType::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), f64::from(i16::MAX)),
        DataType::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), f64::from(u16::MAX)),
        DataType::U32 => (f64::from(word(bytes)), f64::from(u32::MAX)),
        DataType::F32 => (f64::from(f32::from_bits(word(bytes))), 1.0),
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The indices of an accessor.
pub(super) fn indices(buffers: &mut Buffers, accessor: &Accessor) -> Result<Vec<u32>, Trouble> {
    if accessor.dimensions() != Dimensions::Scalar {
        return Err(Trouble::Values("indices are not scalars".to_owned()));
    }
    let kind = accessor.data_type();
    if !matches!(kind, DataType::U8 | DataType::U16 | DataType::U32) {
        return Err(Trouble::Values(format!("indices are {kind:?}, not unsigned")));
    }
    let made = size_of::<u32>();
    match kind {
        DataType::U8 => buffers.elements(accessor, made, |bytes| bytes[0].into()),
        DataType::U16 => buffers
            .elements(accessor, made, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]).into()),
        _ => buffers.elements(accessor, made, word),
    }
}
