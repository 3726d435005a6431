//! What is allocated is zero, aligned and its own.

use super::{HUGE_FROM, Memory};

#[test]
fn memory_is_zero_aligned_and_copied() {
    for length in [0, 1, 100, HUGE_FROM / 16 - 1, HUGE_FROM / 16, HUGE_FROM / 16 + 77] {
        let mut memory: Memory<[u32; 4]> = Memory::zeroed(length);
        assert_eq!((memory.len(), memory.as_ptr().align_offset(64)), (length, 0));
        assert!(memory.iter().all(|value| *value == [0; 4]), "{length}");
        for (index, value) in memory.iter_mut().enumerate() {
            *value = [index as u32; 4];
        }
        let copy = memory.clone();
        memory.fill([7; 4]);
        assert!(
            copy.iter().enumerate().all(|(index, value)| *value == [index as u32; 4]),
            "{length}"
        );
    }
}

#[test]
fn memory_grows_by_a_value_and_keeps_what_it_holds() {
    let mut memory: Memory<u64> = Memory::default();
    assert!(memory.is_empty());
    let mut held = Vec::new();
    for (length, value) in [(3, 7), (2, 8), (0, 9), (HUGE_FROM / 8, 1), (HUGE_FROM / 8 + 5, 2)] {
        memory.grow(length, value);
        held.resize(length.max(held.len()), value);
        assert_eq!((&*memory, memory.as_ptr().align_offset(64)), (&held[..], 0));
    }
}

#[cfg(feature = "scene-files")]
#[test]
fn a_file_is_memory_until_it_is_written_to() {
    use super::FileBytes;
    use std::io::Write;

    let mut file = tempfile::tempfile().expect("a file");
    let bytes: Vec<u8> = (0..200).collect();
    file.write_all(&bytes).expect("written");
    let map = FileBytes::map(&file, 200).expect("mapped");
    for file in [map, FileBytes::copied(&bytes)] {
        let mut memory: Memory<[u8; 4]> = Memory::of_file(&file, 64, 2).expect("within the file");
        let shared = memory.clone();
        assert_eq!(
            (&*memory, memory.as_ptr()),
            (&[[64, 65, 66, 67], [68, 69, 70, 71]][..], shared.as_ptr())
        );
        memory[1] = [0; 4];
        assert_eq!((memory[1], shared[1], file[68]), ([0; 4], [68, 69, 70, 71], 68));

        assert_eq!(Memory::<u32>::of_file(&file, 196, 1).map(|memory| memory.len()), Some(1));
        let beyond = [(197, 1), (196, 2), (2, 1), (usize::MAX, 1), (0, usize::MAX), (204, 0)];
        for (first, length) in beyond {
            assert!(Memory::<u32>::of_file(&file, first, length).is_none(), "{first}, {length}");
        }
    }
}
