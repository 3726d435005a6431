//! Every format holds the same answers, the same bytes come however the answers are cut into
//! chunks.

use super::*;

#[test]
fn the_answers_are_of_every_sort() {
    let Batch::Closest(hits) = Batch::of(HitKind::CLOSEST, 0..100) else { unreachable!() };
    assert!(Status::ALL.iter().all(|status| hits.status().contains(status)));
    let in_instances = |wanted: bool| {
        let is_in = |row| hits.hit(row).map(|hit| hit.instance_id != INVALID_ID);
        (0..100).filter(|&row| is_in(row) == Some(wanted)).count()
    };
    assert!(in_instances(true) > 0 && in_instances(false) > 0);
    let Batch::All(all) = Batch::of(HitKind::ALL, 0..100) else { unreachable!() };
    assert!((0..100).any(|ray| all.of_ray(ray).len() > 1));
    let Batch::Line(lines) = Batch::of(HitKind::Line, 0..100) else { unreachable!() };
    assert!(lines.behind().status().contains(&Status::Hit));
}

#[test]
fn every_format_holds_every_kind_of_answer() {
    let folder = Folder::new();
    for kind in KINDS {
        for name in NAMES {
            // One row alone, where a miss has one, and what fills no piece of thirty.
            let one = if matches!(kind, HitKind::All { .. }) { 100 } else { 1 };
            for (rays, named) in [(one, false), (100, false), (100, true)] {
                let path = folder.path(name);
                write(&path, kind, rays, 30, named);
                let expected = expected(kind, rays, named, name == "hits.npz");
                assert_eq!(read_back(&path), expected, "{kind:?} {name} of {rays} rays");
            }
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_chunks() {
    let folder = Folder::new();
    for kind in KINDS {
        for name in NAMES {
            let path = folder.path(name);
            let whole = write(&path, kind, 100, 1000, true);
            for chunk in [1, 7, 100] {
                assert_eq!(
                    write(&path, kind, 100, chunk, true),
                    whole,
                    "{kind:?} {name} by {chunk}"
                );
            }
        }
    }
    // Beyond one record batch.
    let (stack, rays) = (stack(1000), [down(0.25, 1.0); 150]);
    let all = |rows: Range<usize>| Batch::All(stack.cast(&rays[rows]).all().unwrap());
    for name in NAMES {
        let path = folder.path(name);
        let whole = write_all(&path, HitKind::ALL, 150, 150, true, &all);
        assert_eq!(write_all(&path, HitKind::ALL, 150, 41, true, &all), whole, "{name}");
        assert_eq!(read_back(&path)["ray_id"].len(), 150_000);
    }
}

#[test]
fn a_file_of_more_than_a_row_group_holds_all_rows() {
    let (folder, rows) = (Folder::new(), (1 << 20) + 5);
    let (scene, rays) = (stack(1), [down(0.25, 1.0), down(9.0, 1.0)]);
    let any = |rows: Range<usize>| {
        let rays: Vec<_> = rows.map(|row| rays[row % 3 % 2]).collect();
        Batch::Any(scene.cast(&rays).any().unwrap())
    };
    for name in ["hits.npz", "hits.parquet"] {
        let path = folder.path(name);
        write_all(&path, HitKind::Any, rows, 300_000, false, &any);
        let found = read_back(&path);
        assert!(found["ray_id"].iter().enumerate().all(|(row, id)| *id == row.to_string()));
        let hit = |row: usize| (row % 3 != 1).to_string();
        assert!(found["hit"].len() == rows && (0..rows).all(|row| found["hit"][row] == hit(row)));
    }
}

#[test]
fn another_number_of_rows_than_expected_is_refused() {
    let folder = Folder::new();
    let path = folder.path("hits.npz");
    let mut writer = HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap();
    writer = writer.expect_rows(9).unwrap();
    writer.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..8).answers()).unwrap();
    let error = writer.finish().unwrap_err().to_string();
    assert!(error.ends_with("hits.npz: 8 rows were written of 9"), "{error}");
    assert_eq!(folder.names(), [""; 0]);
    let mut writer = HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap();
    writer.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..8).answers()).unwrap();
    let error = writer.expect_rows(16).unwrap_err().to_string();
    assert!(error.ends_with("hits.npz: their number comes after the first rows"), "{error}");
    // A number beyond what files hold is not believed.
    let writer = HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap();
    let mut writer = writer.expect_rows(u64::MAX).unwrap();
    writer.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..8).answers()).unwrap();
    writer.finish().unwrap();
    assert_eq!(read_back(&path)["hit"].len(), 8);
}

#[test]
fn a_file_of_no_rows_has_its_columns() {
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let header = b"ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,nx,ny,nz\n";
    assert_eq!(
        write(&path, HitKind::Closest { points: false, normals: true }, 0, 1, false),
        header
    );
    let path = folder.path("hits.npz");
    write(&path, HitKind::Count, 0, 1, false);
    assert_eq!(read_back(&path).keys().collect::<Vec<_>>(), ["count", "ray_id", "status"]);
    for name in &NAMES[2..] {
        write(&folder.path(name), HitKind::ALL, 0, 1, false);
        assert!(read_back(&folder.path(name)).is_empty());
    }
}

#[test]
fn a_miss_in_a_csv_is_inf_and_minus_one() {
    let folder = Folder::new();
    let (scene, rays) = (stack(1), [down(9.0, 1.0), down(0.25, 0.1), down(0.25, 1e-30)]);
    let closest = |rows: Range<usize>| Batch::Closest(scene.cast(&rays[rows]).closest().unwrap());
    let text = write_all(&folder.path("hits.csv"), HitKind::CLOSEST, 3, 9, false, &closest);
    let expected = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v\n\
                    0,miss,inf,-1,-1,-1,0.0,0.0\n\
                    1,hit,0.1,0,0,-1,0.25,0.5\n\
                    2,hit,1e-30,0,0,-1,0.25,0.5\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn files_have_a_column_of_instances_that_batches_lack() {
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let hits = stack(1).cast(&[down(0.25, 1.0); 2]).closest().unwrap();
    assert_eq!((hits.len(), hits.instance_id()), (2, &[][..]));
    let mut writer = HitWriter::<f32>::create(&path, None, HitKind::CLOSEST).unwrap();
    writer.write(RayIds::Rows(0), &hits).unwrap();
    writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let ids: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth(5).unwrap()).collect();
    assert_eq!(ids, ["-1", "-1"]);
}
