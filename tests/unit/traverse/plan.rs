use super::Pace;

#[test]
fn tries_that_do_not_pay_are_skipped_for_longer_each_time() {
    let mut pace = Pace::of_groups();
    for skipped in [0, 0, 1, 3, 7, 15, 31, 63, 63] {
        for _ in 0..skipped {
            assert!(!pace.tries());
        }
        assert!(pace.tries(), "after {skipped}");
        pace.record(false);
    }
    pace.record(true);
    assert!(pace.tries());
}
