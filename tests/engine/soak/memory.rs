//! Memory of the whole process, measured in one that does nothing else.

use lanecast::{Ray, RayBatch, Scene, answers::AnyHitBatch};
use lanecast_reference::meshes;

/// A batch needs no memory beside its rays and its answers that grows with it.
#[test]
fn many_rays_need_bounded_memory() {
    let program = std::env::current_exe().expect("the program of the tests");
    let arguments =
        ["--exact", "soak::memory::in_a_process_of_its_own", "--ignored", "--nocapture"];
    let output = std::process::Command::new(program).args(arguments).output().expect("a process");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{output:?}");
}

#[test]
#[ignore = "the test above runs it"]
fn in_a_process_of_its_own() {
    const RAYS: usize = if cfg!(debug_assertions) { 1 << 20 } else { 1 << 24 };
    /// The most that this process has had in memory, in bytes.
    fn peak() -> usize {
        let status =
            std::fs::read_to_string("/proc/self/status").expect("what Linux says of a process");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak");
        let number = line.split_whitespace().nth(1).and_then(|number| number.parse::<usize>().ok());
        1024 * number.expect("a number")
    }
    let mesh = meshes::icosphere(2, 1.0);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    // One ray many times takes no memory, and an answer is a byte.
    let ray = Ray::new([0.0, 0.0, 3.0], [0.1, 0.2, -1.0]);
    let rays = RayBatch::repeated(ray, RAYS).expect("a sound ray");
    let mut hits = AnyHitBatch::new();
    let before = peak();
    scene.cast(&rays).any_into(&mut hits).expect("answers");
    let grown = peak().saturating_sub(before);
    assert!(hits.status().iter().all(|status| status.is_hit()));
    // Rays by themselves would be 32 bytes each, and states of rays on their way more.
    let bound = RAYS + if cfg!(debug_assertions) { 16 << 20 } else { 64 << 20 };
    assert!(grown < bound, "{grown} bytes for {RAYS} rays");
}
