//! Meshes of `f32`, each with something that may go wrong.

use super::{Indexed, hold, in_every_way, met, of_meshes};
use crate::common::answers::Answers;
use crate::common::ply;
use crate::common::rays::{Aims, KINDS, Rounded, on_triangle, spoil};
use crate::common::scale::scaled;
use lanecast::{Hit, Ray};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::vector::vector;

fn aims(meshes: &[Mesh], random: &mut Random) -> Aims {
    let filled: Vec<&Mesh> = meshes.iter().filter(|mesh| !mesh.triangles.is_empty()).collect();
    let target = |_| {
        let mesh = filled[random.below(filled.len())];
        on_triangle(mesh.corners(random.below(mesh.triangles.len())).map(vector), random)
    };
    Aims::at((0..if filled.is_empty() { 0 } else { 500 }).map(target).collect())
}

fn indexed(meshes: &[Mesh]) -> Vec<Indexed<f32>> {
    meshes.iter().map(|mesh| (mesh.vertices.clone(), mesh.triangles.clone())).collect()
}

fn hold_meshes(name: &str, meshes: &[Mesh], seed: u64) -> Answers {
    let given = indexed(meshes);
    hold(name, seed, &of_meshes(&given), &aims(meshes, &mut Random::new(seed)))
}

/// Each ray that meets something, and all that it touches.
fn touched(answers: &Answers) -> impl Iterator<Item = &[Hit]> {
    let rows = (0..answers.closest.len()).map(|row| answers.all.of_ray(row));
    rows.filter(|all| !all.is_empty())
}

#[test]
fn meshes_of_all_kinds_and_sizes() {
    let random = &mut Random::new(1);
    let mut soup = |count: usize| meshes::soup(count, random);
    let mixed = soup(200)
        .with(&soup(100).scaled(1e-6))
        .with(&soup(100).scaled(1e6))
        .with(&soup(20).scaled(1e25));
    let cases = [
        ("no triangle", Mesh::default()),
        ("one triangle", soup(1)),
        ("more than a leaf", soup(9)),
        ("soup", soup(700)),
        ("sizes mixed", mixed),
        ("soup at 1e7", soup(300).moved([1e7, 1e7, -1e7])),
        ("sphere at survey coordinates", meshes::icosphere(3, 100.0).moved([5e5, -4e6, 1e7])),
        ("sphere", meshes::icosphere(2, 1.0)),
        ("box", meshes::tessellated_box(5)),
        ("terrain with flat parts", meshes::terrain(12, &mut Random::new(6))),
        ("slivers", meshes::slivers(200, &mut Random::new(9))),
        ("hairball", meshes::hairball(200, &mut Random::new(10))),
    ];
    for (seed, (name, mesh)) in (0..).zip(cases) {
        let answers = hold_meshes(name, std::slice::from_ref(&mesh), seed);
        assert_eq!(met(&answers) == 0, mesh.triangles.is_empty(), "{name}: {}", met(&answers));
    }
}

#[test]
fn everything_subnormal_or_huge() {
    for (seed, scale) in [(14, 1e-38), (15, 1e-41), (16, 6e28), (17, 6e29)] {
        let soup = meshes::soup(30, &mut Random::new(seed)).scaled(scale);
        let answers = hold_meshes(&format!("soup times {scale:e}"), &[soup], seed);
        // Of the last many rays start beyond the greatest coordinate, and are refused.
        assert!(met(&answers) > answers.closest.len() / 10, "{scale:e}: {}", met(&answers));
    }
}

#[test]
fn all_triangles_in_one_place() {
    let corners = [[0.5, 0.25, -1.0], [1.5, 0.25, 0.0], [0.5, 1.25, 0.5]];
    for count in [2, 8, 9, 65] {
        let answers =
            hold_meshes("one place", &[Mesh::of_triangles(&vec![corners; count])], count as u64);
        for all in touched(&answers) {
            assert_eq!(all.len(), count, "coincident triangles are all met or none");
            assert_eq!(all[0].primitive_id, 0, "the lowest primitive wins the tie");
        }
    }
}

