use super::hilbert;

#[test]
fn pixels_that_follow_each_other_on_the_curve_are_neighbours() {
    let mut places: Vec<_> = (0..64).flat_map(|y| (0..64).map(move |x| [x, y])).collect();
    places.sort_by_key(|&place| hilbert(place));
    let steps = places
        .windows(2)
        .map(|pair| pair[0][0].abs_diff(pair[1][0]) + pair[0][1].abs_diff(pair[1][1]));
    assert!(steps.clone().all(|step| step == 1), "{:?}", steps.collect::<Vec<_>>());
}
