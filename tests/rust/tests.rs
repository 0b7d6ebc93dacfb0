//! tools/rust. LANECULL_CASES names a file of tests/conformance/pack_cases.

use lanecull::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const MATRIX: [f64; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., -1., -1., 0., 0., -0.1, 0.];

fn camera() -> View {
    View::new(&MATRIX, ClipSpace::vulkan(), &ViewOptions::default()).unwrap()
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn numbers(&mut self, count: usize, from: f32, to: f32) -> Vec<f32> {
        let mut next = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            from + (to - from) * (self.0 >> 40) as f32 / (1 << 24) as f32
        };
        (0..count).map(|_| next()).collect()
    }
}

/// The arrays of balls.
struct Balls([Vec<f32>; 4]);

impl Balls {
    fn new(count: usize) -> Balls {
        let mut random = Random(count as u64);
        let mut axis = || random.numbers(count, -20., 20.);
        Balls([axis(), axis(), axis(), random.numbers(count, 0., 2.)])
    }

    fn batch(&self) -> Batch<'_> {
        let [x, y, z, radius] = &self.0;
        Batch::spheres([x, y, z], radius).unwrap()
    }
}

/// What the view sees of the objects.
fn bits<'a>(objects: impl Into<Objects<'a>>, view: &View) -> Result<Vec<u64>> {
    let objects = objects.into();
    let mut words = vec![0; visibility_words(objects)];
    let mut outputs = [Output::new().visible(&mut words)];
    cull(objects, std::slice::from_ref(view), &mut outputs, &mut Vec::new(), &CullOptions::default())?;
    Ok(words)
}

fn is_set(words: &[u64], i: usize) -> bool {
    words[i / 64] >> (i % 64) & 1 != 0
}

#[track_caller]
fn refused<T>(result: Result<T>, sentence: &str) {
    match result {
        Ok(_) => panic!("not refused: {}", sentence),
        Err(error) => assert!(error.to_string().contains(sentence), "'{}' in '{}'", sentence, error),
    }
}

/// A file of cases: numbers of 32 bits.
struct Cases<'a>(std::slice::ChunksExact<'a, u8>);

impl Cases<'_> {
    fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.0.next().unwrap().try_into().unwrap())
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| f32::from_bits(self.number())).collect()
    }
}

