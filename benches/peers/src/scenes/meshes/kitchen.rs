//! The kitchen that the crate `obvhs` carries in its package (`assets/kitchen.obj.zst`), under the
//! crate's licence, MIT or Apache-2.0. It is read from where cargo unpacks crates, and copied
//! nowhere.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::Result;
use crate::scenes::mesh::Mesh;

const ASSET: &str = "obvhs-0.4.0/assets/kitchen.obj.zst";

/// # Errors
/// The package is not where cargo unpacks crates.
pub(crate) fn kitchen() -> Result<Arc<Mesh>> {
    let path =
        unpacked_crates().into_iter().map(|crates| crates.join(ASSET)).find(|path| path.exists());
    let path = path.ok_or_else(|| format!("{ASSET} is not in cargo's registry"))?;
    let mut text = String::new();
    ruzstd::decoding::StreamingDecoder::new(std::fs::File::open(path)?)?
        .read_to_string(&mut text)?;
    parse(&text).ok_or_else(|| format!("{ASSET} is not the OBJ file that it was").into())
}

/// The folders in which cargo unpacks what registries hold.
fn unpacked_crates() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let source = home.map(|home| home.join("registry/src"));
    let registries = source.and_then(|source| std::fs::read_dir(source).ok());
    registries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Vertices and faces; faces become fans.
fn parse(text: &str) -> Option<Arc<Mesh>> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next()?.parse::<f32>().ok();
                vertices.push([number()?, number()?, number()?]);
            }
            Some("f") => {
                let corners =
                    words.map(|word| word.split('/').next()?.parse::<u32>().ok()?.checked_sub(1));
                let corners: Vec<u32> = corners.collect::<Option<_>>()?;
                let fan = corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]);
                triangles.extend(fan);
            }
            _ => {}
        }
    }
    let whole = triangles.iter().flatten().all(|&vertex| (vertex as usize) < vertices.len());
    (whole && !triangles.is_empty()).then(|| Mesh::new(vertices, triangles))
}
