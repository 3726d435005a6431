use super::*;

#[test]
fn half_of_the_maps_mirror_and_all_keep_the_content_near() {
    let bounds = Aabb::<f32> { min: [-1.0; 3], max: [2.0; 3] };
    let nest = Nest::drawn(100, &bounds, 3);
    let maps = || nest.inner.iter().chain(&nest.outer);
    let mirrored = maps().filter(|map| map.is_mirrored()).count();
    assert!((70..130).contains(&mirrored), "{mirrored}");
    for map in maps() {
        let apart = minus(map.point(center(&bounds)), center(&bounds));
        assert!(apart.iter().all(|x| x.abs() <= 0.5 * diagonal(&bounds)), "{map:?}");
    }
}