/// What shares a point with its view is visible, what is apart is culled: on every set that runs here.
#[test]
fn labelled() {
    let file = std::fs::read(std::env::var("LANECULL_CASES").unwrap()).unwrap();
    let mut cases = Cases(file.chunks_exact(4));
    let count = cases.number();
    assert!(count > 2000);
    let isas = (Isa::SCALAR.0..=Isa::WASM.0).map(Isa).filter(|isa| is_runnable(*isa));
    let isas: Vec<_> = isas.collect();
    assert!(isas.contains(&Isa::SCALAR));
    let mut scratch = Vec::new();
    let mut verdicts = 0;
    for i in 0..count {
        let [expect, shape, view_kind, light, vertices] = [0; 5].map(|_| cases.number());
        let numbers = cases.floats(if view_kind == 2 { 24 } else { 16 });
        let lit = cases.floats([0, 4, 3][light as usize]);
        let sweep = cases.floats(3);
        let n = cases.floats(*[4, 6, 6, 15, 7].get(shape as usize).unwrap_or(&(3 * vertices as usize)));

        let place = || [0, 1, 2].map(|k| lit[k] as f64);
        let light = match light {
            0 => Light::None,
            1 => Light::Directional { toward: place(), reach: lit[3] as f64 },
            _ => Light::Point { at: place(), range: 0., sides: &[] },
        };
        let options = ViewOptions { light, ..Default::default() };
        let space = if view_kind == 1 { ClipSpace::opengl() } else { ClipSpace::vulkan() };
        let space = ClipSpace { layout: MatrixLayout::ROW_MAJOR, ..space };
        let view = match view_kind {
            2 => {
                let mut corners = [[0.; 3]; 8];
                (0..24).for_each(|k| corners[k / 3][k % 3] = numbers[k] as f64);
                View::from_corners(&corners, &options)
            }
            _ => View::of_floats(numbers[..].try_into().unwrap(), space, &options),
        };
        let view = [view.unwrap()];

        let one: Vec<&[f32]> = n.chunks(1).collect();
        let three = |k: usize| [one[k], one[k + 1], one[k + 2]];
        let (half, axes, hull): ([[f32; 3]; 1], [[f32; 9]; 1], [Hull; 1]);
        let vertices = [0, 1, 2].map(|axis| n.iter().skip(axis).step_by(3).copied().collect::<Vec<f32>>());
        let batch = match shape {
            0 => Batch::spheres(three(0), one[3]),
            1 => Batch::boxes(three(0), three(3)),
            2 => Batch::centered_boxes(three(0), three(3)),
            3 => {
                axes = [n[3..12].try_into().unwrap()];
                half = [n[12..].try_into().unwrap()];
                Batch::oriented_boxes(three(0), &half, Orientation::Axes(&axes), None)
            }
            4 => Batch::capsules(three(0), three(3), one[6]),
            _ => {
                hull = [Hull::new(&vertices[0], &vertices[1], &vertices[2]).unwrap()];
                Batch::hull_instances(in_place(), &hull, None)
            }
        };
        let mut batch = batch.unwrap();
        if sweep != [0.; 3] {
            let sweep = Some([&sweep[..1], &sweep[1..2], &sweep[2..]]);
            batch = batch.with_attributes(Attributes { sweep, ..Default::default() }).unwrap();
        }
        for isa in &isas {
            for method in [Method::AUTOMATIC, Method::PLANES] {
                let mut word = [0];
                let mut outputs = [Output::new().visible(&mut word)];
                let options = CullOptions { method, isa: *isa, runner: None };
                cull(&batch, &view, &mut outputs, &mut scratch, &options).unwrap();
                let visible = outputs[0].visible_count();
                verdicts += 1;
                assert_eq!(visible as u64, word[0], "case {}", i);
                assert!(visible == 1 || expect != 1, "case {} is visible", i);
                assert!(visible == 0 || expect != 2 || method == Method::PLANES, "case {} is culled", i);
            }
        }
    }
    assert!(cases.0.next().is_none());
    println!("{} cases, {} verdicts", count, verdicts);
}

fn in_place() -> Transforms<'static> {
    Transforms::new(&[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0.], TransformLayout::ROWS_3X4).unwrap()
}

