//! What a line meets nearest to its origin, on either side, is what all that it touches says: the first from 0 on and
//! the last up to 0.

use crate::common::backends::every_backend;
use lanecast::testing::Way;
use lanecast::{
    CastOptions, Coherence, Contact, Culling, Error, Hit, HitBatch, Ray, Scene, SceneBuilder, Side, Status,
    Threads,
    answers::{AllHitsBatch, LineHitBatch, LineHits},
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

const LINES: usize = if cfg!(debug_assertions) { 700 } else { 5_000 };

fn scene_of(meshes: &[Mesh]) -> Scene {
    let mut builder = SceneBuilder::new();
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    builder.build().expect("a scene")
}

/// Lines at a mesh, many from its vertices, with intervals on both sides, on one, or of one point; some without sense.
fn lines_at(mesh: &Mesh, random: &mut Random) -> Vec<Ray> {
    let ends = [f32::NEG_INFINITY, -2.0, -0.5, -0.0, 0.0, 0.25, 1.0, f32::INFINITY];
    let line = |number: usize| {
        let mut vertex = || mesh.vertices[random.below(mesh.vertices.len())];
        let (from, to) = (vertex(), vertex());
        let origin = if number.is_multiple_of(3) { from } else { random.point(-1.5, 1.5) };
        let direction = match number % 4 {
            0 => random.pick(&[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -0.5]]),
            1 => std::array::from_fn(|axis| to[axis] - origin[axis]),
            _ => random.direction(),
        };
        match number % 5 {
            0 => Ray::new(origin, direction).with_interval(random.pick(&ends), random.pick(&ends)),
            1 => Ray::new(origin, direction),
            _ => Ray::line(origin, direction),
        }
    };
    let mut lines: Vec<Ray> = (0..LINES).map(line).collect();
    lines[5].t_min = f32::NAN;
    lines[6].t_max = f32::NAN;
    lines[7].direction = [0.0; 3];
    lines[8].origin[2] = f32::INFINITY;
    lines
}

/// What all that a line touches says.
fn nearest(all: &[Hit]) -> LineHits {
    let behind = all.iter().rev().find(|hit| hit.t <= 0.0).map(|last| {
        // Of several at that `t` the first.
        *all.iter().find(|hit| hit.t == last.t).expect("itself at least")
    });
    LineHits { ahead: all.iter().find(|hit| hit.t >= 0.0).copied(), behind }
}

fn bits(hits: LineHits) -> [Option<[u32; 5]>; 2] {
    [hits.ahead, hits.behind].map(|hit| {
        hit.map(|hit| [hit.t.to_bits(), hit.geometry_id, hit.primitive_id, hit.u.to_bits(), hit.v.to_bits()])
    })
}

fn assert_rows(found: &LineHitBatch, expected: &AllHitsBatch, lines: &[Ray], how: &str) {
    assert_eq!([found.len(), found.ahead().len(), found.behind().len()], [lines.len(); 3], "{how}");
    for (row, line) in lines.iter().enumerate() {
        let expected = nearest(expected.of_ray(row));
        let context = || format!("{how}: {line:?}");
        assert_eq!(bits(found.of_line(row)), bits(expected), "{}", context());
        let status = |hit: Option<Hit>| match line.defect() {
            Some(defect) => defect,
            None if hit.is_some() => Status::Hit,
            None => Status::Miss,
        };
        assert_eq!(found.ahead().status()[row], status(expected.ahead), "{}", context());
        assert_eq!(found.behind().status()[row], status(expected.behind), "{}", context());
        assert_eq!(found.status(row), status(expected.ahead.or(expected.behind)), "{}", context());
        for half in [found.ahead(), found.behind()] {
            let silent =
                half.status()[row].is_hit() || (half.t()[row], half.u()[row]) == (f32::INFINITY, 0.0);
            assert!(silent, "{}", context());
        }
    }
}

/// As many ways to cast as there are.
fn ways(two: &Threads) -> Vec<CastOptions<'_>> {
    let options = || CastOptions::new().threads(&Threads::ONE);
    vec![
        options(),
        options().coherence(Coherence::Coherent),
        options().coherence(Coherence::Incoherent),
        options().way(Way::InFlight),
        CastOptions::new().threads(two),
    ]
}

fn check(name: &str, meshes: &[Mesh], seed: u64) {
    let lines = lines_at(&meshes[0], &mut Random::new(seed));
    let scene = scene_of(meshes);
    let (mut all, mut hits) = (AllHitsBatch::new(), LineHitBatch::new());
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    let touching = scene.cast(&lines).backend(every_backend()[0]).brute_force().contact(Contact::Touch);
    for culling in [Culling::None, Culling::Back, Culling::Front] {
        touching.clone().culling(culling).all_into(&mut all).expect("answers");
        for backend in every_backend() {
            for (way, options) in ways(&two).into_iter().enumerate() {
                let how = format!("{name}, seed {seed}, {culling:?}, {backend}, way {way}");
                let cast = scene.cast(&lines).with(&options).culling(culling).backend(backend);
                cast.line_hits_into(&mut hits).expect("answers");
                assert_rows(&hits, &all, &lines, &how);
            }
            let cast = scene.cast(&lines).culling(culling).backend(backend).brute_force();
            cast.line_hits_into(&mut hits).expect("answers");
            assert_rows(&hits, &all, &lines, &format!("{name}, seed {seed}, {culling:?}, {backend}, scan"));
        }
    }
    touching.all_into(&mut all).expect("answers");
    for backend in every_backend() {
        for (row, line) in lines.iter().enumerate() {
            let expected = match line.defect() {
                Some(status) => Err(Error::InvalidRay { status }),
                None => Ok(bits(nearest(all.of_ray(row)))),
            };
            let cast = scene.cast(line).backend(backend);
            assert_eq!(cast.line_hits().map(bits), expected, "{name}, {backend}: {line:?}");
            assert_eq!(cast.brute_force().line_hits().map(bits), expected, "{name}, {backend}: {line:?}");
        }
    }
}

