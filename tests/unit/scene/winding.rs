use std::f64::consts::TAU;

use super::*;
use crate::value::Aabb;

/// How many triangles, strips and dipoles are summed for a point, on average; of crossings none.
fn terms(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let scene = Scene::from_triangles(vertices, triangles).expect("a mesh");
    let Aabb { min, max } = scene.bounds();
    let steps = 11;
    let mut terms = 0;
    for number in 0..steps * steps * steps {
        let at = [number % steps, number / steps % steps, number / steps / steps];
        let part = |axis: usize| (at[axis] as f32 + 0.37) / steps as f32;
        let own = [0, 1, 2].map(|axis| min[axis] + part(axis) * (max[axis] - min[axis]));
        let viewed = Viewed { point: own.map(f64::from), own, placed: None, is_mirrored: false };
        let mut angles = Angles::NONE;
        let _ = scene.add_own_angles(&viewed, Some(2.0), 0, &mut angles, &Chunk::unwatched(0..1));
        terms += angles.terms;
    }
    terms as f64 / f64::from(steps as u32).powi(3)
}

/// A tube along z of so many strips of two triangles, and lids of as many each.
fn tube(
    strips: u32,
    [radius, length]: [f32; 2],
    [x, y]: [f32; 2],
    lids: u32,
) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for z in [0.0, length] {
        vertices.extend((0..strips).map(|place| {
            let (sine, cosine) = (f64::from(place) / f64::from(strips) * TAU).sin_cos();
            [x + radius * cosine as f32, y + radius * sine as f32, z]
        }));
    }
    vertices.extend([[x, y, 0.0], [x, y, length]]);
    for place in 0..strips {
        let next = (place + 1) % strips;
        triangles.extend([[place, next, strips + next], [place, strips + next, strips + place]]);
        if lids > 0 {
            triangles.push([2 * strips, next, place]);
        }
        if lids > 1 {
            triangles.push([2 * strips + 1, strips + place, strips + next]);
        }
    }
    (vertices, triangles)
}

/// Of as many triangles as this, each long and thin: a sum over them all, or over a part of them, takes a hundred times as long.
#[test]
fn long_thin_triangles_take_no_more_terms_than_others() {
    const STRIPS: u32 = 20_000;
    let long = [0.5, 20.0];
    let (vertices, closed) = tube(STRIPS, long, [0.0; 2], 2);
    assert_eq!(terms(&vertices, &closed), 0.0, "a closed tube");
    for lids in [0, 1] {
        let (vertices, open) = tube(STRIPS, long, [0.0; 2], lids);
        let terms = terms(&vertices, &open);
        assert!(terms < 150.0, "{lids} lids: {terms}");
    }
    let slits: Vec<[u32; 3]> =
        (0..).zip(&closed).filter(|(place, _)| place % 4_001 > 0).map(|(_, triangle)| *triangle).collect();
    let of_slits = terms(&vertices, &slits);
    assert!(of_slits < 150.0, "some triangles are missing: {of_slits}");
    // A fan alone.
    let fan: Vec<[u32; 3]> = (0..STRIPS - 1).map(|place| [2 * STRIPS, place + 1, place]).collect();
    let of_fan = terms(&vertices, &fan);
    assert!(of_fan < 150.0, "a fan: {of_fan}");
    // Many parts beside each other, of which some have no lid.
    let (mut all, mut parts) = (Vec::new(), Vec::new());
    for part in 0..300_u32 {
        let place = [part % 20, part / 20].map(|x| x as f32);
        let (vertices, triangles) = tube(40, [0.3, 20.0], place, if part % 10 == 0 { 1 } else { 2 });
        let first = all.len() as u32;
        all.extend(vertices);
        parts.extend(triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    let of_parts = terms(&all, &parts);
    assert!(of_parts < 150.0, "an assembly: {of_parts}");
}