/// Boxes are the same boxes whatever they are given as.
#[test]
fn kinds() {
    const COUNT: usize = 500;
    let Balls([x, y, z, half]) = &Balls::new(COUNT);
    let end = |at: &[f32], sign: f32| (0..COUNT).map(|i| at[i] + sign * half[i]).collect::<Vec<f32>>();
    let [min, max] = [-1., 1.].map(|sign| [x, y, z].map(|at| end(at, sign)));
    let transforms = (0..COUNT).flat_map(|i| {
        let (h, o) = (half[i], 0.);
        [h, o, o, x[i], o, h, o, y[i], o, o, h, z[i], -1., -1.]
    });
    let transforms: Vec<f32> = transforms.collect();
    let placed = Transforms::every(&transforms, TransformLayout::ROWS_3X4, 56).unwrap();
    let halves: Vec<[f32; 3]> = half.iter().map(|h| [*h; 3]).collect();
    let radii: Vec<f32> = half.iter().map(|h| 2. * h).collect();
    let corner = |axis: usize| (0..8).map(|i| [-1., 1.][i >> axis & 1]).collect::<Vec<f32>>();
    let corners = [0, 1, 2].map(corner);
    let cube = [Hull::new(&corners[0], &corners[1], &corners[2]).unwrap(); 2];
    let first = [0; COUNT];
    let center: [&[f32]; 3] = [x, y, z];
    let (axes, quaternions) = ([[1., 0., 0., 0., 1., 0., 0., 0., 1.]; COUNT], [[0., 0., 0., 1.]; COUNT]);
    let (axes, quaternions) = (Orientation::Axes(&axes), Orientation::Quaternions(&quaternions));
    let (minus, plus) = ([-1.], [1.]);
    let expected = bits(&Batch::centered_boxes(center, [half; 3]).unwrap(), &camera()).unwrap();
    assert!(expected.iter().any(|word| *word != 0));
    for batch in [
        Batch::boxes([&min[0], &min[1], &min[2]], [&max[0], &max[1], &max[2]]),
        Batch::oriented_boxes(center, &halves, axes, None),
        Batch::oriented_boxes(center, &halves, quaternions, Some(&radii)),
        Batch::hull_instances(placed, &cube, Some(&first)),
        Batch::box_instances(placed, [&minus; 3], [&plus; 3], Some(&first)),
    ] {
        let batch = batch.unwrap();
        assert_eq!(batch.count(), COUNT);
        assert_eq!(bits(&batch, &camera()).unwrap(), expected);
    }
    let always = Attributes { flags: Some(&[2; COUNT]), margin: Some(half), ..Default::default() };
    let balls = Batch::spheres(center, half).unwrap();
    assert_eq!(bits(&balls.with_attributes(always).unwrap(), &camera()).unwrap()[0], u64::MAX);
    let (balls, turns) = (Batch::spheres(center, half).unwrap(), [[0., 0., 0., 2.]; COUNT]);
    let round = bits(&balls, &camera()).unwrap();
    for radius in [None, Some(&half[..])] {
        let ellipsoids = Batch::ellipsoids(center, &halves, &turns, radius).unwrap();
        assert_eq!(ellipsoids.count(), COUNT);
        assert_eq!(bits(&ellipsoids, &camera()).unwrap(), round);
    }
    // A cylinder lies in the capsule around it, and has the ball's middle if it is as high.
    let ends = [-1., 1.].map(|sign| z.iter().zip(half).map(|(z, h)| z + sign * (h + 0.01)).collect::<Vec<f32>>());
    let [a, b]: [[&[f32]; 3]; 2] = [[x, y, &ends[0]], [x, y, &ends[1]]];
    let cones = |end| Batch::cones(a, b, half, end);
    let [cylinders, capsules, round_cones, cones] = [
        Batch::cylinders(a, b, half), Batch::capsules(a, b, half), cones(ConeEnd::ROUND), cones(ConeEnd::FLAT),
    ]
    .map(|batch| bits(&batch.unwrap(), &camera()).unwrap());
    for i in 0..COUNT {
        assert!(is_set(&capsules, i) || !is_set(&cylinders, i));
        assert!(is_set(&cylinders, i) || !is_set(&round, i));
        assert!(is_set(&cylinders, i) || !is_set(&cones, i));
        assert!(is_set(&round_cones, i) || !is_set(&cones, i));
        assert!(is_set(&capsules, i) || !is_set(&round_cones, i));
    }
    assert!((0..COUNT).any(|i| is_set(&cones, i)));
    let nowhere = Attributes { layers: Some(&first), ..Default::default() };
    assert_eq!(bits(&balls.with_attributes(nowhere).unwrap(), &camera()).unwrap(), [0; 8]);
}

