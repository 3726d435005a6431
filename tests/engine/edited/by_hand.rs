//! Changes one at a time: ids, errors, what others hold, and what is forgotten.

use super::{ONE, QUALITY};
use lanecast::{Affine, Error, Geometry, INVALID_ID, Ray, Scene, SceneBuilder};
use lanecast_reference::meshes;
use std::sync::Arc;

fn sheet(z: f32) -> [[f32; 3]; 4] {
    [[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]]
}

const SHEET: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// What a ray along the z axis meets: `t`, geometry and instance.
fn ahead(scene: &Scene) -> Option<(f32, u32, u32)> {
    let hit = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest().unwrap();
    hit.map(|hit| (hit.t, hit.geometry_id, hit.instance_id))
}

#[test]
fn what_was_removed_is_named_and_nothing_changes_after_an_error() {
    let (near, far) = (sheet(1.0), sheet(2.0));
    let mesh = |vertices| Geometry::deformable_mesh(vertices, &SHEET);
    let leaf = Arc::new(Scene::from_triangles(&sheet(3.0), &SHEET).unwrap());
    let mut scene = SceneBuilder::new()
        .geometry(mesh(&near))
        .and_then(|builder| builder.geometry(mesh(&far)))
        .map(|builder| builder.instance(&leaf, Affine::IDENTITY).instance(&leaf, Affine::IDENTITY))
        .and_then(SceneBuilder::build)
        .unwrap();
    scene.set_name(0, "near").unwrap();
    scene.change().threads(&ONE).quality(QUALITY).remove(&[0]).unwrap();
    scene.remove_instances(&[0]).unwrap();
    assert_eq!(ahead(&scene), Some((2.0, 1, INVALID_ID)));
    let gone = Error::UnknownGeometry { geometry_id: 0, geometries: 2 };
    assert_eq!(gone.to_string(), "there is no geometry 0: it was removed, or is of another kind");
    let beyond = Error::UnknownGeometry { geometry_id: 2, geometries: 2 };
    assert_eq!(beyond.to_string(), "there is no geometry 2: the scene has 2, numbered from 0");
    let (none, sound) = (Geometry::triangle_mesh(&[], &[]), mesh(&near));
    for (id, error) in [(0, &gone), (2, &beyond)] {
        let error = || Err(error.clone());
        assert_eq!(scene.geometry(id).map(|_| ()), error());
        assert_eq!(scene.name(id).map(|_| ()), error());
        assert_eq!(scene.face_ids(id).map(|_| ()), error());
        assert_eq!(scene.user_data(id).map(|_| ()), error());
        assert_eq!(scene.mask(id).map(|_| ()), error());
        assert_eq!(scene.set_mask(id, 1), error());
        assert_eq!(scene.set_name(id, "x"), error());
        assert_eq!(scene.set_user_data(id, 1), error());
        assert_eq!(scene.set_face_ids(id, &[]), error());
        assert_eq!(scene.change().threads(&ONE).refit(&[(1, &near), (id, &near)]), error());
        assert_eq!(
            scene
                .change()
                .threads(&ONE)
                .quality(QUALITY)
                .replace(&[(1, none.clone()), (id, none.clone())]),
            error()
        );
        assert_eq!(scene.change().threads(&ONE).quality(QUALITY).remove(&[1, id]), error());
    }
    let gone = Error::UnknownInstance { instance: 0, instances: 2 };
    assert_eq!(gone.to_string(), "there is no instance 0: it was removed, or is of another kind");
    for (number, error) in [(0, gone), (2, Error::UnknownInstance { instance: 2, instances: 2 })] {
        let error = || Err(error.clone());
        assert_eq!(scene.instance_scene(number).map(|_| ()), error());
        assert_eq!(scene.transform(number).map(|_| ()), error());
        assert_eq!(scene.instance_id(number).map(|_| ()), error());
        assert_eq!(scene.instance_path(number).map(|_| ()), error());
        assert_eq!(scene.scene_of(number).map(|_| ()), error());
        assert_eq!(scene.instance_name(number).map(|_| ()), error());
        assert_eq!(scene.instance_user_data(number).map(|_| ()), error());
        assert_eq!(scene.instance_mask(number).map(|_| ()), error());
        assert_eq!(scene.set_instance_mask(number, 1), error());
        assert_eq!(scene.set_instance_name(number, "x"), error());
        assert_eq!(scene.set_instance_user_data(number, 1), error());
        assert_eq!(
            scene.set_transforms([(1, Affine::scale(2.0)), (number, Affine::IDENTITY)]),
            error()
        );
        assert_eq!(
            scene.set_scenes([(1, Arc::new(scene.deep_copy())), (number, Arc::clone(&leaf))]),
            error()
        );
        assert_eq!(scene.change_placed(number, |_| Ok(())), error());
        assert_eq!(scene.remove_instances(&[1, number]), error());
    }
    // The first that cannot be added, with the id that it would get.
    let astray = Geometry::triangle_mesh(&near, &[[0, 1, 4]]);
    let refused =
        scene.change().threads(&ONE).quality(QUALITY).add(&[sound.clone(), sound.clone(), astray]);
    assert!(
        matches!(refused, Err(Error::VertexOutOfRange { geometry_id: 3, vertex: 4, .. })),
        "{refused:?}"
    );
    let flat = Affine::scale_axes([1.0, 0.0, 1.0]);
    let refused = scene.add_instances(&[(&leaf, Affine::IDENTITY), (&leaf, flat)]);
    assert!(matches!(refused, Err(Error::SingularTransform { instance: 2, .. })), "{refused:?}");
    assert_eq!(
        scene.change().threads(&ONE).refit(&[(1, &near[..3])]).unwrap_err().to_string(),
        "geometry 1: triangle 1 names vertex 3, but the mesh has 3 vertices"
    );
    assert!(scene.geometry_ids().eq([1]) && scene.instance_numbers().eq([1]));
    assert_eq!(ahead(&scene), Some((2.0, 1, INVALID_ID)));
    assert_eq!(scene.transform(1), Ok(Affine::IDENTITY));
    // The ids are free for others, which have no name yet.
    assert_eq!(scene.change().threads(&ONE).quality(QUALITY).add(&[sound]), Ok(vec![0]));
    assert_eq!((scene.name(0), ahead(&scene)), (Ok(""), Some((1.0, 0, INVALID_ID))));
    // With the last of them the ids before it are gone too.
    scene.change().threads(&ONE).quality(QUALITY).remove(&[0, 1]).unwrap();
    scene.remove_instances(&[1]).unwrap();
    assert_eq!(
        (scene.geometry_count(), scene.instance_count(), scene.instance_id_count()),
        (0, 0, 0)
    );
    assert_eq!(ahead(&scene), None);
    assert!(scene.bounds().is_empty());
}

