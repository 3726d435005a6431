use super::Pace;

#[test]
fn tries_that_pay_are_counted_until_one_does_not() {
    let mut pace = Pace::GROUPS;
    for paid in 0..5 {
        assert!(pace.has_paid(paid) && !pace.has_paid(paid + 1), "after {paid}");
        pace.record(true);
    }
    pace.record(false);
    assert!(!pace.has_paid(1));
}

#[test]
fn tries_that_do_not_pay_are_skipped_for_longer_each_time() {
    let mut pace = Pace::GROUPS;
    for skipped in [0, 0, 1, 3, 7, 15, 31, 63, 127, 127] {
        for _ in 0..skipped {
            assert!(!pace.tries());
        }
        assert!(pace.tries(), "after {skipped}");
        pace.record(false);
    }
    pace.record(true);
    assert!(pace.tries());
}
