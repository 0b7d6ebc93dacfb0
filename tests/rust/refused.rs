//! What a compiler refuses of tools/rust: each function alone, --cfg its name, which begins with the error's number.
//! Without any this compiles.

#[allow(unused_imports)]
use lanecull::*;

fn main() {}

/// A batch outlives its arrays.
#[cfg(e0597_arrays)]
fn outlives() -> usize {
    let batch;
    {
        let x = [0.];
        batch = Batch::spheres([&x, &x, &x], &x).unwrap();
    }
    batch.count()
}

/// A batch outlives its attributes.
#[cfg(e0597_attributes)]
fn outlives_attributes(batch: Batch) -> usize {
    let also;
    {
        let layers = [1];
        also = batch.with_attributes(Attributes { layers: Some(&layers), ..Default::default() }).unwrap();
    }
    also.count()
}

/// A batch outlives the vertices of its hulls.
#[cfg(e0597_vertices)]
fn outlives_vertices(placed: Transforms<'static>) -> usize {
    let hulls;
    {
        let x = [0.];
        hulls = [Hull::new(&x, &x, &x).unwrap()];
    }
    Batch::hull_instances(placed, &hulls, None).unwrap().count()
}

/// An array is freed while a batch reads it.
#[cfg(e0505_freed)]
fn frees(x: Vec<f32>) -> usize {
    let batch = Batch::spheres([&x, &x, &x], &x).unwrap();
    drop(x);
    batch.count()
}

/// An array grows, and moves, while a batch reads it.
#[cfg(e0502_moved)]
fn grows(mut x: Vec<f32>) -> usize {
    let batch = Batch::spheres([&x, &x, &x], &x).unwrap();
    x.push(0.);
    batch.count()
}

/// An array is written while a batch reads it.
#[cfg(e0506_written)]
fn writes(mut x: [f32; 1]) -> usize {
    let batch = Batch::spheres([&x, &x, &x], &x).unwrap();
    x[0] = 1.;
    batch.count()
}

/// Two outputs share an array.
#[cfg(e0499_shared)]
fn shares(mut words: Vec<u64>) -> [usize; 2] {
    [Output::new().visible(&mut words), Output::new().inside(&mut words)].map(|output| output.visible_count())
}

/// A scene is edited while it is about to be culled.
#[cfg(e0502_edited)]
fn edits(mut scene: Scene) -> usize {
    let objects = Objects::from(&scene);
    scene.rebuild().unwrap();
    visibility_words(objects)
}

/// A runner that promises nothing.
#[cfg(e0200_runner)]
fn promises_nothing() {
    struct Never;
    impl Runner for Never {
        fn run(&self, _: u32, _: &Task) {}
    }
}
