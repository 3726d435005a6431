//! The name by which programs look for the shared library: each 0.x is another library.

fn main() {
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let version = |part| std::env::var(part).unwrap_or_default();
    let (major, minor) = (version("CARGO_PKG_VERSION_MAJOR"), version("CARGO_PKG_VERSION_MINOR"));
    match system.as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liblanecast.so.{major}.{minor}");
        }
        "macos" => {
            let name = format!("@rpath/liblanecast.{major}.{minor}.dylib");
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        _ => {}
    }
    println!("cargo::rerun-if-changed=build.rs");
}
