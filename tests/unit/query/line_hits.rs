use super::*;

#[test]
fn halves_are_within_the_interval_and_share_the_origin() {
    let ray =
        |t_min, t_max| Ray::new([1.0, 2.0, 3.0], [1.0, -2.0, 0.0]).with_interval(t_min, t_max);
    let intervals = |t_min, t_max| {
        [Half::Ahead, Half::Behind]
            .map(|half| half.ray(&ray(t_min, t_max)))
            .map(|ray| [ray.t_min, ray.t_max])
    };
    assert_eq!(intervals(-2.0, 3.0), [[0.0, 3.0], [0.0, 2.0]]);
    assert_eq!(intervals(f32::NEG_INFINITY, f32::INFINITY), [[0.0, f32::INFINITY]; 2]);
    assert_eq!(intervals(1.0, 3.0)[0], [1.0, 3.0]);
    assert_eq!(intervals(-3.0, -1.0)[1], [1.0, 3.0]);
    for (t_min, t_max, half) in [(1.0, 3.0, Half::Behind), (-3.0, -1.0, Half::Ahead)] {
        assert_eq!(half.ray(&ray(t_min, t_max)).find_defect(), Some(Status::EmptyInterval));
    }
    for (t_min, t_max) in [(f32::NAN, 1.0), (0.0, f32::NAN), (2.0, 1.0), (-1.0, -2.0), (1.0, -1.0)]
    {
        let defect = ray(t_min, t_max).find_defect();
        for half in [Half::Ahead, Half::Behind] {
            assert_eq!(
                half.ray(&ray(t_min, t_max)).find_defect(),
                defect,
                "{t_min} {t_max} {half:?}"
            );
        }
    }
    assert_eq!(Half::Behind.ray(&ray(0.0, 1.0)).direction, [-1.0, 2.0, 0.0]);
}