/// Several batches and views at once; lists, counts, candidates.
#[test]
fn lists() {
    let balls = Balls::new(100);
    let batches = vec![balls.batch(), balls.batch().with_first_index(1000)];
    let near = View::from_ball(&[0.; 3], 10., &ViewOptions::default()).unwrap();
    let (seen, close) = (bits(&batches[0], &camera()).unwrap(), bits(&batches[0], &near).unwrap());
    let (mut words, mut of_ball, mut inside) = ([0; 4], [0; 4], [0; 4]);
    let (mut indices, mut short, mut runs) = ([0; 200], [0; 1], [VisibleRun::default(); 200]);
    let mut outputs = [
        Output::new().visible(&mut words).indices(&mut indices).runs(&mut runs),
        Output::new().visible(&mut of_ball).inside(&mut inside).indices(&mut short),
    ];
    let (mut scratch, options) = (Vec::new(), CullOptions::default());
    cull(&batches, &[camera(), near], &mut outputs, &mut scratch, &options).unwrap();
    let (visible, run_count) = (outputs[0].visible_count(), outputs[0].run_count());
    assert!(outputs[1].visible_count() > 1 && outputs[1].run_count() == 0);
    assert_eq!(words[..], [&seen[..], &seen].concat());
    assert_eq!(of_ball[..], [&close[..], &close].concat());
    let listed = || (0..100).filter(|i| is_set(&seen, *i as usize));
    let expected: Vec<u32> = listed().chain(listed().map(|i| i + 1000)).collect();
    assert_eq!(indices[..visible], expected);
    assert_eq!(runs[..run_count].iter().map(|run| run.count as usize).sum::<usize>(), visible);

    let candidates = [5, 0, 0, 0];
    let mut few = [Output::new().candidates(&candidates).visible(&mut words)];
    cull(&batches, &[camera()], &mut few, &mut scratch, &options).unwrap();
    let mut why = native::Explanation::default();
    unsafe { few[0].native_mut().explanation = &mut why };
    cull(&batches, &[camera()], &mut few, &mut scratch, &options).unwrap();
    assert_eq!(words, [seen[0] & 5, 0, 0, 0]);
    assert_eq!(why.counts.by_reason[native::Reason::CULLED_CANDIDATE.0 as usize], 198);

    let keys: Vec<u32> = (0..1100).map(|i| i % 2).collect();
    let (mut by_depth, mut by_key) = ([0; 200], [0; 200]);
    let mut ordered = [
        Output::new().indices(&mut by_depth).order(ListOrder::FRONT_TO_BACK),
        Output::new().indices(&mut by_key).order(ListOrder::BY_KEY).keys(&keys),
    ];
    cull(&batches, &[camera(), camera()], &mut ordered, &mut scratch, &options).unwrap();
    let depth = |i: u32| -balls.0[2][i as usize % 1000];
    let mut sorted = expected.clone();
    sorted.sort_by(|a, b| depth(*a).partial_cmp(&depth(*b)).unwrap());
    assert_eq!(by_depth[..visible], sorted);
    sorted.sort_by_key(|i| i % 2);
    assert_eq!(by_key[..visible], sorted);

    let mut of_three = [Output::new().visible(&mut words[..3])];
    let wrong = cull(&batches, &[camera()], &mut of_three, &mut scratch, &options);
    refused(wrong, "outputs[0].visible: must have no words or 4");
    refused(cull(&batches, &[camera()], &mut [], &mut scratch, &options), "outputs");
    refused(cull(&batches, &[], &mut [], &mut scratch, &options), "views");
    let none = CullOptions { isa: Isa(99), ..options };
    let error = cull(&batches, &[camera()], &mut [Output::new()], &mut scratch, &none).unwrap_err();
    assert_eq!((error.code, &error.to_string()[..]), (StatusCode::INVALID_ARGUMENT, &error.sentence[..]));
    refused::<()>(Err(error), "options.isa: 99 is not a known value");
    let nothing: [Batch; 0] = [];
    assert_eq!(bits(&nothing, &camera()).unwrap(), []);
}

