use super::*;
use crate::mesh::Meshes;
use std::path::Path;

fn file(rays: usize) -> RayReader {
    let rows: String = (0..rays).map(|row| format!("{row},0,0,0,0,1\n")).collect();
    let text = format!("ox,oy,oz,dx,dy,dz\n{rows}");
    RayReader::from_reader("rays", std::io::Cursor::new(text)).expect("a table")
}

fn quiet() -> Rounding<'static> {
    Rounding::new(Path::new("rays"), &Meshes::<f32>::default())
}

#[test]
fn short_files_are_taken_whole_and_long_ones_sampled_in_order() {
    let (all, seen) = of_file(file(100), 100, 1, quiet()).expect("rays");
    assert_eq!((all.len(), seen), (100, 100));
    let (some, seen) = of_file(file(1000), 100, 1, quiet()).expect("rays");
    assert_eq!((some.len(), seen), (100, 1000));
    assert!(some.iter().all(|named| named.ray.origin[0] == named.id as f32));
    assert!(some.is_sorted_by(|a, b| a.id < b.id) && some[90].id > 500, "{some:?}");
    assert_eq!(of_file(file(1000), 100, 1, quiet()).expect("rays").0, some);
    assert_ne!(of_file(file(1000), 100, 2, quiet()).expect("rays").0, some);
}
