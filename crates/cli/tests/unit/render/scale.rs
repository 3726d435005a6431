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
