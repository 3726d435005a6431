//! Extensions: which are read, which say nothing of geometry, and which refuse a file.

/// Those that are read here.
const READ: [&str; 2] = ["KHR_mesh_quantization", "EXT_mesh_gpu_instancing"];

/// What extensions are about that say nothing of where surfaces are: what follows the prefix of the
/// vendor begins so.
const NOT_OF_GEOMETRY: [&str; 19] = [
    "accessor_float64_hint",
    "animation",
    "articulations",
    "audio",
    "environment",
    "feature",
    "image",
    "instance_features",
    "light",
    "material",
    "mesh_features",
    "packing",
    "physics",
    "primitive_outline",
    "stk_metadata",
    "structural_metadata",
    "techniques_webgl",
    "texture",
    "xmp",
];

fn says_nothing_of_geometry(name: &str) -> bool {
    let about = name.split_once('_').map_or(name, |(_, about)| about);
    NOT_OF_GEOMETRY.iter().any(|known| about.starts_with(known))
}

/// Whether what an extension says is in what is read.
pub(super) fn is_known(name: &str) -> bool {
    READ.contains(&name) || says_nothing_of_geometry(name)
}

/// Compressions of which the file also holds what is compressed, unless it requires them.
pub(super) fn is_compression(name: &str) -> bool {
    ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"]
        .contains(&name)
}

/// What is wrong with a file that requires these.
pub(super) fn refusal<'a>(mut required: impl Iterator<Item = &'a str>) -> Option<String> {
    let name = required.find(|name| !is_known(name))?;
    let name = crate::excerpt(name);
    Some(match is_compression(&name) {
        true => {
            format!(
                "needs {name}, which is not supported: decompress it with gltf-transform or gltfpack"
            )
        }
        false => format!("needs the extension {name}, which is not known"),
    })
}
