use crate::{HitKind, HitWriter, RayReader};
use std::path::Path;

#[test]
fn tables_without_their_feature_are_refused() {
    for start in [&b"PAR1...."[..], b"ARROW1..", b"\xff\xff\xff\xff...."] {
        let error = RayReader::<f32>::from_reader("pipe", start).expect_err("a table");
        assert_eq!(
            error.to_string(),
            "pipe: Parquet and Arrow IPC need the feature `tables` of lanecast-io"
        );
    }
    let path =
        std::env::temp_dir().join(format!("lanecast-no-table-{}.parquet", std::process::id()));
    let error = HitWriter::<f32>::create(&path, None, HitKind::Any).expect_err("a table");
    assert!(error.to_string().ends_with("need the feature `tables` of lanecast-io"), "{error}");
    assert!(!path.exists());
    let error = HitWriter::<f32>::create(Path::new("hits.docx"), None, HitKind::Any)
        .expect_err("no format");
    assert!(error.to_string().contains("; known: npz, csv, ply, pcd, xyz, asc"), "{error}");
}
