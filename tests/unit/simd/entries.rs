use bytemuck::Zeroable;

use crate::random::Random;
use crate::simd::entries::*;
use crate::simd::{
    Backend, BothPrecisions, LANES, Lanes, Mask, Real, Rearrange, Vectors, dispatch,
};

/// The entry of a ray at `t`.
fn entry(number: u16, t: f32) -> u32 {
    t.to_bits() & ENTRY_T | u32::from(number)
}

#[test]
fn an_entry_keeps_its_number_and_lies_not_beyond_its_t() {
    let least = f32::MIN_POSITIVE;
    let t = [0.0, -0.0, 1.0, 1.006, -1.006, least, -least, 1e-45, -1e-45, 3.3e38, -3.3e38];
    for t in t.into_iter().chain([f32::INFINITY, f32::NEG_INFINITY]) {
        for number in [0, 1, 0x7fff, 0xfffe] {
            let entry = entry(number, t);
            assert_eq!(number_of(entry), number);
            assert!(least_t(entry) <= t, "{t:e}: {:e}", least_t(entry));
            if t.abs() >= least && t.is_finite() {
                assert!(t - least_t(entry) <= t.abs() / 128.0, "{t:e}: {:e}", least_t(entry));
            }
            assert_ne!(entry, NO_ENTRY);
        }
    }
    assert_eq!(least_t(entry(3, f32::NEG_INFINITY)), f32::NEG_INFINITY);
    assert_eq!(least_t(entry(3, f32::INFINITY)), f32::INFINITY);
}

#[inline(always)]
fn entered<L: Lanes>(
    lanes: L,
    low: &[f32; LANES],
    high: &[f32; LANES],
    number: u16,
) -> [u32; LANES] {
    let mut into = [0; LANES];
    lanes.store_entries(lanes.load(low), lanes.load(high), number, &mut into);
    into
}

#[test]
fn lanes_enter_where_low_is_not_above_high() {
    let low = [1.0, 2.0, -3.5, f32::NAN, f32::NEG_INFINITY, 0.0, 7.0, 1.5];
    let high = [2.0, 1.0, -3.5, 1.0, 0.0, -0.0, f32::NAN, f32::INFINITY];
    let expected =
        std::array::from_fn(
            |lane| if low[lane] <= high[lane] { entry(77, low[lane]) } else { NO_ENTRY },
        );
    for backend in Backend::available() {
        let found = dispatch!(backend, lanes => entered(lanes, &low, &high, 77));
        assert_eq!(found, expected, "{backend}");
    }
}

#[inline(always)]
fn filed<V: Rearrange>(lanes: V, low: &[f32], high: &[f32], numbers: &[u32]) -> Vec<u32> {
    let mut list = Vec::new();
    for first in (0..low.len()).step_by(V::COUNT) {
        let (mut low_row, mut high_row) = (V::Row::zeroed(), V::Row::zeroed());
        low_row.as_mut().copy_from_slice(&low[first..first + V::COUNT]);
        high_row.as_mut().copy_from_slice(&high[first..first + V::COUNT]);
        let (low, high) = (lanes.load(&low_row), lanes.load(&high_row));
        let mut into = [5; MAX_LANES];
        let count = lanes.compress_hits(low, high, lanes.load_u32(&numbers[first..]), &mut into);
        list.extend_from_slice(&into[..count]);
    }
    list
}

#[test]
fn lanes_are_filed_where_low_is_not_above_high() {
    let mut random = Random::new(7);
    let hazards =
        [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.5, -2.25, 1e-45, f32::MAX];
    let mut pick = || hazards[random.below(hazards.len())];
    let low: Vec<f32> = (0..1600).map(|_| pick()).collect();
    let high: Vec<f32> = (0..1600).map(|_| pick()).collect();
    let numbers: Vec<u32> = (0..1600).map(|place| 40_000 + place).collect();
    let expected: Vec<u32> = (0..1600)
        .filter(|&place| low[place] <= high[place])
        .map(|place| entry(numbers[place] as u16, low[place]))
        .collect();
    assert!(expected.len() > 300, "too few lanes");
    for backend in Backend::available() {
        for found in dispatch!(backend, lanes => [
            filed(lanes, &low, &high, &numbers),
            filed(lanes.widest(), &low, &high, &numbers),
        ]) {
            assert_eq!(found, expected, "{backend}");
        }
    }
}

