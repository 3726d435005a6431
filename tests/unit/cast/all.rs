use super::*;

#[test]
fn the_first_few_are_kept_in_order_for_any_order_of_offers() {
    // One shape is entered and left at 2, as from afar.
    let hits = [
        (2.0, 7, 0.75),
        (1.0, 3, 0.0),
        (1.0, 2, 0.0),
        (3.0, 0, 0.0),
        (2.0, 7, 0.25),
        (0.5, 9, 0.0),
        (2.0, 1, 0.0),
    ]
    .map(|(t, primitive_id, u)| Hit::<f32> { t, primitive_id, geometry_id: 0, u, ..Hit::NONE });
    let mut sorted = hits;
    sorted.sort_by(Hit::order);
    for limit in 0..=hits.len() + 1 {
        for first in 0..hits.len() {
            let (mut status, limits) = ([Status::Miss; 2], [1, limit as u32]);
            let mut sink = NearestHits::new(&mut status, PerRow::Each(&limits));
            for offset in 0..hits.len() {
                let hit = &hits[(first + offset) % hits.len()];
                // Traversal offers what is within the interval that is left.
                if hit.t <= sink.end(1) {
                    sink.offer(1, hit, Side::Front, &|| [0.0; 3]);
                }
            }
            let expected: Vec<_> = sorted.iter().take(limit).map(|&hit| (1, hit)).collect();
            assert_eq!(
                sink.into_sorted(&Chunk::unwatched(0..2)),
                expected,
                "{limit} of them, from {first}"
            );
            assert_eq!(status, [Status::Miss, Status::Hit], "{limit} of them, from {first}");
        }
    }
}

/// More hits than limits, which are above those kept in order, so that the farther ones are dropped
/// many times; and whatever was offered before it was forgotten.
#[test]
fn keeps_the_first_of_many() {
    let mut random = crate::random::Random::new(3);
    let mut hit = |id| {
        let t = random.below(400) as f32;
        Hit::<f32> { t, primitive_id: id, geometry_id: 0, ..Hit::NONE }
    };
    let hits: Vec<_> = (0..2_000).map(&mut hit).collect();
    let mut sorted = hits.clone();
    sorted.sort_by(Hit::order);
    for limit in [64, 65, 66, 127, 128, 129, 400, 1_999, 2_000, 2_001, u32::MAX] {
        let mut status = [Status::Miss];
        let mut sink = NearestHits::new(&mut status, PerRow::Same(limit));
        for hit in &hits {
            sink.offer(0, &Hit { t: hit.t - 500.0, ..*hit }, Side::Front, &|| [0.0; 3]);
        }
        sink.forget(0);
        assert_eq!((sink.end(0), sink.rows.status[0]), (f32::INFINITY, Status::Miss), "{limit}");
        for hit in &hits {
            if hit.t <= sink.end(0) {
                sink.offer(0, hit, Side::Front, &|| [0.0; 3]);
            }
        }
        assert!(limit > 400 || sink.end(0) < 400.0, "{limit}: hits narrow the interval");
        let expected: Vec<_> = sorted.iter().take(limit as usize).map(|&hit| (0, hit)).collect();
        assert_eq!(sink.into_sorted(&Chunk::unwatched(0..1)), expected, "{limit}");
    }
}
