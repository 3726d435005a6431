use super::Range;

#[test]
fn costs_of_no_rays_have_a_scale() {
    let range = Range::of_costs(&[], &[]);
    assert_eq!((range.from, range.to), (0.0, 1.0));
}

#[test]
fn one_ray_in_200_may_cost_more_than_the_scale_has() {
    let nodes: Vec<u32> = (1..=200).collect();
    assert_eq!(Range::of_costs(&nodes, &[0; 200]).to, 199.0);
}

#[test]
fn marks_are_round_numbers_at_their_places() {
    let marks = |from, to| Range::of_values([from, to].into_iter()).ticks();
    let texts = |from, to| marks(from, to).1.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    assert_eq!(texts(0.0, 6.0), ["0", "1", "2", "3", "4", "5", "6"]);
    assert_eq!(texts(92.3, 152.6), ["100", "120", "140"]);
    assert_eq!(texts(-0.1, 0.2), ["−0.10", "−0.05", "0.00", "0.05", "0.10", "0.15", "0.20"]);
    assert_eq!(texts(3.0, 3.0), ["3"]);
    // What is large or small is written in powers of ten.
    assert_eq!(marks(0.0, 3e7).0, 7);
    assert_eq!(texts(0.0, 3e7), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
    assert_eq!(marks(-2e-5, 0.0).0, -5);
    for (from, to) in [
        (0.0, 1.0),
        (1e-38, 3e38),
        (-3e38, 3e38),
        (1e-44, 3e-44),
        (5.0, 5.000_001),
        (1e6, 1_000_003.0),
    ] {
        let (_, marks) = marks(from, to);
        assert!((1..=7).contains(&marks.len()), "{from} {to} {marks:?}");
        assert!(marks.iter().all(|(place, _)| (0.0..=1.0).contains(place)));
    }
    let (_, marks) = marks(0.0, 4.0);
    assert_eq!(marks[1].0, 0.25, "{marks:?}");
}

#[test]
fn values_that_are_not_finite_have_no_part_in_the_scale() {
    let range = Range::of_values([f32::NAN, 2.0, f32::INFINITY, -1.0].into_iter());
    assert_eq!((range.from, range.to), (-1.0, 2.0));
    assert_eq!(Range::of_values([f32::NAN].into_iter()).ticks(), (0, vec![(0.0, "0".to_owned())]));
}
