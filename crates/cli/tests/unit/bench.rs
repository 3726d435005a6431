use super::thread_counts;

#[test]
fn threads_go_from_one_to_all() {
    assert_eq!(thread_counts(1), [1]);
    assert_eq!(thread_counts(4), [1, 2, 3, 4]);
    assert_eq!(thread_counts(8), [1, 2, 3, 4, 8]);
    assert_eq!(thread_counts(24), [1, 2, 3, 4, 8, 16, 24]);
}
