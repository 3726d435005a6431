//! Which points are inside.

use crate::RAYS;
use crate::common::meshes;
use crate::common::nests::{self, Nest};
use crate::common::random::Random;
use lanecast::Affine;

#[test]
fn a_point_is_inside_of_what_is_placed_around_it() {
    let shell = meshes::icosphere(2, 1.0);
    let hollow = shell.clone().with(&{
        let mut cavity = meshes::icosphere(2, 0.5);
        cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        cavity
    });
    let ball = Nest::new(&[hollow], &[]);
    let mut random = Random::new(9);
    let (first, second) = (nests::transform(&mut random), nests::transform(&mut random));
    let mirrored = Affine::from_rows([[-1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let pair = Nest::new(&[], &[(&ball, first), (&ball, mirrored)]);
    let scene = Nest::new(&[], &[(&pair, second)]).scene;
    assert_eq!(scene.open_edge(), None);
    let mut inside = 0;
    for _ in 0..4 * RAYS {
        let local = random.point(-1.2, 1.2);
        let distance = local.iter().map(|x| x * x).sum::<f32>().sqrt();
        // The facets lie a little inside of the spheres.
        if [0.5_f32, 1.0].iter().any(|radius| (distance - radius).abs() < 0.05) {
            continue;
        }
        let placed = second.after(&random.pick(&[first, mirrored])).point(local.map(f64::from));
        let expected = scene.scan().contains(placed.map(|x| x as f32)).unwrap();
        assert_eq!(scene.contains(placed.map(|x| x as f32)).unwrap(), expected);
        if 0.5 < distance && distance < 1.0 {
            assert!(expected, "{local:?} is in the wall of one of them");
            inside += 1;
        }
    }
    assert!(inside > 100, "{inside}");
    // Alone, so that the other does not fill it.
    let alone = Nest::new(&[], &[(&ball, mirrored)]).scene;
    assert_eq!(alone.contains([5.0, 0.0, 0.0]), Ok(false), "a_cavity_is_outside");
    assert_eq!(alone.contains([5.75, 0.0, 0.0]), Ok(true));
}
