//! Instances that were moved, and scenes that were exchanged.

use crate::common::answers::Answers;
use crate::common::scale::scaled;
use lanecast::{Affine, CastOptions, Error, Ray, RayBatch, SceneBuilder};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{RandomWorld, transform};
use lanecast_reference::world_rays::rays_at;
use std::sync::Arc;

#[test]
fn moved_instances_are_where_they_were_moved_to() {
    for seed in 0..scaled(8) as u64 {
        let mut random = Random::new(seed);
        let ball = RandomWorld::of_meshes(vec![meshes::soup(30, &mut random)], &[]);
        let maps: Vec<Affine> = (0..40).map(|_| transform(&mut random)).collect();
        let mut moved = SceneBuilder::new();
        for map in &maps {
            moved = moved.instance(&ball.scene, *map);
        }
        let mut moved = moved.build().unwrap();
        // The tree over the old places is made before anything moves.
        moved.cast(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).closest().unwrap();
        let mut placed: Vec<_> = maps.iter().map(|map| (&ball, *map)).collect();
        let others: Vec<(usize, Affine)> =
            (0..10).map(|_| (random.below(40), transform(&mut random))).collect();
        for &(instance, map) in &others {
            placed[instance].1 = map;
        }
        moved.set_transforms(others).unwrap();
        let built = RandomWorld::of_meshes(vec![], &placed);
        let rays = rays_at(&built, scaled(400), &mut random);
        let rays = &RayBatch::from_rays(&rays);
        assert_eq!(moved.bounds(), built.scene.bounds());
        assert!(
            Answers::of(&moved, rays, &CastOptions::new())
                == Answers::of(&built.scene, rays, &CastOptions::new()),
            "{seed}"
        );
        assert_eq!(moved.transform(3).unwrap(), placed[3].1);
    }
}

#[test]
fn scenes_that_were_exchanged_are_those_of_a_scene_built_so() {
    let mut random = Random::new(47);
    let leaves = [
        RandomWorld::of_meshes(vec![meshes::icosphere(1, 0.7)], &[]),
        RandomWorld::of_meshes(vec![meshes::soup(30, &mut random), meshes::icosphere(0, 0.3)], &[]),
    ];
    let pair: Vec<_> = leaves.iter().map(|leaf| (leaf, transform(&mut random))).collect();
    let all = [&leaves[0], &leaves[1], &RandomWorld::of_meshes(vec![meshes::tessellated_box(2)], &pair)];
    let mut placed: Vec<_> = (0..12).map(|_| (all[0], transform(&mut random))).collect();
    let own = vec![meshes::icosphere(1, 0.5)];
    let mut changed = RandomWorld::of_meshes(own.clone(), &placed).scene.deep_copy();
    for step in 0..6 {
        changed.cast(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).any().unwrap();
        let others: Vec<_> = (0..4).map(|_| (random.below(12), random.below(3))).collect();
        changed.set_scenes(others.iter().map(|&(at, which)| (at, Arc::clone(&all[which].scene)))).unwrap();
        for (at, which) in others {
            placed[at].0 = all[which];
        }
        let built = RandomWorld::of_meshes(own.clone(), &placed);
        let rays = rays_at(&built, scaled(400), &mut random);
        let rays = &RayBatch::from_rays(&rays);
        assert_eq!(changed.bounds(), built.scene.bounds());
        assert_eq!(changed.instance_path(40).ok(), built.scene.instance_path(40).ok());
        assert!(
            Answers::of(&changed, rays, &CastOptions::new())
                == Answers::of(&built.scene, rays, &CastOptions::new()),
            "after {step} exchanges"
        );
    }
    // Masks stay, and nothing changes if not all can be placed.
    changed.set_instance_mask(3, 0).unwrap();
    let before = changed.instance_path(11);
    let unknown = Error::UnknownInstance { instance: 12, instances: 12 };
    let scenes = [(0, Arc::clone(&all[2].scene)), (12, Arc::clone(&all[0].scene))];
    assert_eq!(changed.set_scenes(scenes), Err(unknown));
    assert_eq!(changed.instance_path(11), before);
    changed.set_scenes([(3, Arc::clone(&all[1].scene))]).unwrap();
    assert_eq!(changed.instance_mask(3), Ok(0));
    let mut deep = RandomWorld::of_meshes(vec![], &[(all[0], Affine::IDENTITY)]);
    for _ in 0..15 {
        deep = RandomWorld::of_meshes(vec![], &[(&deep, Affine::IDENTITY)]);
    }
    let too_deep = changed.set_scenes([(5, Arc::clone(&deep.scene))]);
    assert_eq!(too_deep, Err(Error::NestedTooDeep { instance: 5, most: 16 }));
}
