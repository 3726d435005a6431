//! Compressed files do not fill the memory.

use super::Compression;
use super::budget::most_of;
use crate::error::FileName;
use std::io::Write;

#[test]
fn data_beyond_the_size_limit_is_refused_and_not_unpacked() {
    let zeros = vec![0_u8; 1 << 20];
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&zeros).expect("written");
    let packed = encoder.finish().expect("finished");
    let file = FileName::named("bomb.obj.gz");
    let whole = Compression::Gzip.decompress(&file, &packed, 1 << 20).expect("as many as may be");
    assert!(whole == zeros);
    let error = Compression::Gzip
        .decompress(&file, &packed, (1 << 20) - 1)
        .expect_err("one too many")
        .to_string();
    let (from, most) = (packed.len(), (1 << 20) - 1);
    assert_eq!(
        error,
        format!(
            "bomb.obj.gz: the gzip file of {from} bytes grows to more than {most}; decompress it first"
        )
    );
    // Two members are one file.
    let two = [&packed[..], &packed[..]].concat();
    assert!(Compression::Gzip.decompress(&file, &two, 2 << 20).is_ok());
    assert!(Compression::Gzip.decompress(&file, &two, (2 << 20) - 1).is_err());
    #[cfg(feature = "zstd")]
    {
        let packed = zstd::stream::encode_all(&zeros[..], 19).expect("packed");
        assert!(
            Compression::Zstd.decompress(&file, &packed, 1 << 20).expect("as many as may be")
                == zeros
        );
        let error =
            Compression::Zstd.decompress(&file, &packed, 1000).expect_err("too many").to_string();
        assert!(
            error.contains("the zstd file of ") && error.contains("more than 1000; "),
            "{error}"
        );
    }
}

#[test]
fn the_most_is_64_megabytes_or_256_times_the_file() {
    let sizes = [0, 1 << 18, (1 << 18) + 1, 1 << 30, u64::MAX];
    assert_eq!(sizes.map(most_of), [64 << 20, 64 << 20, (64 << 20) + 256, 256 << 30, u64::MAX]);
}

/// A frame says how much of what was unpacked is to be kept: 128 MiB are granted, as `zstd --long`
/// asks for, and no more.
#[cfg(feature = "zstd")]
#[test]
fn a_zstd_frame_is_not_granted_any_window() {
    let frame = |exponent: u8| {
        // One block: a byte, four times.
        let block = (4_u32 << 3 | 1 << 1 | 1).to_le_bytes();
        [&[0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3], &block[..3], b"v"].concat()
    };
    let file = FileName::named("m.obj.zst");
    let read = |log: u8| Compression::Zstd.decompress(&file, &frame(log - 10), 1 << 20);
    assert_eq!(read(27).expect("a window of 128 MiB"), b"vvvv");
    for log in [28, 31, 40] {
        let error = read(log).expect_err("too large a window").to_string();
        assert!(error.starts_with("m.obj.zst: damaged zstd file: "), "{error}");
    }
}
