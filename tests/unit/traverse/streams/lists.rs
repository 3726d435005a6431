use super::*;
use crate::simd::{Backend, dispatch};

/// Whatever is written last, its lists can be read in multiples of `MAX_LANES`.
#[test]
fn every_list_is_readable_in_whole_hands() {
    for length in 1..=3 * MAX_LANES {
        for tight in [false, true] {
            let mut lists = Lists::default();
            if tight {
                lists.entries.reserve_exact(length + MAX_LANES);
            }
            let free = lists.begin(&vec![7; length]);
            assert_eq!(lists.list(0, length).len(), length.next_multiple_of(MAX_LANES));
            lists.eight_of_one(free).fill(9);
            for lane in 0..LANES {
                let list = lists.list(free + lane, 1);
                assert_eq!((list.len(), list[0]), (MAX_LANES, 9), "list {lane} behind {length}");
            }
            let stride = length.next_multiple_of(MAX_LANES);
            let (list, eight) = lists.list_and_eight((0, length), free, stride);
            assert_eq!((list.len(), eight.len()), (stride, LANES * stride));
            let last = free + (LANES - 1) * stride;
            assert_eq!(lists.list(last, stride).len(), stride);
            assert!(
                lists.entries.len() >= last + stride + MAX_LANES,
                "no `MAX_LANES` entries behind the last list"
            );
        }
    }
}

#[test]
fn sifting_drops_rays_beyond_their_limits() {
    let limits: Box<[f32; MAX_STREAM_RAYS]> =
        vec![1.0; MAX_STREAM_RAYS].try_into().expect("a limit each");
    for backend in Backend::available() {
        for length in 1..50 {
            let list: Vec<u32> =
                (0..length).map(|ray| ((ray % 3) as f32).to_bits() | ray as u32).collect();
            let mut lists = Lists::default();
            lists.begin(&list);
            let found = dispatch!(backend, lanes => lists.compact(lanes, 0, length, &limits));
            let expected = (0..length).filter(|ray| ray % 3 < 2).count();
            assert_eq!(found, expected, "{backend}, {length}");
        }
    }
}
