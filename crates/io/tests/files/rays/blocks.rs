//! CSV is read in blocks of lines on many threads, and as if it were read record by record.

use super::*;
use lanecast::Threads;

/// More than a block has.
const ROWS: usize = 10_000;

/// A file whose row `i` begins at x = i, and what its reader says of it.
struct Text {
    text: String,
    end_of_line: &'static str,
}

impl Text {
    fn new(end_of_line: &'static str) -> Self {
        let mut file = Self { text: String::new(), end_of_line };
        file.put("ray_id,ox,oy,oz,dx,dy,dz");
        file
    }

    fn put(&mut self, line: &str) {
        self.text += line;
        self.text += self.end_of_line;
    }

    /// The rows, read by so many threads in chunks of so many rows.
    fn read(&self, threads: &Threads, chunk_rows: usize) -> lanecast_io::Result<Vec<(i64, f32)>> {
        let text = std::io::Cursor::new(self.text.clone());
        let mut reader = RayReader::<f32>::from_reader("rays", text)?.threads(threads);
        let (mut chunk, mut rows) = (RayChunk::default(), Vec::new());
        while reader.next_chunk(chunk_rows, &mut chunk)? {
            assert_eq!(chunk.first_row, rows.len() as u64);
            let ids = chunk.ray_id.iter().flatten().copied();
            rows.extend(ids.zip(chunk.rays.iter().map(|ray| ray.origin[0])));
            assert!(rows.len() % chunk_rows == 0 || rows.len() == ROWS, "chunks are full");
        }
        Ok(rows)
    }

    /// What every number of threads and every cut says alike.
    fn read_alike(&self) -> Result<Vec<(i64, f32)>, String> {
        let read = |threads: &Threads, rows| self.read(threads, rows).map_err(|e| e.to_string());
        let expected = read(&Threads::ONE, 100);
        for threads in [Threads::ONE, Threads::exactly(3).unwrap()] {
            for rows in [4096, 9_999, 100_000] {
                assert!(read(&threads, rows) == expected, "{rows} rows, {threads:?}");
            }
        }
        expected
    }
}

/// Writes a row in its own way, if it is to be written in one.
type Way = fn(usize) -> Option<String>;

fn text(end_of_line: &'static str, way: Way) -> Text {
    let mut file = Text::new(end_of_line);
    for row in 0..ROWS {
        let plain = || format!("{row},{row},0,0,0,0,1");
        file.put(&way(row).unwrap_or_else(plain).replace('\n', end_of_line));
    }
    file
}

#[test]
fn every_row_is_there_in_its_place() {
    let ways: [Way; 7] = [
        |_| None,
        // Blocks end before they have all their lines.
        |row| (row % 2 == 0).then(|| format!("{row},{row},0,0,0,0,{:>300}", 1)),
        |row| (row % 7 == 3).then(|| format!("\n{row} ,\t{row},0,0,0, 0 ,1")),
        // From the first quote on it is read record by record.
        |row| (row == 6000).then(|| format!("\"{row}\",{row},0,0,0,0,1")),
        |row| (row == 4095).then(|| format!("{row},\"{row}\n\",0,0,0,0,1")),
        |row| (row == 8190).then(|| format!("{row},{row},0,0,0,0,1\r")),
        |row| (row == 8190).then(|| format!("\r\r{row},{row},0,0,0,0,1")),
    ];
    let expected: Vec<_> = (0..ROWS).map(|row| (row as i64, row as f32)).collect();
    for (number, way) in ways.into_iter().enumerate() {
        for end_of_line in ["\n", "\r\n", "\r"] {
            let mut file = text(end_of_line, way);
            assert!(file.read_alike().as_ref() == Ok(&expected), "way {number}, {end_of_line:?}");
            // The last line needs no end.
            file.text.truncate(file.text.len() - end_of_line.len());
            assert!(file.read_alike().as_ref() == Ok(&expected), "way {number}, {end_of_line:?}");
        }
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    // Lines count from 1, and the first is the header; a blank one counts too.
    let ways: [(Way, &str); 5] = [
        (
            |row| (row % 4096 == 4095).then(|| format!("{row},7,0,0,0,0,1\n\u{feff}1,7,0,0,0,0,1")),
            "rays: line 4098: column \"ray_id\": \"\\u{feff}1\" is not a whole number of 64 bits with a sign",
        ),
        (
            |row| (row == 7000).then(|| format!("{row},x7,0,0,0,0,1")),
            "rays: line 7002: column \"ox\": \"x7\" is not a number",
        ),
        (
            |row| (row == 7000).then(|| format!("\n\n{row},7,0,0,0,1")),
            "rays: line 7004: 6 fields, but the header has 7",
        ),
        (
            |row| (row % 5000 == 10).then(|| format!("\n{row}.5,7,0,0,0,0,1")),
            "rays: line 13: column \"ray_id\": \"10.5\" is not a whole number of 64 bits with a sign",
        ),
        (
            |row| (row == 9000).then(|| format!("\"{row},7,0,0,0,0,1")),
            "rays: line 9002: a quote is not closed",
        ),
    ];
    for (way, expected) in ways {
        for end_of_line in ["\n", "\r\n", "\r"] {
            assert_eq!(text(end_of_line, way).read_alike(), Err(expected.to_owned()));
        }
    }
}
