use super::*;

/// However steps lie in steps, and whatever they report, the whole reports its number.
#[test]
fn steps_report_their_share_and_no_more() {
    for [share, work, reported] in [
        [1000, 7, 7],
        [7, 1000, 1000],
        [10, 10, 3],
        [10, 10, 99],
        [10, 0, 0],
        [10, 0, 5],
        [0, 9, 9],
    ] {
        let done = AtomicUsize::new(0);
        let tell = |more: usize| {
            done.fetch_add(more, Ordering::Relaxed);
            false
        };
        step(Some(&tell), share, work, |stop| {
            for number in 0..reported {
                step(stop, 1, 3, |stop| (0..5).for_each(|_| assert!(!advanced(stop, 1))));
                let least = share * (number + 1).min(work) / work.max(1);
                assert_eq!(done.load(Ordering::Relaxed), least, "{share}, {work}, {number}");
            }
        });
        assert_eq!(done.into_inner(), share, "{share}, {work}, {reported}");
    }
}

#[test]
fn steps_pass_on_that_work_is_to_stop() {
    let asked = AtomicUsize::new(0);
    let tell = |_| asked.fetch_add(1, Ordering::Relaxed) > 0;
    step(Some(&tell), 1, 9, |stop| {
        assert!(!is_stopped(stop), "before it was");
        assert!(is_stopped(stop) && advanced(stop, 1), "after it was");
    });
    step(None, 1, 1, |stop| assert!(stop.is_none() && !advanced(stop, 1)));
}
