//! Memory of the whole process, measured in one that does nothing else.

use super::process::{expect_passed, memory, process};
use lanecast::{Ray, RayBatch, Scene, answers::AnyHitBatch};
use lanecast_reference::meshes;

/// A batch needs no memory beside its rays and its answers that grows with it.
#[test]
fn many_rays_need_bounded_memory() {
    expect_passed(process("soak::memory::in_a_process_of_its_own", &[]));
}

#[test]
#[ignore = "the test above runs it"]
fn in_a_process_of_its_own() {
    const RAYS: u64 = if cfg!(debug_assertions) { 1 << 20 } else { 1 << 24 };
    let mesh = meshes::icosphere(2, 1.0);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    // One ray many times takes no memory, and an answer is a byte.
    let ray = Ray::new([0.0, 0.0, 3.0], [0.1, 0.2, -1.0]);
    let rays = RayBatch::repeated(ray, RAYS as usize).expect("a sound ray");
    let mut hits = AnyHitBatch::new();
    let before = memory("VmHWM");
    scene.cast(&rays).any_into(&mut hits).expect("answers");
    let grown = memory("VmHWM").saturating_sub(before);
    assert!(hits.status().iter().all(|status| status.is_hit()));
    // Rays by themselves would be 32 bytes each, and states of rays on their way more.
    let bound = RAYS + if cfg!(debug_assertions) { 16 << 20 } else { 64 << 20 };
    assert!(grown < bound, "{grown} bytes for {RAYS} rays");
}
