//! `include/lanecast.h` is what cbindgen makes of the sources.

use std::path::Path;

/// Writes the header anew if `LANECAST_WRITE_HEADER` is set.
#[test]
fn the_header_is_that_of_the_sources() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config =
        cbindgen::Config::from_file(package.join("cbindgen.toml")).expect("a configuration");
    let bindings = cbindgen::generate_with_config(package, config).expect("bindings");
    let (mut made, path) = (Vec::new(), package.join("include/lanecast.h"));
    bindings.write(&mut made);
    if std::env::var_os("LANECAST_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header is written");
    }
    let made = String::from_utf8(made).expect("text");
    let kept = std::fs::read_to_string(&path).expect("a header");
    assert!(
        made == kept,
        "include/lanecast.h is not that of the sources; LANECAST_WRITE_HEADER=1 cargo test -p lanecast-c --test header makes it"
    );
}
