//! Raises the stack size: deep Python recursion needs more than the linker's default
//! megabyte.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=16777216");
}