/// Slices of other lengths make no batch.
#[test]
fn lengths() {
    let (two, three): ([f32; 2], [f32; 3]) = ([0.; 2], [0.; 3]);
    for short in 0..3 {
        let but = [0, 1, 2].map(|i| if i == short { &two[..] } else { &three });
        let all = [&three[..]; 3];
        refused(Batch::spheres(but, &three), " numbers, not ");
        refused(Batch::boxes(but, all), " numbers, not ");
        refused(Batch::boxes(all, but), " numbers, not ");
        refused(Batch::centered_boxes(but, all), " numbers, not ");
        refused(Batch::centered_boxes(all, but), " numbers, not ");
        refused(Batch::capsules(but, all, &three), " numbers, not ");
        refused(Batch::capsules(all, but, &three), " numbers, not ");
        refused(Batch::cylinders(but, all, &three), " numbers, not ");
        refused(Batch::cylinders(all, but, &three), " numbers, not ");
        refused(Batch::cones(but, all, &three, ConeEnd::FLAT), " numbers, not ");
        refused(Batch::cones(all, but, &three, ConeEnd::FLAT), " numbers, not ");
        refused(Batch::ellipsoids(but, &[[0.; 3]; 3], &[[0.; 4]; 3], None), " numbers, not ");
        refused(Hull::new(but[0], but[1], but[2]), " numbers, not ");
    }
    let all = [&three[..]; 3];
    refused(Batch::spheres(all, &two), "radius: must have 3 numbers, not 2");
    refused(Batch::capsules(all, all, &two), "radius");
    refused(Batch::cylinders(all, all, &two), "radius");
    refused(Batch::cones(all, all, &two, ConeEnd::FLAT), "radius");
    refused(Batch::ellipsoids(all, &[[0.; 3]; 2], &[[0.; 4]; 3], None), "half_axes");
    refused(Batch::ellipsoids(all, &[[0.; 3]; 3], &[[0.; 4]; 2], None), "quaternions");
    refused(Batch::ellipsoids(all, &[[0.; 3]; 3], &[[0.; 4]; 3], Some(&two)), "bounding_radius");
    let axes = Orientation::Axes(&[[0.; 9]; 3]);
    refused(Batch::oriented_boxes(all, &[[0.; 3]; 2], axes, None), "half_extents");
    refused(Batch::oriented_boxes(all, &[[0.; 3]; 3], Orientation::Axes(&[[0.; 9]; 2]), None), "axes");
    refused(Batch::oriented_boxes(all, &[[0.; 3]; 3], Orientation::Quaternions(&[[0.; 4]; 2]), None), "quaternions");
    refused(Batch::oriented_boxes(all, &[[0.; 3]; 3], axes, Some(&two)), "bounding_radius");
    let hull = [Hull::new(&three, &three, &three).unwrap()];
    let numbers = [0.; 36];
    let transforms = Transforms::new(&numbers, TransformLayout::COLUMNS_3X4).unwrap();
    refused(Batch::hull_instances(transforms, &hull, Some(&[0; 2])), "hull_index: must have 3 numbers, not 2");
    refused(Batch::box_instances(transforms, [&two; 3], [&two; 3], Some(&[0; 4])), "box_index");
    refused(Batch::box_instances(transforms, [&two; 3], [&two, &two, &three], Some(&[0; 3])), "max[2]");
    refused(bits(&Batch::box_instances(transforms, [&two; 3], [&two; 3], None).unwrap(), &camera()), "box");
    let count = |n, stride| Transforms::every(&numbers[..n], TransformLayout::ROWS_3X4, stride).unwrap().count();
    assert_eq!([count(11, 0), count(12, 0), count(35, 0), count(31, 80), count(32, 80)], [0, 1, 2, 1, 2]);
    refused(Transforms::every(&numbers, TransformLayout::ROWS_3X4, 50), "stride_bytes");
    refused(Transforms::every(&numbers, TransformLayout::ROWS_4X4, 48), "stride_bytes");
    refused(bits(&Batch::hull_instances(Transforms::new(&numbers, TransformLayout(9)).unwrap(), &hull, None).unwrap(),
                 &camera()), "layout");
    let batch = Batch::spheres(all, &three).unwrap();
    let (f, u): (Option<&[f32]>, Option<&[u32]>) = (Some(&two), Some(&[0; 2]));
    for short in [
        Attributes { margin: f, ..Default::default() },
        Attributes { sweep: Some([&two, &three, &three]), ..Default::default() },
        Attributes { sweep: Some([&three, &two, &three]), ..Default::default() },
        Attributes { sweep: Some([&three, &three, &two]), ..Default::default() },
        Attributes { flags: u, ..Default::default() },
        Attributes { layers: u, ..Default::default() },
        Attributes { max_distance: f, ..Default::default() },
        Attributes { min_projected_size: f, ..Default::default() },
        Attributes { min_distance: f, ..Default::default() },
    ] {
        refused(batch.with_attributes(short), ": must have 3 numbers, not 2");
    }
}

#[test]
fn views() {
    let options = ViewOptions::default();
    refused(View::new(&[0.; 16], ClipSpace::vulkan(), &options), "clip_from_world");
    refused(View::from_ball(&[0.; 3], -1., &options), "radius");
    refused(View::from_planes(&[], &options), "planes");
    assert!(camera().is_exact() && !camera().sees_nothing());
    View::stereo(&MATRIX, &MATRIX, ClipSpace::opengl(), &options).unwrap();
    let plane = [Plane { normal: [1., 0., 0.], offset: 3. }];
    let zero = [0.; 3];
    let at = Batch::spheres([&[-5., -3., 0.], &zero, &zero], &zero).unwrap();
    assert_eq!(bits(&at, &View::from_planes(&plane, &options).unwrap()).unwrap(), [6]);
    let space = ClipSpace { origin: [0., 0., 5.], ..ClipSpace::vulkan() };
    let clipped = View::new(&MATRIX, space, &ViewOptions { clip_planes: &plane, ..options }).unwrap();
    assert_eq!(bits(&at, &clipped).unwrap(), [6]);
    let light = Light::Point { at: [0., 0., 5.], range: 4., sides: &[] };
    let lit = View::new(&MATRIX, space, &ViewOptions { light, eye: Some([0.; 3]), ..options }).unwrap();
    assert_eq!(bits(&at, &lit).unwrap(), [0]);
}

