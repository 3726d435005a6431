use std::f64::consts::TAU;

use super::*;
use crate::value::Aabb;
use lanecast_reference::meshes::Mesh;
use lanecast_reference::random::Random;

/// How many triangles, strips and dipoles are summed for a point, on average, or computed for
/// nothing in lanes; of crossings none.
fn terms(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let scene = Scene::from_triangles(vertices, triangles).expect("a mesh");
    let Aabb { min, max } = scene.bounds();
    let steps = 11;
    let points: Vec<[f32; 3]> = (0..steps * steps * steps)
        .map(|number| {
            let at = [number % steps, number / steps % steps, number / steps / steps];
            let part = |axis: usize| (at[axis] as f32 + 0.37) / steps as f32;
            [0, 1, 2].map(|axis| min[axis] + part(axis) * (max[axis] - min[axis]))
        })
        .collect();
    let defects = vec![None; points.len()];
    let views = Views {
        points: &points,
        own: &points,
        defects: &defects,
        placed: None,
        is_mirrored: false,
        backend: scene.backend(),
    };
    let mut angles = vec![Angles::NONE; points.len()];
    let _ = scene.add_own_angles(&views, Some(2.0), &[], &mut angles, &Chunk::unwatched(0..1));
    angles.iter().map(|angles| angles.terms).sum::<usize>() as f64 / points.len() as f64
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

/// Of as many triangles as this, each long and thin: a sum over them all, or over a part of them,
/// takes a hundred times as long.
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
    let slits: Vec<[u32; 3]> = (0..)
        .zip(&closed)
        .filter(|(place, _)| place % 4_001 > 0)
        .map(|(_, triangle)| *triangle)
        .collect();
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
        let (vertices, triangles) =
            tube(40, [0.3, 20.0], place, if part % 10 == 0 { 1 } else { 2 });
        let first = all.len() as u32;
        all.extend(vertices);
        parts.extend(triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    let of_parts = terms(&all, &parts);
    assert!(of_parts < 150.0, "an assembly: {of_parts}");
}

/// Triangles that share no edge, however long and thin: before they were cut into pieces, a point
/// took all of them.
#[test]
fn separate_triangles_take_terms_for_few_of_them() {
    const COUNT: usize = 20_000;
    let random = &mut Random::new(63);
    let mut many = |draw: &mut dyn FnMut(&mut Random) -> [[f32; 3]; 3]| {
        let triangles: Vec<_> = (0..COUNT).map(|_| draw(random)).collect();
        let mesh = Mesh::of_triangles(&triangles);
        terms(&mesh.vertices, &mesh.triangles)
    };
    let needle = |from: [f32; 3], to: [f32; 3], width: f32, random: &mut Random| {
        let off = random.direction();
        [from, to, [0, 1, 2].map(|axis| to[axis] + width * off[axis])]
    };
    let near = |place: [f32; 3], size: f32, random: &mut Random| {
        let off = random.point(-size, size);
        [0, 1, 2].map(|axis| place[axis] + off[axis])
    };
    let of_needles = many(&mut |random| {
        let (from, to) = (random.point(0.0, 1.0), random.point(0.0, 1.0));
        needle(from, to, 1e-3, random)
    });
    let of_bundle = many(&mut |random| {
        let [x, y, _] = random.point(0.0, 1.0);
        needle([x, y, 0.0], [x, y, 1.0], 1e-3, random)
    });
    let of_small = many(&mut |random| {
        let place = random.point(0.0, 1.0);
        [(); 3].map(|()| near(place, 0.01, random))
    });
    // A few large ones among them.
    let of_mixed = many(&mut |random| {
        let place = random.point(0.0, 1.0);
        let size = random.pick(&[0.003, 0.003, 0.003, 0.003, 0.003, 0.01, 0.03, 0.3]);
        if random.below(3) == 0 {
            let to = near(place, 2.0 * size, random);
            needle(place, to, 0.02 * size, random)
        } else {
            [(); 3].map(|()| near(place, size, random))
        }
    });
    eprintln!("needles {of_needles}, bundle {of_bundle}, small {of_small}, mixed {of_mixed}");
    // 0.47 and 0.51: that areas count as an eighth of a full ball at least costs most here.
    assert!(of_needles < 0.6 * COUNT as f64, "needles: {of_needles}");
    assert!(of_bundle < 0.6 * COUNT as f64, "a bundle: {of_bundle}");
    assert!(of_small < 600.0, "small triangles: {of_small}");
    assert!(of_mixed < 0.2 * COUNT as f64, "sizes from 0.003 to 0.3: {of_mixed}");
    // Ribbons, which are chains of many ends.
    let mut ribbons = Mesh::default();
    for _ in 0..COUNT / 20 {
        let (mut place, along) = (random.point(0.0, 1.0), random.direction());
        for piece in 0..=10 {
            place = [0, 1, 2].map(|axis| place[axis] + 0.05 * along[axis]);
            place = near(place, 0.01, random);
            ribbons.vertices.extend([place, [place[0] + 1e-3, place[1] + 1e-3, place[2]]]);
            let next = ribbons.vertices.len() as u32;
            if piece > 0 {
                ribbons
                    .triangles
                    .extend([[next - 4, next - 3, next - 1], [next - 4, next - 1, next - 2]]);
            }
        }
    }
    let of_ribbons = terms(&ribbons.vertices, &ribbons.triangles);
    assert!(of_ribbons < 1_000.0, "ribbons: {of_ribbons}");
}
