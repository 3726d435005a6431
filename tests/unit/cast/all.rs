use super::*;

#[test]
fn keeps_the_first_few_in_order_whatever_the_order_of_the_offers() {
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
            assert_eq!(sink.into_sorted(), expected, "{limit} of them, from {first}");
            assert_eq!(status, [Status::Miss, Status::Hit], "{limit} of them, from {first}");
        }
    }
}
