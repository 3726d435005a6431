use super::*;
use lanecast::answers::{AllHitsBatch, AnyHitBatch};
use lanecast_io::RayChunk;

#[test]
fn pieces_shrink_at_once_and_grow_slowly() {
    let mut pieces = Pieces::default();
    pieces.learn(0, 0);
    assert_eq!(pieces.rays, FIRST);
    pieces.learn(FIRST, 1000 * FIRST);
    assert_eq!(pieces.rays, HITS / 1000);
    pieces.learn(pieces.rays, 0);
    assert_eq!(pieces.rays, 2 * (HITS / 1000));
    pieces.learn(10, usize::MAX);
    assert_eq!(pieces.rays, FEWEST);
}

#[test]
fn a_piece_of_many_hits_is_a_part_of_the_chunk() {
    let (mut pieces, mut rest) = (Pieces::default(), 0..10_000);
    let all = Answer::<f32>::All { hits: AllHitsBatch::default(), points: None, limit: None };
    assert_eq!(pieces.next(&mut rest, &all), 0..FIRST);
    let any = Answer::<f32>::Any(AnyHitBatch::default());
    assert_eq!(pieces.next(&mut rest, &any), FIRST..10_000);
    assert!(rest.is_empty());
}

#[test]
fn rays_keep_their_ids_in_pieces() {
    let mut chunk = RayChunk::<f32> { first_row: 7, ..RayChunk::default() };
    assert_eq!(ids(&chunk, 2..3), RayIds::Rows(9));
    chunk.ray_id = Some(vec![5, 6, 8]);
    assert_eq!(ids(&chunk, 1..3), RayIds::Given(&[6, 8]));
}