/// The ids of an instance that was removed stay free for one that needs no more of them.
#[test]
fn nested_instances_keep_their_ids_when_others_come_and_go() {
    let leaf = Arc::new(Scene::from_triangles(&sheet(1.0), &SHEET).unwrap());
    let pair =
        SceneBuilder::new().instance(&leaf, Affine::IDENTITY).instance(&leaf, Affine::IDENTITY);
    let pair = Arc::new(pair.build().unwrap());
    let at = |z: f64| Affine::translation([0.0, 0.0, z]);
    let builder = SceneBuilder::new()
        .instance(&leaf, at(9.0))
        .instance(&pair, at(5.0))
        .instance(&pair, at(7.0));
    let mut scene = builder.build().unwrap();
    let ids = |scene: &Scene| {
        scene.instance_numbers().map(|n| scene.instance_id(n)).collect::<Result<Vec<_>, _>>()
    };
    assert_eq!(ids(&scene), Ok(vec![0, 1, 4]));
    scene.remove_instances(&[1]).unwrap();
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![0, 4]), Some((8.0, 0, 5))));
    // The pair does not fit where the leaf was, and does where the pair was; a leaf has two ids to
    // spare there.
    scene.remove_instances(&[0]).unwrap();
    assert_eq!(scene.add_instances(&[(&pair, at(3.0))]), Ok(vec![1]));
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![1, 4]), Some((4.0, 0, 2))));
    scene.remove_instances(&[1]).unwrap();
    assert_eq!(
        scene.add_instances(&[(&leaf, at(2.0)), (&leaf, at(1.0)), (&leaf, at(8.0))]),
        Ok(vec![0, 1, 3])
    );
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![0, 1, 4, 7]), Some((2.0, 0, 1))));
    for (id, path) in [(0, &[0][..]), (1, &[1]), (4, &[2]), (5, &[2, 0]), (6, &[2, 1]), (7, &[3])] {
        assert_eq!(scene.instance_path(id), Ok(path.to_vec()));
    }
    // Those to spare, and what is beyond all.
    for id in [2, 3, 8, INVALID_ID - 1] {
        assert_eq!(
            scene.instance_path(id),
            Err(Error::UnknownInstance { instance: id, instances: 8 })
        );
    }
    // One that moves keeps what it has to spare.
    scene.set_transforms([(1, at(0.5))]).unwrap();
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![0, 1, 4, 7]), Some((1.5, 0, 1))));
}

