//! Pictures.

use crate::folder::Folder;
use lanecast_io::write_png;

#[test]
fn a_picture_reads_back() {
    let folder = Folder::new();
    let path = folder.path("picture.png");
    let rgb: Vec<u8> = (0..3 * 4 * 3).collect();
    write_png(&path, 4, 3, &rgb).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut read = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut read).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (4, 3, png::ColorType::Rgb));
    assert_eq!(read, rgb);

    let error = write_png(&folder.path("other.png"), 4, 4, &rgb).unwrap_err().to_string();
    assert!(error.ends_with("other.png: 36 bytes of colour for 4 × 4 pixels"), "{error}");
    assert!(write_png(&folder.path("other.png"), 0, 4, &[]).is_err());
    assert!(!folder.path("other.png").exists());
}

#[test]
fn a_picture_under_the_name_of_another_format_is_refused() {
    let folder = Folder::new();
    let refused = |name: &str| {
        let error = write_png(&folder.path(name), 1, 1, &[0; 3]).unwrap_err().to_string();
        assert_eq!(folder.names(), [""; 0], "{name}");
        error.rsplit_once('/').unwrap().1.to_owned()
    };
    assert_eq!(refused("p.jpg"), "p.jpg: unknown picture format \".jpg\"; known: png");
    assert_eq!(refused("p"), "p: no extension to tell the picture format by; known: png");
    write_png(&folder.path("p.PNG"), 1, 1, &[0; 3]).unwrap();
}