#[test]
fn tied_hits_go_to_the_lowest_geometry_then_primitive() {
    let soup = meshes::soup(120, &mut Random::new(24));
    let reversed = Mesh {
        triangles: soup.triangles.iter().rev().copied().collect(),
        vertices: soup.vertices.clone(),
    };
    let ball = meshes::icosphere(2, 0.8);
    let several = [Mesh::default(), soup.clone(), ball.doubled(), Mesh::default(), reversed, soup];
    let answers = hold_meshes("several geometries", &several, 24);
    let mut tied = 0;
    for all in touched(&answers) {
        assert!(all[0].geometry_id < 4, "geometry 1 comes before its copies: {all:?}");
        tied += usize::from(all.get(1).is_some_and(|hit| hit.t == all[0].t));
    }
    assert!(tied > answers.closest.len() / 10, "only {tied} ties");
}

#[test]
fn sheets_stacked_closer_than_the_margin_of_the_boxes() {
    // 64 sheets, one unit in the last place apart, in shuffled order.
    let mut heights: Vec<u32> = (0..64).collect();
    Random::new(19).shuffle(&mut heights);
    let sheet = |i: u32| {
        let z = f32::from_bits(1.0_f32.to_bits() + i);
        [[-1.0, -1.0, z], [1.0, -1.0, z], [0.0, 1.0, z]]
    };
    let mesh = Mesh::of_triangles(&heights.into_iter().map(sheet).collect::<Vec<_>>());
    let answers = hold_meshes("sheets", &[mesh], 19);
    assert!(touched(&answers).any(|all| all.len() == 64));
}

#[test]
fn triangles_without_area() {
    let (p, q) = ([0.0, 0.0, 0.0], [1.0, 1.0, 0.5]);
    let flat = Mesh::of_triangles(&[[p, p, p], [p, q, p], [p, q, q], [p, [0.5, 0.5, 0.25], q]]);
    hold_meshes("without area", std::slice::from_ref(&flat), 20);
    hold_meshes("some without area", &[flat.with(&meshes::soup(100, &mut Random::new(21)))], 21);
}

fn hold_rays(name: &str, mesh: Mesh, rays: &[Ray]) -> usize {
    let given = indexed(&[mesh]);
    met(&in_every_way(name, &of_meshes(&given), rays))
}

/// Rays that go in groups unasked, in tiles that do not fill the picture or the chunk.
#[test]
fn pictures() {
    let mesh = meshes::terrain(24, &mut Random::new(26));
    let picture = KINDS.iter().position(|&kind| kind == "picture").expect("a kind");
    for seed in 0..scaled(4) as u64 {
        let random = &mut Random::new(seed);
        let mut rays = aims(std::slice::from_ref(&mesh), random).of_kind(picture, 1_000, random);
        for _ in 0..rays.len() / 40 {
            let row = random.below(rays.len());
            spoil(&mut rays[row], random);
        }
        let rays: Vec<Ray> = rays.iter().map(f32::ray).collect();
        hold_rays(&format!("picture {seed}"), mesh.clone(), &rays);
    }
}

/// Rays that are parallel, to each other and to axes, through vertices and edges, as to the sun;
/// also where products of coordinates and reciprocals of directions overflow, or are subnormal.
#[test]
fn parallel_rays_of_all_lengths() {
    let mesh = meshes::tessellated_box(5);
    for (scale, length) in
        [(0, 0), (90, -20), (98, 0), (0, -98), (0, 98), (-100, 60), (-120, 20), (-30, 97)]
    {
        let [scale, length] = [scale, length].map(|exponent| 2.0_f32.powi(exponent));
        for direction in [[0.0, 0.0, -1.0], [-0.0, 1.0, 0.0], [1e-9, 1.0, 0.0], [1.0, 2.0, -4.0]] {
            let ray = |place: usize| {
                let [x, y] = [place % 11, place / 11].map(|steps| steps as f32 * 0.2 - 1.0);
                Ray::line([x, y, x - y].map(|x| x * scale), direction.map(|d: f32| d * length))
            };
            let rays: Vec<Ray> = (0..11 * scaled(5)).map(ray).collect();
            let name = format!("{direction:?} times {length:e} at {scale:e}");
            let met = hold_rays(&name, mesh.clone().scaled(scale), &rays);
            assert!(met > rays.len() / 8, "{name}: {met} hits");
        }
    }
}

/// Large enough that the tree is built by several threads and the next nodes are prefetched.
#[test]
fn shipped_solid() {
    let mesh = ply::shipped("gyroid.ply");
    let aims = aims(std::slice::from_ref(&mesh), &mut Random::new(25));
    let rays = aims.of_every_kind(scaled(36), &mut Random::new(25));
    let rays: Vec<Ray> = rays.iter().map(f32::ray).collect();
    assert!(hold_rays("gyroid", mesh, &rays) > rays.len() / 8);
}