#[test]
fn scenes() {
    let (balls, small) = (Balls::new(1000), Balls::new(3));
    let mut scene = Scene::new().unwrap();
    let handles = scene.add(&[balls.batch()], Mobility::MOVING, [0.; 3]).unwrap();
    assert_eq!((scene.count(), handles.len()), (1000, 1000));
    scene.refit(Refit::TIGHT).unwrap();
    let mut found = vec![0; 1000];
    let mut of_scene = SceneOutput::new(&mut found);
    let mut words = vec![0; visibility_words(&scene)];
    let mut outputs = [Output::new().visible(&mut words).scene(&mut of_scene)];
    cull(&scene, &[camera()], &mut outputs, &mut Vec::new(), &CullOptions::default()).unwrap();
    let visible = outputs[0].visible_count();
    let seen = bits(&balls.batch(), &camera()).unwrap();
    let mut expected: Vec<u32> = (0..1000).filter(|i| is_set(&seen, *i)).map(|i| handles[i]).collect();
    found.truncate(visible);
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(is_set(&words, scene.slot_of(expected[0]).unwrap() as usize));

    let three = &handles[..3];
    let away = [1e6; 3];
    scene.shift(three, [&away; 3]).unwrap();
    assert!(scene.is_stale());
    refused(bits(&scene, &camera()), "edited since the last refit");
    scene.refit(Refit::GROWN).unwrap();
    scene.place(three, &small.batch()).unwrap();
    scene.replace(three, &small.batch()).unwrap();
    while !scene.rebuild_within(Duration::from_millis(1)).unwrap() {}
    scene.rebuild().unwrap();
    let path = std::env::temp_dir().join(format!("lanecull rust {}.scene", std::process::id()));
    scene.save(&path).unwrap();
    let mut other = Scene::new().unwrap();
    other.load(&path).unwrap();
    assert_eq!(other.count(), 1000);
    std::fs::remove_file(&path).unwrap();
    refused(other.load(&path), "cannot be opened");
    refused(other.load("a\0b"), "path");
    scene.remove(three).unwrap();
    assert_eq!(scene.count(), 997);
    refused(scene.remove(three), "handle");
    refused(scene.shift(three, [&away, &away[..2], &away]), "by[1]");
    refused(scene.add(&[small.batch()], Mobility::FIXED, [f64::NAN; 3]), "origin");
}

/// Batches, views, scenes and outputs go to other threads; runners have threads of their own.
#[test]
fn threads() {
    let balls = Balls::new(100_000);
    let (batch, view) = (balls.batch(), camera());
    let expected = bits(&batch, &view).unwrap();
    let mut scene = Scene::new().unwrap();
    scene.add(&[batch], Mobility::FIXED, [0.; 3]).unwrap();
    scene.refit(Refit::TIGHT).unwrap();
    let of_scene = bits(&scene, &view).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert_eq!(bits(&batch, &view).unwrap(), expected));
            scope.spawn(|| assert_eq!(bits(&scene, &view).unwrap(), of_scene));
        }
    });

    struct Counting(Threads, AtomicU32);
    unsafe impl Runner for Counting {
        fn run(&self, count: u32, task: &Task) {
            self.1.fetch_add(count, Ordering::Relaxed);
            self.0.run(count, task);
        }
    }
    let counting = Counting(Threads(3), AtomicU32::new(0));
    let mut words = vec![0; expected.len()];
    let mut outputs = [Output::new().visible(&mut words)];
    let options = CullOptions { runner: Some(&counting), ..Default::default() };
    std::thread::scope(|scope| {
        let call = || cull(&batch, &[view], &mut outputs, &mut Vec::new(), &options);
        scope.spawn(call).join().unwrap().unwrap()
    });
    assert_eq!(words, expected);
    assert!(counting.1.load(Ordering::Relaxed) > 1);
}
