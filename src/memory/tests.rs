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
        assert!(copy.iter().enumerate().all(|(index, value)| *value == [index as u32; 4]), "{length}");
    }
}
