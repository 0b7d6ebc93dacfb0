//! Compiles the library by c++ (or what CXX names, with CXXFLAGS), and packs it by ar (or AR). Each file begins with the
//! flags that it needs; those of x86-64's instruction sets are left out elsewhere. Or links the static library in the
//! folder that LANECULL_LIB_DIR names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::{env, fs};

fn named(variable: &str, otherwise: &str) -> OsString {
    println!("cargo:rerun-if-env-changed={}", variable);
    env::var_os(variable).unwrap_or_else(|| otherwise.into())
}

/// The lines of the file's first comment that are flags.
fn flags_of(source: &Path) -> Vec<String> {
    let text = fs::read_to_string(source).unwrap();
    let comment = text.lines().take_while(|line| !line.starts_with('#'));
    let flags = comment.filter_map(|line| line.strip_prefix("//     -"));
    flags.flat_map(|line| format!("-{}", line).split_whitespace().map(String::from).collect::<Vec<_>>()).collect()
}

fn finish(mut child: Child, what: &Path) {
    assert!(child.wait().unwrap().success(), "{} failed", what.display());
}

/// Compiles the files in cpp. Returns the folder of the library.
fn compile(target: &str) -> PathBuf {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let (compiler, archiver) = (named("CXX", "c++"), named("AR", "ar"));
    let wanted = named("CXXFLAGS", "").into_string().unwrap();
    let listed = fs::read_dir("cpp").unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<_> = listed.filter(|path| path.extension().map_or(false, |one| one == "cpp")).collect();
    sources.sort();
    sources.retain(|path| target.starts_with("x86_64") || path.ends_with("lanecull.cpp"));
    let (mut running, mut objects) = (Vec::new(), Vec::new());
    for source in &sources {
        let object = out.join(source.with_extension("o").file_name().unwrap());
        let mut command = Command::new(&compiler);
        command.args(["-std=c++20", "-O2", "-fPIC", "-c"]).args(wanted.split_whitespace()).args(flags_of(source));
        command.arg(source).arg("-o").arg(&object);
        running.push(command.spawn().expect("a C++ compiler is needed: CXX may name it"));
        objects.push(object);
    }
    for (child, source) in running.into_iter().zip(&sources) {
        finish(child, source);
    }
    let library = out.join("liblanecull.a");
    let packed = Command::new(archiver).arg("crs").arg(&library).args(&objects).spawn();
    finish(packed.expect("ar is needed: AR may name it"), &library);
    out
}

fn main() {
    let target = env::var("TARGET").unwrap();
    let built = named("LANECULL_LIB_DIR", "");
    let folder = if built.is_empty() { compile(&target) } else { PathBuf::from(built) };
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=lanecull");
    println!("cargo:rustc-link-lib={}", if target.contains("apple") { "c++" } else { "stdc++" });
    println!("cargo:native={}", env::current_dir().unwrap().join("src/lib.rs").display());
    println!("cargo:rerun-if-changed=cpp");
}
