//! Raises the stack size: deep Python recursion needs more than the linker's default
//! megabyte. Rebuilds when a Python file changes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The macro that compiles these files does not tell cargo about them.
    println!("cargo::rerun-if-changed=src/python/lib");
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=16777216");
}