#[test]
fn triangles_strewn_about() {
    check("soup", &[meshes::soup(300, &mut Random::new(1)), meshes::soup(50, &mut Random::new(2))], 3);
}

#[test]
fn closed_sphere_and_box_whose_edges_and_vertices_are_met() {
    check("box", &[meshes::tessellated_box(3)], 4);
    check("sphere", &[meshes::icosphere(2, 1.0)], 5);
}

#[test]
fn triangles_twice_and_slivers() {
    check("doubled", &[meshes::soup(100, &mut Random::new(6)).doubled()], 7);
    check("slivers", &[meshes::slivers(200, &mut Random::new(8))], 9);
}

#[test]
fn what_lies_at_the_origin_is_on_both_sides() {
    let square = Mesh {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let scene = scene_of(&[square]);
    let hits = scene.cast(&Ray::line([0.5, 0.5, 0.0], [0.0, 0.0, 1.0])).line_hits().expect("sound");
    let at_origin = hits.ahead.expect("a hit");
    assert_eq!((at_origin.t.to_bits(), at_origin.primitive_id), (0, 0), "0 and not -0, the lower of two");
    assert_eq!(bits(hits)[1], bits(hits)[0]);
    let behind_only = scene.cast(&Ray::line([0.5, 0.25, 2.0], [0.0, 0.0, 4.0])).line_hits().expect("sound");
    assert_eq!((behind_only.ahead, behind_only.behind.map(|hit| hit.t)), (None, Some(-0.5)));
}

#[test]
fn normals_are_those_of_the_triangles_on_both_sides() {
    let mesh = meshes::icosphere(2, 1.0);
    let mut random = Random::new(10);
    let lines: Vec<Ray> = (0..200).map(|_| Ray::line(random.point(-0.5, 0.5), random.direction())).collect();
    let hits = scene_of(&[mesh]).cast(&lines).normals(true).line_hits().expect("answers");
    for (row, line) in lines.iter().enumerate() {
        let facing = |half: &HitBatch| -> f32 {
            (0..3).map(|axis| half.geometric_normal()[row][axis] * line.direction[axis]).sum()
        };
        // From inside a sphere whose triangles face outwards.
        assert!(facing(hits.ahead()) > 0.0 && facing(hits.behind()) < 0.0, "{line:?}");
        assert!(hits.ahead().t()[row] > 0.0 && hits.behind().t()[row] < 0.0, "{line:?}");
    }
}

#[test]
fn what_does_not_count_is_left_out_on_both_sides() {
    let meshes = [meshes::soup(200, &mut Random::new(11)), meshes::soup(200, &mut Random::new(12))];
    let lines = lines_at(&meshes[0], &mut Random::new(13));
    let mut scene = scene_of(&meshes);
    scene.set_mask(1, 2).expect("geometry 1");
    let mut random = Random::new(14);
    let masks: Vec<u32> = lines.iter().map(|_| random.pick(&[1, 2, 3])).collect();
    let sides: Vec<Culling> =
        lines.iter().map(|_| random.pick(&[Culling::None, Culling::Back, Culling::Front])).collect();
    let (geometries, triangles): (Vec<u32>, Vec<u32>) =
        lines.iter().map(|_| (random.below(2) as u32, random.below(200) as u32)).unzip();
    let cast = scene.cast(&lines).contact(Contact::Touch);
    let cast = cast.mask(&masks).culling(&sides).skip(&geometries, &triangles);
    let accepts = |ray: usize, hit: &Hit, side: Side| {
        let cut = side == Side::Front && hit.t > 1.0 && ray.is_multiple_of(2);
        !cut && !(hit.primitive_id as usize + ray).is_multiple_of(3)
    };
    let (mut all, mut hits) = (AllHitsBatch::new(), LineHitBatch::new());
    for backend in every_backend() {
        let cast = cast.clone().backend(backend);
        for (what, cast) in [("columns", cast.clone()), ("filter", cast.filter(&accepts))] {
            cast.clone().brute_force().all_into(&mut all).expect("answers");
            cast.line_hits_into(&mut hits).expect("answers");
            assert_rows(&hits, &all, &lines, &format!("{what}, {backend}"));
        }
    }
    let refused = scene.cast(&lines).mask(&[0; 3]).line_hits_into(&mut hits);
    assert!(matches!(refused, Err(Error::ColumnLength { column: "masks", .. })) && hits.is_empty());
}
