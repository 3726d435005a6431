use super::first_vertices;

#[test]
fn vertices_beyond_32_bits_are_refused() {
    let most = u32::MAX as usize;
    assert_eq!(first_vertices([3, 0, most - 3].into_iter()), Some(vec![0, 3, 3]));
    assert_eq!(first_vertices([3, most - 2].into_iter()), None);
    assert_eq!(first_vertices([most + 1].into_iter()), None);
}
