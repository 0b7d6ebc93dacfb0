//! Where the declarations of the C interface are: in lanecull-sys, whose types get methods here.

fn main() {
    println!("cargo:rustc-env=LANECULL_NATIVE={}", std::env::var("DEP_LANECULL_NATIVE").unwrap());
}
