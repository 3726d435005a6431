use super::*;

/// However a chunk is cut, each of its rows is handed out once.
#[test]
fn every_row_comes_once() {
    for count in [0, 1, 63, 64, 65, 1000] {
        for width in
            [None, Some(8), Some(13), Some(100), Some(300), Some(400), Some(700), Some(5000)]
        {
            let mut rows = ChunkRows::new(count, width);
            let mut group = [0; GROUP];
            let mut seen = vec![0; count];
            // A few groups are put back, the others are cast as groups.
            for number in 0..5 {
                let taken = rows.next_group(&mut group);
                if number % 2 == 0 {
                    rows.put_back(&group[..taken]);
                } else {
                    group[..taken].iter().for_each(|&row| seen[row as usize] += 1);
                }
            }
            loop {
                let taken = rows.take(&mut group);
                if taken == 0 {
                    break;
                }
                group[..taken].iter().for_each(|&row| seen[row as usize] += 1);
            }
            assert!(seen.iter().all(|&times| times == 1), "{count} rays, {width:?} a line");
        }
    }
}

#[test]
fn tiles_are_square() {
    let mut group = [0; GROUP];
    assert_eq!(ChunkRows::new(1600, Some(100)).next_group(&mut group), GROUP);
    let expected: Vec<u32> =
        (0..8).flat_map(|line| (0..8).map(move |column| 100 * line + column)).collect();
    assert_eq!(group.to_vec(), expected);
}

/// Of four lines or fewer they are as much wider as they are lower.
#[test]
fn tiles_of_few_lines_are_wider() {
    for (lines, [high, wide]) in
        [(5, [5, 8]), (4, [4, 16]), (3, [3, 16]), (2, [2, 32]), (1, [1, 64])]
    {
        let mut group = [0; GROUP];
        let taken = ChunkRows::new(100 * lines, Some(100)).next_group(&mut group);
        let expected: Vec<u32> =
            (0..high).flat_map(|line| (0..wide).map(move |column| 100 * line + column)).collect();
        assert_eq!(group[..taken].to_vec(), expected, "{lines} lines");
    }
}