#[inline(always)]
fn unpacked<V: Rearrange>(lanes: V, entries: &[u32], count: usize) -> (Vec<u32>, Vec<f32>) {
    let (mut row_of_numbers, mut row_of_t) = ([7; MAX_LANES], V::Row::zeroed());
    let (numbers, t) = lanes.unpack(entries, count);
    lanes.store_u32(numbers, &mut row_of_numbers);
    lanes.store(t, &mut row_of_t);
    (row_of_numbers[..V::COUNT].to_vec(), row_of_t.as_ref().to_vec())
}

#[test]
fn entries_come_apart_into_numbers_and_where_they_lie() {
    let t = [0.0, -0.0, 1.5, -2.25, f32::INFINITY, f32::NEG_INFINITY, 1e-45, -1e-45, 3.3e38, -7.1];
    let entries: Vec<u32> = (0..MAX_LANES)
        .map(|place| entry(0xfff0 - 4001 * place as u16, t[place % t.len()]))
        .collect();
    for backend in Backend::available() {
        for count in 1..=40 {
            for (numbers, t) in dispatch!(backend, lanes => [
                unpacked(lanes, &entries, count),
                unpacked(lanes.widest(), &entries, count),
            ]) {
                for (place, (&number, &t)) in numbers.iter().zip(&t).enumerate() {
                    if place < count {
                        let expected =
                            (u32::from(number_of(entries[place])), least_t(entries[place]));
                        assert_eq!((number, t), expected, "{backend}, {count}, {place}");
                    } else {
                        assert!(t.is_nan(), "{backend}, {count}, {place}");
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn named<V: Rearrange>(lanes: V, bits: u32) -> u32 {
    // Both what a mask says and what it chooses.
    let named = lanes.mask_of_bits(bits);
    let chosen = lanes.splat(1.0).select(named, lanes.splat(-1.0));
    assert_eq!(lanes.splat(0.0).lt(chosen).bits(), named.bits());
    named.bits() | u32::MAX << V::COUNT
}

#[test]
fn lanes_are_named_by_bits() {
    let mut random = Random::new(17);
    for _ in 0..500 {
        let bits = random.bits() as u32;
        for backend in Backend::available() {
            let [eight, widest] =
                dispatch!(backend, lanes => [named(lanes, bits), named(lanes.widest(), bits)]);
            assert_eq!(eight, bits | u32::MAX << LANES, "{backend}");
            assert!(widest == eight || widest == bits | u32::MAX << MAX_LANES, "{backend}");
        }
    }
}

#[inline(always)]
fn listed<V: Rearrange>(lanes: V, bits: u32, numbers: &[u32], mark: u32) -> (usize, Vec<u32>) {
    let mut into = [0; MAX_LANES];
    let count = lanes.compress_indices(bits, numbers, mark, &mut into);
    (V::COUNT, into[..count].to_vec())
}

#[test]
fn lanes_named_by_bits_are_listed() {
    let mut random = Random::new(19);
    let numbers: Vec<u32> = (0..MAX_LANES as u32).map(|lane| 8 * (60_000 - lane)).collect();
    for _ in 0..500 {
        let (bits, mark) = (random.below(1 << MAX_LANES) as u32, random.below(8) as u32);
        for backend in Backend::available() {
            for (lanes, found) in dispatch!(backend, lanes => [
                listed(lanes, bits, &numbers, mark),
                listed(lanes.widest(), bits, &numbers, mark),
            ]) {
                let expected: Vec<u32> = (0..lanes)
                    .filter(|&lane| bits >> lane & 1 == 1)
                    .map(|lane| numbers[lane] | mark)
                    .collect();
                assert_eq!(found, expected, "{backend}, {bits:b}");
            }
        }
    }
}

#[inline(always)]
fn picked_by_bytes<V: Rearrange>(lanes: V, places: &[u32; MAX_LANES]) -> [Vec<f32>; 3] {
    let mut row = V::Row::zeroed();
    row.as_mut().copy_from_slice(&bytemuck::cast_slice(places)[..V::COUNT]);
    let mut picked = [const { Vec::new() }; 3];
    for (picked, places) in picked.iter_mut().zip(lanes.bytes(lanes.load(&row))) {
        lanes.store(lanes.pick(&[2.5, -3.0, 7.0, 11.0], places), &mut row);
        picked.extend_from_slice(row.as_ref());
    }
    picked
}

/// By the lowest two bits of each of three bytes, whatever the others hold.
#[test]
fn numbers_are_picked_by_bytes() {
    let mut random = Random::new(29);
    for _ in 0..100 {
        let places: [u32; MAX_LANES] = std::array::from_fn(|_| random.below(0x3f80_0000) as u32);
        for backend in Backend::available() {
            for picked in dispatch!(backend, lanes => [
                picked_by_bytes(lanes, &places),
                picked_by_bytes(lanes.widest(), &places),
            ]) {
                for (byte, picked) in picked.iter().enumerate() {
                    for (lane, &picked) in picked.iter().enumerate() {
                        let place = places[lane] >> (8 * byte) & 3;
                        assert_eq!(picked, [2.5, -3.0, 7.0, 11.0][place as usize], "{backend}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_lies_beyond_its_limit_is_sifted_out() {
    let mut random = Random::new(11);
    let limits: Vec<f32> = (0..MAX_STREAM_RAYS)
        .map(|_| match random.below(8) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            _ => random.below(2000) as f32 / 100.0 - 10.0,
        })
        .collect();
    let limits: &[f32; MAX_STREAM_RAYS] = limits.as_slice().try_into().expect("as many");
    for count in (0..50_usize).chain([1000]) {
        let entries: Vec<u32> = (0..count.next_multiple_of(MAX_LANES))
            .map(|_| entry(random.below(0xffff) as u16, random.below(2000) as f32 / 100.0 - 10.0))
            .collect();
        let expected: Vec<u32> = entries[..count]
            .iter()
            .copied()
            .filter(|&entry| least_t(entry) <= limits[usize::from(number_of(entry))])
            .collect();
        for backend in Backend::available() {
            let mut kept = entries.clone();
            let left = dispatch!(backend, lanes => lanes.compact(&mut kept, count, limits));
            kept.truncate(left);
            assert_eq!(kept, expected, "{backend}, {count}");
        }
    }
}

#[inline(always)]
fn picked_in_order<L: Lanes>(lanes: L, order: u32, columns: [[u32; LANES]; 3]) -> [Vec<u32>; 3] {
    let columns = columns.map(|column| lanes.load_u32(&column));
    let mut into = [[0; LANES]; 3];
    let [first, second, third] = &mut into;
    let count = lanes.compress_columns_in_order(order, columns, [first, second, third]) as usize;
    into.map(|column| column[..count].to_vec())
}

#[test]
fn lanes_are_picked_in_order_where_the_first_column_is_not_zero() {
    let order = [3, 0, 6, 1, 7, 4, 2, 5];
    let packed = order.iter().rev().fold(0, |packed, &lane| packed << 3 | lane as u32);
    for mask in 0..=u8::MAX {
        let first =
            std::array::from_fn(
                |lane| if mask >> lane & 1 == 1 { u32::MAX - lane as u32 } else { 0 },
            );
        let columns = [first, [10, 11, 12, 13, 14, 15, 16, 17], [20, 21, 22, 23, 24, 25, 26, 27]];
        let expected = columns.map(|column| {
            order
                .iter()
                .filter(|&&lane| first[lane] != 0)
                .map(|&lane| column[lane])
                .collect::<Vec<_>>()
        });
        for backend in Backend::available() {
            let found = dispatch!(backend, lanes => picked_in_order(lanes, packed, columns));
            assert_eq!(found, expected, "{backend}, {mask:08b}");
        }
    }
}

#[inline(always)]
fn turned<V: Rearrange>(
    lanes: V,
    table: &[[[f32; 4]; 3]],
    rows: &[u32; MAX_LANES],
    place: usize,
) -> Vec<[f32; 4]> {
    let mut loaded = vec![[0.0; 4]; V::COUNT];
    let row = |lane: usize| &table[rows[lane] as usize];
    for (column, numbers) in lanes.gather_transposed(row, place).into_iter().enumerate() {
        let mut row = V::Row::zeroed();
        lanes.store(numbers, &mut row);
        for (lane, &number) in row.as_ref().iter().enumerate() {
            loaded[lane][column] = number;
        }
    }
    loaded
}

#[test]
fn quarters_of_rows_become_columns() {
    let table: Vec<[[f32; 4]; 3]> = (0..50)
        .map(|row| {
            [0, 1, 2]
                .map(|place| [0, 1, 2, 3].map(|column| (100 * row + 10 * place + column) as f32))
        })
        .collect();
    let mut random = Random::new(13);
    for place in 0..3 {
        let rows: [u32; MAX_LANES] = std::array::from_fn(|_| random.below(50) as u32);
        let expected = rows.map(|row| table[row as usize][place]);
        for backend in Backend::available() {
            for found in dispatch!(backend, lanes => [
                turned(lanes, &table, &rows, place),
                turned(lanes.widest(), &table, &rows, place),
            ]) {
                assert_eq!(found, expected[..found.len()], "{backend}");
            }
        }
    }
}

#[inline(always)]
fn interleaved<V: Rearrange>(lanes: V) -> (usize, Vec<[[f32; 4]; 3]>) {
    let column = |column: usize| {
        let mut row = V::Row::zeroed();
        for (lane, value) in row.as_mut().iter_mut().enumerate() {
            *value = (100 * column + lane) as f32;
        }
        lanes.load(&row)
    };
    let mut into = vec![[[-1.0; 4]; 3]; V::COUNT + 1];
    lanes.store_transposed([column(0), column(1), column(2), column(3)], 1, &mut into);
    (V::COUNT, into)
}

#[test]
fn columns_become_quarters_of_rows() {
    for backend in Backend::available() {
        let (count, rows) = dispatch!(backend, lanes => interleaved(lanes.widest()));
        for (lane, row) in rows.iter().enumerate() {
            let written = [0, 100, 200, 300].map(|column| (column + lane) as f32);
            let expected = if lane < count { written } else { [-1.0; 4] };
            assert_eq!(row, &[[-1.0; 4], expected, [-1.0; 4]], "{backend}, row {lane}");
        }
    }
}

/// Loaded and stored.
#[inline(always)]
fn turned_wide<V: BothPrecisions>(lanes: V) -> [Vec<[f64; 7]>; 2] {
    let count = <V as Vectors<f64>>::COUNT;
    let rows: Vec<[f64; 7]> = (0..count + 1)
        .map(|lane| std::array::from_fn(|place| (10 * lane + place) as f64))
        .collect();
    let mut into = vec![[-1.0; 7]; count + 1];
    lanes.store_transposed_wide(lanes.load_transposed_wide(&rows, 2), 1, &mut into);
    let mut loaded = vec![[-1.0; 7]; count + 1];
    for (place, column) in lanes.load_transposed_wide(&rows, 2).into_iter().enumerate() {
        let mut row = <V as Vectors<f64>>::Row::zeroed();
        Vectors::<f64>::store(lanes, column, &mut row);
        for (lane, &number) in row.as_ref().iter().enumerate() {
            loaded[lane][place + 1] = number;
        }
    }
    [loaded, into]
}

#[test]
fn rows_of_f64_become_columns_and_columns_rows() {
    for backend in Backend::available() {
        let [loaded, stored] = dispatch!(backend, lanes => turned_wide(lanes.widest()));
        let count = loaded.len() - 1;
        for (lane, row) in loaded.iter().enumerate() {
            let [a, b, c, d] = [2, 3, 4, 5].map(|place| (10 * lane + place) as f64);
            let expected = if lane < count { [-1.0, a, b, c, d, -1.0, -1.0] } else { [-1.0; 7] };
            assert_eq!(row, &expected, "{backend}, row {lane}");
        }
        assert_eq!(stored, loaded, "{backend}");
    }
}
