use super::*;

#[test]
fn pieces_shrink_at_once_and_grow_slowly() {
    let mut pieces = Pieces::new(Query::All);
    assert_eq!(pieces.rays, FIRST);
    pieces.learn(FIRST, Some(1000 * FIRST as u64));
    assert_eq!(pieces.rays, HITS / 1000);
    pieces.learn(pieces.rays, Some(0));
    assert_eq!(pieces.rays, 2 * (HITS / 1000));
    pieces.learn(10, Some(u64::MAX));
    assert_eq!(pieces.rays, FEWEST);
}

#[test]
fn a_piece_of_many_hits_is_a_part_of_the_chunk() {
    let mut rest = 0..10_000;
    assert_eq!(Pieces::new(Query::All).next(&mut rest), 0..FIRST);
    let mut pieces = Pieces::new(Query::Count);
    // Counts are one for each ray, however many they count.
    pieces.learn(FIRST, Some(1 << 40));
    assert_eq!(pieces.next(&mut rest), FIRST..10_000);
    assert!(rest.is_empty());
}
