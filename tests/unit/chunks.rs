use super::*;

/// The lengths of chunks of rays.
const LENGTHS: [usize; 2] = [512, 1 << 15];

/// However a batch is cut, its chunks follow each other and hold each row once: whole lines, and
/// the longest first.
#[test]
fn chunks_follow_each_other() {
    for rows in [0, 1, 7, 511, 512, 513, 4096, 100_003, 1 << 20] {
        for threads in [1, 2, 3, 64] {
            for line in [1, 8, 100, 5000] {
                for lengths in [LENGTHS, [7; 2], [usize::MAX; 2]] {
                    let (mut next, mut longest) = (0, usize::MAX);
                    let mut chunks = Chunks::shared(rows, lengths, threads).of_lines(line);
                    for chunk in chunks.by_ref() {
                        let case = format!(
                            "{chunk:?} of {rows} rows, {threads} threads, {line} a line, {lengths:?}"
                        );
                        assert!(chunk.start == next && !chunk.is_empty(), "{case}");
                        assert!(
                            chunk.end == rows || chunk.len() % line == 0 && chunk.len() <= longest,
                            "{case}"
                        );
                        assert!(chunk.len() <= lengths[1].max(line), "{case}");
                        (next, longest) = (chunk.end, chunk.len());
                    }
                    assert_eq!(next, rows, "{threads} threads, {line} a line, {lengths:?}");
                    assert_eq!(chunks.next(), None, "it goes on behind the end");
                }
            }
        }
    }
}

#[test]
fn one_thread_takes_the_longest_chunks() {
    let lengths = |chunks: Chunks| chunks.map(|chunk| chunk.len()).collect::<Vec<_>>();
    assert_eq!(lengths(Chunks::shared(100_000, LENGTHS, 1)), [32_768, 32_768, 32_768, 1_696]);
    // Eight lines or a multiple, and all that is left at the end.
    assert_eq!(
        lengths(Chunks::shared(100_000, LENGTHS, 1).of_lines(1000)),
        [32_000, 32_000, 32_000, 4_000]
    );
    assert_eq!(lengths(Chunks::shared(28_000, LENGTHS, 1).of_lines(4000)), [28_000]);
    // Fewer where eight are too long.
    assert_eq!(lengths(Chunks::shared(50_000, LENGTHS, 1).of_lines(5000)), [20_000, 30_000]);
    assert_eq!(lengths(Chunks::even(10, 4)), [4, 4, 2]);
}

/// Most of the time goes into a third of the lines of a picture, as where the rest is sky. Each
/// thread takes the next chunk when it is free, and all end at the same time within 5%.
#[test]
fn threads_end_together() {
    for (side, threads) in [(512, 16), (512, 64), (2048, 64)] {
        let rows = side * side;
        let time = |chunk: Range<usize>| -> usize {
            chunk.map(|row| if row * 3 / rows == 1 { 10 } else { 1 }).sum()
        };
        let mut free = vec![0; threads];
        for chunk in Chunks::shared(rows, LENGTHS, threads).of_lines(side) {
            *free.iter_mut().min().expect("a thread") += time(chunk);
        }
        let (last, fair) = (*free.iter().max().expect("a thread"), time(0..rows) / threads);
        assert!(
            100 * last <= 105 * fair,
            "{side} lines, {threads} threads: {last} instead of {fair}"
        );
    }
}

/// A byte for eight rows, and one for the last few.
#[test]
fn parts_hold_a_value_for_so_many_rows() {
    let mut bytes = [0; 13];
    let chunks = Chunks::shared(100, [32, 64], 2).of_lines(8);
    let (rows, parts): (Vec<_>, Vec<_>) = chunks
        .clone()
        .zip(chunks.parts_of(&mut bytes, 8))
        .map(|(rows, part)| (rows.len(), part.len()))
        .unzip();
    assert_eq!((rows, parts), (vec![32, 32, 32, 4], vec![4, 4, 4, 1]));
}

/// Values of several runs, whose number is no power of two, with many that are equal.
#[test]
fn runs_are_merged_in_order() {
    for count in [0, 1, RUN - 1, RUN, RUN + 1, 2 * RUN, 5 * RUN + 77] {
        let mut random = crate::random::Random::new(count as u64);
        let values: Vec<u32> = (0..count).map(|_| random.below(1 << 20) as u32).collect();
        let (mut found, mut expected) = (values.clone(), values);
        assert!(Chunk::unwatched(0..1).sort(&mut found, Ord::cmp).is_continue());
        expected.sort_unstable();
        assert!(found == expected, "{count}");
    }
}

/// Whatever the rows, a watcher is asked again and again while there is work, and its break ends
/// that.
#[test]
fn work_on_one_row_asks_the_watcher_by_time() {
    let asked = AtomicUsize::new(0);
    let watch = |progress: Progress| {
        assert_eq!(progress, Progress { done: 0, total: 1 });
        if asked.fetch_add(1, Ordering::Relaxed) < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let watched = Watched::new(1, Some(&watch));
    let (chunk, start) = (watched.chunk(0..1), Instant::now());
    while chunk.work(7).is_continue() {
        assert!(start.elapsed() < Duration::from_secs(10), "nobody asked");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 4);
    assert!(start.elapsed() >= 4 * TICK, "asked too often");
    assert!(chunk.work(0).is_break() && chunk.within(0..1).work(u32::MAX).is_break(), "it goes on");
    assert_eq!(watched.finish(), Err(Error::Stopped { done: 0, total: 1 }));
    let unwatched = Watched::new(1, None);
    let chunk = unwatched.chunk(0..1);
    assert!((0..10).all(|_| chunk.work(u32::MAX).is_continue()));
}

/// A stop between the parts of a chunk: the part that was given up must not count as answered.
#[test]
fn rows_of_a_stopped_call_are_not_done() {
    let stop = |_| ControlFlow::Break(());
    let watched = Watched::new(4, Some(&stop));
    let chunk = Chunk::new(0..4, Some(&watched));
    assert!(watched.report(0).is_break());
    assert!(chunk.advance(4).is_break());
    assert_eq!(watched.stopped(), Error::Stopped { done: 0, total: 4 });
}
