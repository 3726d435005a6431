//! A file appears only when it is whole, and pipes and links stay what they are.

use super::*;

#[test]
fn a_run_that_fails_leaves_no_file_and_spoils_none() {
    let folder = Folder::new();
    for name in NAMES {
        let path = folder.path(name);
        let mut writer = HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap();
        writer.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..9).answers()).unwrap();
        assert!(!path.exists());
        drop(writer);
        assert_eq!(folder.names(), [""; 0]);

        std::fs::write(&path, "what was there").unwrap();
        drop(HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "what was there");
        write(&path, HitKind::Any, 10, 3, false);
        assert_eq!(folder.names(), [name]);
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_output_is_an_ordinary_file_also_behind_a_link() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let (target, link) = (folder.path("target"), folder.path("hits.csv"));
    std::fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    write(&link, HitKind::Any, 1, 1, false);
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "ray_id,status,hit\n0,miss,false\n");
    // Whatever a plain new file gets.
    let plain = folder.path("plain");
    std::fs::write(&plain, "").unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&plain));
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_a_protected_one_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let protect = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    let mode = || path.metadata().unwrap().permissions().mode() & 0o777;
    std::fs::write(&path, "old").unwrap();
    for kept in [0o600, 0o660, 0o755] {
        protect(kept);
        write(&path, HitKind::Any, 1, 1, false);
        assert_eq!(mode(), kept);
    }
    std::fs::write(&path, "old").unwrap();
    protect(0o444);
    // The system lets root write to it.
    if std::fs::File::options().write(true).open(&path).is_err() {
        let error = HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap_err();
        assert_eq!(error.system().unwrap().kind(), std::io::ErrorKind::PermissionDenied);
    } else {
        drop(HitWriter::<f32>::create(&path, None, HitKind::Any).unwrap());
    }
    assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode()), ("old", 0o444));
}

// A pipe under a name stands for every device: the test must not get at a real one, which a
// mistake could replace by a file.
#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::fd::AsRawFd;
    let folder = Folder::new();
    for (name, format) in NAMES.into_iter().zip(FORMATS) {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let device = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let mut hits =
            HitWriter::<f32>::create(Path::new(&device), Some(format), HitKind::Any).unwrap();
        hits.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..100).answers()).unwrap();
        hits.finish().unwrap();
        drop(writer);
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, write(&folder.path(name), HitKind::Any, 100, 100, false), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_is_told_apart_in_every_format() {
    use std::os::fd::AsRawFd;
    let answers = stack(1).cast(&vec![down(0.25, 1.0); 100_000]).any().unwrap();
    for format in FORMATS {
        let (reader, writer) = std::io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let mut hits =
            HitWriter::<f32>::create(Path::new(&path), Some(format), HitKind::Any).unwrap();
        drop(reader);
        let error = match hits.write(RayIds::Rows(0), &answers) {
            Err(error) => error,
            Ok(()) => hits.finish().unwrap_err(),
        };
        assert!(error.is_broken_pipe(), "{format:?}: {error}");
    }
}

#[test]
fn what_cannot_be_written_says_why() {
    let folder = Folder::new();
    let create = |path: &Path| {
        HitWriter::<f32>::create(path, None, HitKind::CLOSEST).unwrap_err().to_string()
    };
    assert_eq!(
        create(Path::new("hits.txt")),
        "hits.txt: unknown hit format \".txt\"; known: npz, csv, parquet, arrow, feather, ipc, arrows, ply, pcd, xyz, asc, las, laz"
    );
    let nowhere = create(Path::new("nowhere/hits.csv"));
    assert_eq!(nowhere, "nowhere/hits.csv: the folder \"nowhere\" does not exist");
    let file = folder.path("file");
    std::fs::write(&file, "").unwrap();
    let below = create(&file.join("hits.csv"));
    assert!(below.contains("/file/hits.csv: ") && !below.contains(".part"), "{below}");
    let directory = folder.path("folder.csv");
    std::fs::create_dir(&directory).unwrap();
    assert!(create(&directory).ends_with("is a directory"));

    let path = folder.path("hits.csv");
    let mut writer = HitWriter::<f32>::create(&path, None, HitKind::CLOSEST).unwrap();
    let mut write = |ids: RayIds, answers: Answers| {
        writer.write(ids, answers).unwrap_err().to_string().split_once(": ").unwrap().1.to_owned()
    };
    assert_eq!(
        write(RayIds::Rows(0), Answers::Any(&AnyHitBatch::default())),
        "a file of closest hits cannot take any hits"
    );
    let Batch::Closest(hits) = Batch::of(HitKind::CLOSEST, 0..5) else { unreachable!() };
    assert_eq!(
        write(RayIds::Given(&[1, 2]), Answers::Closest(&hits)),
        "column \"ray_id\" holds 2 values for 5 rays"
    );
    let mut writer =
        HitWriter::<f32>::create(&path, None, HitKind::Closest { points: false, normals: true })
            .unwrap();
    let error = writer.write(RayIds::Rows(0), &hits).unwrap_err().to_string();
    assert!(error.ends_with("column \"normal\" holds 0 values for 5 rays"), "{error}");
}