#[test]
fn what_deforms_in_its_place_leaves_what_others_hold() {
    let cloth = |z: f32| {
        let sheet = sheet(z);
        let mesh = Geometry::deformable_mesh(&sheet, &SHEET);
        Arc::new(SceneBuilder::new().geometry(mesh).and_then(SceneBuilder::build).unwrap())
    };
    let held = cloth(0.0);
    let other = cloth(0.0);
    let at = |x: f64| Affine::translation([x, 0.0, 5.0]);
    let nest = Arc::new(SceneBuilder::new().instance(&held, at(20.0)).build().unwrap());
    let builder = SceneBuilder::new().instance(&held, at(0.0)).instance(&other, at(10.0));
    let mut scene =
        builder.instance(&held, at(5.0)).instance(&nest, Affine::IDENTITY).build().unwrap();
    let told = |scene: &Scene| {
        [0.0, 10.0, 5.0, 20.0].map(|x| {
            let hit =
                scene.cast(&Ray::new([x + 0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest().unwrap();
            hit.map_or(0.0, |hit| hit.t)
        })
    };
    let before = scene.deep_copy();
    // What was found out before must be forgotten.
    assert_eq!((told(&scene), scene.open_edge().is_some()), ([5.0; 4], true));
    let counted = scene.change_placed(2, |cloth| {
        cloth.change().threads(&ONE).refit(&[(0, &sheet(2.0))])?;
        cloth.set_name(0, "sail")?;
        Ok(cloth.triangle_count())
    });
    assert_eq!(counted, Ok(2));
    assert_eq!(told(&scene), [7.0, 5.0, 7.0, 5.0]);
    assert_eq!(scene.scene_of(0).unwrap().name(0), Ok("sail"));
    assert!(Arc::ptr_eq(scene.instance_scene(0).unwrap(), scene.instance_scene(2).unwrap()));
    assert_eq!((told(&before), held.name(0)), ([5.0; 4], Ok("")));
    assert!(Arc::ptr_eq(before.instance_scene(0).unwrap(), &held));
    // In an instance of an instance.
    scene
        .change_placed(3, |nest| {
            nest.change_placed(0, |cloth| cloth.change().threads(&ONE).refit(&[(0, &sheet(3.0))]))
        })
        .unwrap();
    assert_eq!(told(&scene), [7.0, 5.0, 7.0, 8.0]);
    // An error of the change, one of placing what changed, and a panic change nothing.
    let unusable = [[f32::NAN; 3]; 4];
    let failed = scene.change_placed(0, |cloth| {
        cloth.change().threads(&ONE).refit(&[(0, &sheet(4.0))])?;
        cloth.change().threads(&ONE).refit(&[(0, &unusable)])
    });
    assert!(matches!(failed, Err(Error::UnusableVertex { geometry_id: 0, .. })), "{failed:?}");
    let mut deep = cloth(0.0);
    for _ in 0..15 {
        deep = Arc::new(SceneBuilder::new().instance(&deep, Affine::IDENTITY).build().unwrap());
    }
    let failed = scene.change_placed(2, |cloth| {
        cloth.change().threads(&ONE).refit(&[(0, &sheet(4.0))])?;
        cloth.add_instances(&[(&deep, Affine::IDENTITY)])
    });
    assert_eq!(failed, Err(Error::NestedTooDeep { instance: 0, most: 16 }));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        scene.change_placed(0, |cloth| -> lanecast::Result<()> {
            cloth.change().threads(&ONE).refit(&[(0, &sheet(4.0))])?;
            panic!("in a change")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(told(&scene), [7.0, 5.0, 7.0, 8.0]);
}

/// Whether the surface is closed, and whether all content has an inside.
#[test]
fn cached_facts_are_dropped_when_instances_come_and_go() {
    let ball = meshes::icosphere(1, 1.0);
    let sheet = Arc::new(Scene::from_triangles(&sheet(1.0), &SHEET).unwrap());
    let mut scene = Scene::from_triangles(&ball.vertices, &ball.triangles).unwrap();
    let is_inside = |scene: &Scene| scene.point([0.0; 3]).contains();
    assert_eq!(is_inside(&scene), Ok(true));
    scene.add_instances(&[(&sheet, Affine::IDENTITY)]).unwrap();
    assert!(scene.open_edge().is_some() && is_inside(&scene).is_err());
    scene.remove_instances(&[0]).unwrap();
    assert!(scene.open_edge().is_none() && is_inside(&scene) == Ok(true));
}

#[test]
fn faces_belong_to_the_primitives_that_they_were_given_with() {
    let near = sheet(1.0);
    let mut scene = Scene::from_triangles(&near, &SHEET).unwrap();
    assert_eq!(scene.face_ids(0), Ok(&[][..]));
    let wrong = Err(Error::ColumnLength { column: "face ids", found: 3, expected: 2 });
    assert_eq!(scene.set_face_ids(0, &[4, 4, 5]), wrong);
    scene.set_face_ids(0, &[4, 4]).unwrap();
    scene.set_name(0, "quad").unwrap();
    let copy = scene.deep_copy();
    scene
        .change()
        .threads(&ONE)
        .quality(QUALITY)
        .replace(&[(0, Geometry::triangle_mesh(&near, &SHEET))])
        .unwrap();
    assert_eq!((scene.face_ids(0), scene.name(0)), (Ok(&[][..]), Ok("quad")));
    assert_eq!((copy.face_ids(0), copy.name(0)), (Ok(&[4, 4][..]), Ok("quad")));
    scene.set_face_ids(0, &[1, 2]).unwrap();
    scene.set_face_ids(0, &[]).unwrap();
    assert_eq!(scene.face_ids(0), Ok(&[][..]));
}
