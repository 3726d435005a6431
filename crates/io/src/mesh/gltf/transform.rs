//! Where nodes stand, in `f64`.

use gltf::json::Value;
use lanecast::Affine;

/// The map from a node's frame to that of its parent: its matrix, or a scale, then a rotation, then
/// a translation.
pub(super) fn of_node(node: &Value) -> Result<Affine, String> {
    if let Some(m) = numbers::<16>(node, "matrix")? {
        // In columns; the last row counts as 0 0 0 1.
        return Ok(Affine::from_rows(
            [0, 1, 2].map(|row| [m[row], m[4 + row], m[8 + row], m[12 + row]]),
        ));
    }
    let translation = numbers(node, "translation")?.unwrap_or([0.0; 3]);
    let rotation = numbers(node, "rotation")?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    of_parts(translation, rotation, numbers(node, "scale")?.unwrap_or([1.0; 3]))
}

/// The map that scales, then rotates by a quaternion x y z w of any length but 0, then moves.
pub(super) fn of_parts(
    translation: [f64; 3],
    rotation: [f64; 4],
    scale: [f64; 3],
) -> Result<Affine, String> {
    let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return Err(format!("the rotation {rotation:?} has no length"));
    }
    let [x, y, z, w] = rotation.map(|x| x / length);
    let rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    Ok(Affine::from_rows([0, 1, 2].map(|row| {
        let [a, b, c] = rows[row];
        [a * scale[0], b * scale[1], c * scale[2], translation[row]]
    })))
}

fn numbers<const N: usize>(node: &Value, key: &str) -> Result<Option<[f64; N]>, String> {
    let Some(value) = node.get(key) else { return Ok(None) };
    let numbers: Option<Vec<f64>> =
        value.as_array().and_then(|values| values.iter().map(Value::as_f64).collect());
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.map(Some).ok_or(format!("its {key} is not {N} numbers"))
}
