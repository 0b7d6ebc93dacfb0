//! lanecull for Rust: batches, views, culls and scenes, over the structs and functions of native.rs, which
//! tools/bindings/generate.py makes of the headers. README.md says how to compile it, and has an example; the headers
//! in include/lanecull are the manual.
//!
//! Arrays are read and written where they are, never copied: a `Batch<'a>` and an `Output<'a>` borrow them. Whatever
//! fails returns an `Error` with the library's sentence.

#![deny(unsafe_op_in_unsafe_fn)]

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr::{null, null_mut, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{fmt, mem};

/// The C interface: all of it. Calls of its functions are unsafe.
#[allow(clippy::all)]
pub mod native {
    include!(env!("LANECULL_NATIVE"));
}

pub use native::{
    ClipSpace, ConeEnd, DepthRange, Isa, Kind, ListOrder, MatrixLayout, Method, Mobility, Plane, Refit, StatusCode,
    TransformLayout, VisibleRun,
};

/// What failed: the kind of failure, and the library's sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub code: StatusCode,
    pub sentence: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {}

fn check(status: native::Status) -> Result<()> {
    if status.code == StatusCode::OK {
        return Ok(());
    }
    let mut message = native::Message::default();
    let sentence = unsafe {
        native::lanecull_explain(&status, message.text.as_mut_ptr().cast(), message.text.len());
        CStr::from_ptr(message.text.as_ptr().cast())
    };
    Err(Error { code: status.code, sentence: sentence.to_string_lossy().into_owned() })
}

fn invalid<T>(sentence: String) -> Result<T> {
    Err(Error { code: StatusCode::INVALID_ARGUMENT, sentence })
}

/// The library must be of the headers that native.rs was made of.
fn check_form() -> Result<()> {
    let form = unsafe { native::lanecull_library_form() };
    if form == native::FORM {
        return Ok(());
    }
    let sentence = format!("the library has form {}, native.rs is for {}", form, native::FORM);
    Err(Error { code: StatusCode::UNSUPPORTED, sentence })
}

/// Whether this library has the set and this machine runs it.
pub fn is_runnable(isa: Isa) -> bool {
    unsafe { native::lanecull_isa_runnable(isa) != 0 }
}

// Batches

/// Objects of one kind, in arrays that stay yours and that it borrows.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Batch<'a> {
    native: native::Batch,
    arrays: PhantomData<&'a [f32]>,
}

// It is a row of shared slices.
unsafe impl Send for Batch<'_> {}
unsafe impl Sync for Batch<'_> {}

/// What objects may have besides their shape, with a number for each: lanecull_attributes.
#[derive(Clone, Copy, Default)]
pub struct Attributes<'a> {
    pub margin: Option<&'a [f32]>,
    pub sweep: Option<[&'a [f32]; 3]>,
    pub flags: Option<&'a [u32]>,
    pub layers: Option<&'a [u32]>,
    pub max_distance: Option<&'a [f32]>,
    pub min_projected_size: Option<&'a [f32]>,
    pub min_distance: Option<&'a [f32]>,
}

/// The first of the numbers, of which there must be so many.
fn numbers<T>(slice: &[T], needed: usize, name: &str) -> Result<*const T> {
    if slice.len() == needed {
        return Ok(slice.as_ptr());
    }
    invalid(format!("{}: must have {} numbers, not {}", name, needed, slice.len()))
}

fn some_numbers<T>(slice: Option<&[T]>, needed: usize, name: &str) -> Result<*const T> {
    slice.map_or(Ok(null()), |given| numbers(given, needed, name))
}

fn records(slice: &[f32], needed: usize, name: &str) -> Result<native::Records> {
    Ok(native::Records { first: numbers(slice, needed, name)?, stride_bytes: 0 })
}

fn count_of<T>(slice: &[T]) -> Result<u32> {
    u32::try_from(slice.len()).or_else(|_| invalid("more than 2^32 - 1 objects".into()))
}

fn boxes_of(min: [&[f32]; 3], max: [&[f32]; 3]) -> Result<native::Boxes> {
    let n = min[0].len();
    Ok(native::Boxes {
        min_x: min[0].as_ptr(),
        min_y: numbers(min[1], n, "min[1]")?,
        min_z: numbers(min[2], n, "min[2]")?,
        max_x: numbers(max[0], n, "max[0]")?,
        max_y: numbers(max[1], n, "max[1]")?,
        max_z: numbers(max[2], n, "max[2]")?,
        count: count_of(min[0])?,
    })
}

impl<'a> Batch<'a> {
    fn new(kind: Kind, shapes: native::Shapes) -> Batch<'a> {
        Batch { native: native::Batch { kind, shapes, ..Default::default() }, arrays: PhantomData }
    }

    pub fn spheres(center: [&'a [f32]; 3], radius: &'a [f32]) -> Result<Batch<'a>> {
        let ([x, y, z], n) = (center, center[0].len());
        let spheres = native::Spheres {
            x: x.as_ptr(),
            y: numbers(y, n, "center[1]")?,
            z: numbers(z, n, "center[2]")?,
            radius: numbers(radius, n, "radius")?,
            count: count_of(x)?,
        };
        Ok(Batch::new(Kind::SPHERES, native::Shapes { spheres }))
    }

    /// Boxes along the axes, by their corners.
    pub fn boxes(min: [&'a [f32]; 3], max: [&'a [f32]; 3]) -> Result<Batch<'a>> {
        Ok(Batch::new(Kind::BOXES, native::Shapes { boxes: boxes_of(min, max)? }))
    }

    /// Boxes along the axes, by centre and half-extents.
    pub fn centered_boxes(center: [&'a [f32]; 3], half: [&'a [f32]; 3]) -> Result<Batch<'a>> {
        let ([x, y, z], n) = (center, center[0].len());
        let centered_boxes = native::CenteredBoxes {
            x: x.as_ptr(),
            y: numbers(y, n, "center[1]")?,
            z: numbers(z, n, "center[2]")?,
            half_x: numbers(half[0], n, "half[0]")?,
            half_y: numbers(half[1], n, "half[1]")?,
            half_z: numbers(half[2], n, "half[2]")?,
            count: count_of(x)?,
        };
        Ok(Batch::new(Kind::CENTERED_BOXES, native::Shapes { centered_boxes }))
    }

    /// Boxes by centre, half-extents and orientation. Without `bounding_radius` every box's records are read.
    pub fn oriented_boxes(
        center: [&'a [f32]; 3],
        half_extents: &'a [[f32; 3]],
        orientation: Orientation<'a>,
        bounding_radius: Option<&'a [f32]>,
    ) -> Result<Batch<'a>> {
        let ([x, y, z], n) = (center, center[0].len());
        let mut oriented_boxes = native::OrientedBoxes {
            x: x.as_ptr(),
            y: numbers(y, n, "center[1]")?,
            z: numbers(z, n, "center[2]")?,
            half_extents: records(flat(half_extents), 3 * n, "half_extents")?,
            bounding_radius: some_numbers(bounding_radius, n, "bounding_radius")?,
            count: count_of(x)?,
            ..Default::default()
        };
        match orientation {
            Orientation::Axes(axes) => oriented_boxes.axes = records(flat(axes), 9 * n, "axes")?,
            Orientation::Quaternions(q) => oriented_boxes.quaternions = records(flat(q), 4 * n, "quaternions")?,
        }
        Ok(Batch::new(Kind::ORIENTED_BOXES, native::Shapes { oriented_boxes }))
    }

    pub fn capsules(a: [&'a [f32]; 3], b: [&'a [f32]; 3], radius: &'a [f32]) -> Result<Batch<'a>> {
        let n = a[0].len();
        let capsules = native::Capsules {
            a_x: a[0].as_ptr(),
            a_y: numbers(a[1], n, "a[1]")?,
            a_z: numbers(a[2], n, "a[2]")?,
            b_x: numbers(b[0], n, "b[0]")?,
            b_y: numbers(b[1], n, "b[1]")?,
            b_z: numbers(b[2], n, "b[2]")?,
            radius: numbers(radius, n, "radius")?,
            count: count_of(a[0])?,
        };
        Ok(Batch::new(Kind::CAPSULES, native::Shapes { capsules }))
    }

    /// Solid cylinders with flat ends at a and b, which must differ.
    pub fn cylinders(a: [&'a [f32]; 3], b: [&'a [f32]; 3], radius: &'a [f32]) -> Result<Batch<'a>> {
        let n = a[0].len();
        let cylinders = native::Cylinders {
            a_x: a[0].as_ptr(),
            a_y: numbers(a[1], n, "a[1]")?,
            a_z: numbers(a[2], n, "a[2]")?,
            b_x: numbers(b[0], n, "b[0]")?,
            b_y: numbers(b[1], n, "b[1]")?,
            b_z: numbers(b[2], n, "b[2]")?,
            radius: numbers(radius, n, "radius")?,
            count: count_of(a[0])?,
        };
        Ok(Batch::new(Kind::CYLINDERS, native::Shapes { cylinders }))
    }

    /// Solid cones from an apex to a base of that radius, whose middle must be elsewhere. They end at the disc inside
    /// of the base's rim or, if they are round, at the sphere around the apex through the rim.
    pub fn cones(apex: [&'a [f32]; 3], base: [&'a [f32]; 3], radius: &'a [f32], end: ConeEnd) -> Result<Batch<'a>> {
        let n = apex[0].len();
        let cones = native::Cones {
            apex_x: apex[0].as_ptr(),
            apex_y: numbers(apex[1], n, "apex[1]")?,
            apex_z: numbers(apex[2], n, "apex[2]")?,
            base_x: numbers(base[0], n, "base[0]")?,
            base_y: numbers(base[1], n, "base[1]")?,
            base_z: numbers(base[2], n, "base[2]")?,
            radius: numbers(radius, n, "radius")?,
            count: count_of(apex[0])?,
            end,
        };
        Ok(Batch::new(Kind::CONES, native::Shapes { cones }))
    }

    /// Ellipsoids by centre, half-axes and quaternion. The largest half-axis will do for `bounding_radius`.
    pub fn ellipsoids(
        center: [&'a [f32]; 3],
        half_axes: &'a [[f32; 3]],
        quaternions: &'a [[f32; 4]],
        bounding_radius: Option<&'a [f32]>,
    ) -> Result<Batch<'a>> {
        let ([x, y, z], n) = (center, center[0].len());
        let ellipsoids = native::Ellipsoids {
            x: x.as_ptr(),
            y: numbers(y, n, "center[1]")?,
            z: numbers(z, n, "center[2]")?,
            quaternions: records(flat(quaternions), 4 * n, "quaternions")?,
            half_axes: records(flat(half_axes), 3 * n, "half_axes")?,
            bounding_radius: some_numbers(bounding_radius, n, "bounding_radius")?,
            count: count_of(x)?,
        };
        Ok(Batch::new(Kind::ELLIPSOIDS, native::Shapes { ellipsoids }))
    }

    /// Object i is hulls[hull_index[i]] under transform i; without hull_index there is one hull.
    pub fn hull_instances(
        transforms: Transforms<'a>,
        hulls: &'a [Hull<'a>],
        hull_index: Option<&'a [u32]>,
    ) -> Result<Batch<'a>> {
        let hull_instances = native::HullInstances {
            transforms: transforms.native(),
            hulls: hulls.as_ptr().cast(),
            hull_count: count_of(hulls)?,
            hull_index: some_numbers(hull_index, transforms.count(), "hull_index")?,
            count: transforms.count() as u32,
            ..Default::default()
        };
        Ok(Batch::new(Kind::HULL_INSTANCES, native::Shapes { hull_instances }))
    }

    /// Object i is the local box box_index[i] under transform i; without box_index box i.
    pub fn box_instances(
        transforms: Transforms<'a>,
        min: [&'a [f32]; 3],
        max: [&'a [f32]; 3],
        box_index: Option<&'a [u32]>,
    ) -> Result<Batch<'a>> {
        let box_index = some_numbers(box_index, transforms.count(), "box_index")?;
        let box_instances = native::BoxInstances {
            transforms: transforms.native(),
            local: native::LocalBoxes { boxes: boxes_of(min, max)?, box_index, ..Default::default() },
            count: transforms.count() as u32,
        };
        Ok(Batch::new(Kind::BOX_INSTANCES, native::Shapes { box_instances }))
    }

    pub fn with_attributes(mut self, attributes: Attributes<'a>) -> Result<Batch<'a>> {
        let n = self.count();
        let [sweep_x, sweep_y, sweep_z] = attributes.sweep.map_or([None; 3], |sweep| sweep.map(Some));
        self.native.attributes = native::Attributes {
            margin: some_numbers(attributes.margin, n, "margin")?,
            sweep_x: some_numbers(sweep_x, n, "sweep[0]")?,
            sweep_y: some_numbers(sweep_y, n, "sweep[1]")?,
            sweep_z: some_numbers(sweep_z, n, "sweep[2]")?,
            flags: some_numbers(attributes.flags, n, "flags")?,
            layers: some_numbers(attributes.layers, n, "layers")?,
            max_distance: some_numbers(attributes.max_distance, n, "max_distance")?,
            min_projected_size: some_numbers(attributes.min_projected_size, n, "min_projected_size")?,
            min_distance: some_numbers(attributes.min_distance, n, "min_distance")?,
            ..Default::default()
        };
        Ok(self)
    }

    /// Object i appears in lists as first_index + i.
    pub fn with_first_index(mut self, first_index: u32) -> Batch<'a> {
        self.native.first_index = first_index;
        self
    }

    /// How many objects there are.
    pub fn count(&self) -> usize {
        let shapes = &self.native.shapes;
        let count = unsafe {
            match self.native.kind {
                Kind::SPHERES => shapes.spheres.count,
                Kind::BOXES => shapes.boxes.count,
                Kind::CENTERED_BOXES => shapes.centered_boxes.count,
                Kind::ORIENTED_BOXES => shapes.oriented_boxes.count,
                Kind::CAPSULES => shapes.capsules.count,
                Kind::HULL_INSTANCES => shapes.hull_instances.count,
                Kind::CYLINDERS => shapes.cylinders.count,
                Kind::ELLIPSOIDS => shapes.ellipsoids.count,
                Kind::CONES => shapes.cones.count,
                _ => shapes.box_instances.count,
            }
        };
        count as usize
    }

    /// What the library reads, such as `draws` or the positions of transforms.
    ///
    /// # Safety
    /// The kind stays, and what is set must be as lanecull_batch says, for as long as 'a.
    pub unsafe fn native_mut(&mut self) -> &mut native::Batch {
        &mut self.native
    }
}

fn flat<const N: usize>(rows: &[[f32; N]]) -> &[f32] {
    unsafe { std::slice::from_raw_parts(rows.as_ptr().cast(), N * rows.len()) }
}

/// Three axes of each box, or its rotation.
#[derive(Clone, Copy)]
pub enum Orientation<'a> {
    Axes(&'a [[f32; 9]]),
    Quaternions(&'a [[f32; 4]]),
}

/// Transforms of objects, in the numbers of a layout.
#[derive(Clone, Copy)]
pub struct Transforms<'a> {
    numbers: &'a [f32],
    layout: TransformLayout,
    stride_bytes: usize,
    count: u32,
}

impl<'a> Transforms<'a> {
    /// One right after the other.
    pub fn new(numbers: &'a [f32], layout: TransformLayout) -> Result<Transforms<'a>> {
        Transforms::every(numbers, layout, 0)
    }

    /// One every `stride_bytes`, a multiple of 4.
    pub fn every(numbers: &'a [f32], layout: TransformLayout, stride_bytes: usize) -> Result<Transforms<'a>> {
        let own = if layout == TransformLayout::ROWS_3X4 || layout == TransformLayout::COLUMNS_3X4 { 12 } else { 16 };
        if stride_bytes % 4 != 0 || (stride_bytes != 0 && stride_bytes < 4 * own) {
            return invalid(format!("stride_bytes: must be a multiple of 4 from {} on, not {}", 4 * own, stride_bytes));
        }
        let apart = if stride_bytes == 0 { own } else { stride_bytes / 4 };
        let count = numbers.len().checked_sub(own).map_or(0, |beyond| beyond / apart + 1);
        match u32::try_from(count) {
            Ok(count) => Ok(Transforms { numbers, layout, stride_bytes, count }),
            Err(_) => invalid("more than 2^32 - 1 transforms".into()),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    fn native(&self) -> native::Transforms {
        native::Transforms {
            first: self.numbers.as_ptr(),
            stride_bytes: self.stride_bytes,
            layout: self.layout,
            ..Default::default()
        }
    }
}

/// A vertex set that instances share, which it borrows: lanecull_prepare_hull().
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Hull<'a> {
    #[allow(dead_code)] // the library reads it
    native: native::Hull,
    vertices: PhantomData<&'a [f32]>,
}

unsafe impl Send for Hull<'_> {}
unsafe impl Sync for Hull<'_> {}

impl<'a> Hull<'a> {
    pub fn new(x: &'a [f32], y: &'a [f32], z: &'a [f32]) -> Result<Hull<'a>> {
        check_form()?;
        let (y, z) = (numbers(y, x.len(), "y")?, numbers(z, x.len(), "z")?);
        let mut native = native::Hull::default();
        check(unsafe { native::lanecull_prepare_hull(x.as_ptr(), y, z, count_of(x)?, &mut native) })?;
        Ok(Hull { native, vertices: PhantomData })
    }
}

// Views

impl ClipSpace {
    /// Vulkan, Metal, wgpu; Direct3D with matrices that row vectors are multiplied by, rows first.
    pub fn vulkan() -> ClipSpace {
        ClipSpace::default()
    }

    /// OpenGL, and engines whose projections follow it.
    pub fn opengl() -> ClipSpace {
        ClipSpace { depth: DepthRange::MINUS_ONE_TO_ONE, ..ClipSpace::default() }
    }
}

/// Light, for a view of what casts shadows: lanecull_directional_light and lanecull_point_light.
#[derive(Clone, Copy, Default)]
pub enum Light<'a> {
    #[default]
    None,
    /// From one direction; a reach of 0 is any.
    Directional { toward: [f64; 3], reach: f64 },
    /// From a point; a range of 0 is any.
    Point { at: [f64; 3], range: f64, sides: &'a [Plane] },
}

/// What a view may have besides its volume's shape: lanecull_view_options.
#[derive(Clone, Copy, Default)]
pub struct ViewOptions<'a> {
    pub clip_planes: &'a [Plane],
    pub margin: f64,
    pub hidden_layers: u32,
    pub eye: Option<[f64; 3]>,
    pub size_scale: f64,
    pub light: Light<'a>,
}

fn planes(of: &[Plane]) -> native::Planes {
    native::Planes { items: of.as_ptr(), count: of.len() }
}

/// A view volume, ready to cull with.
#[derive(Clone)]
#[repr(transparent)]
pub struct View(native::View);

impl View {
    /// The volume of a clip matrix: lanecull_prepare_view().
    pub fn new(clip_from_world: &[f64; 16], space: ClipSpace, options: &ViewOptions) -> Result<View> {
        View::prepared(options, |options, view| unsafe {
            native::lanecull_prepare_view(clip_from_world.as_ptr(), &space, options, view)
        })
    }

    pub fn of_floats(clip_from_world: &[f32; 16], space: ClipSpace, options: &ViewOptions) -> Result<View> {
        View::prepared(options, |options, view| unsafe {
            native::lanecull_prepare_view_of_floats(clip_from_world.as_ptr(), &space, options, view)
        })
    }

    /// Both eyes' volumes: lanecull_prepare_stereo_view().
    pub fn stereo(left: &[f64; 16], right: &[f64; 16], space: ClipSpace, options: &ViewOptions) -> Result<View> {
        View::prepared(options, |options, view| unsafe {
            native::lanecull_prepare_stereo_view(left.as_ptr(), right.as_ptr(), &space, options, view)
        })
    }

    /// The convex hull of eight corners: lanecull_prepare_view_from_corners().
    pub fn from_corners(corners: &[[f64; 3]; 8], options: &ViewOptions) -> Result<View> {
        View::prepared(options, |options, view| unsafe {
            native::lanecull_prepare_view_from_corners(corners.as_ptr().cast(), options, view)
        })
    }

    /// What half-spaces have in common: lanecull_prepare_view_from_planes().
    pub fn from_planes(planes: &[Plane], options: &ViewOptions) -> Result<View> {
        View::prepared(options, |options, view| unsafe {
            native::lanecull_prepare_view_from_planes(planes.as_ptr(), planes.len(), options, view)
        })
    }

    /// A ball: lanecull_prepare_view_from_ball().
    pub fn from_ball(center: &[f64; 3], radius: f64, options: &ViewOptions) -> Result<View> {
        View::prepared(options, |options, view| unsafe {
            native::lanecull_prepare_view_from_ball(center.as_ptr(), radius, options, view)
        })
    }

    /// Whether culls by it are exact: lanecull_view_is_exact().
    pub fn is_exact(&self) -> bool {
        unsafe { native::lanecull_view_is_exact(&self.0) != 0 }
    }

    /// Whether it is proved that its volume has no point.
    pub fn sees_nothing(&self) -> bool {
        unsafe { native::lanecull_view_sees_nothing(&self.0) != 0 }
    }

    fn prepared(
        options: &ViewOptions,
        prepare: impl FnOnce(*const native::ViewOptions, *mut native::View) -> native::Status,
    ) -> Result<View> {
        check_form()?;
        let mut directional_light = native::DirectionalLight::default();
        let mut point_light = native::PointLight::default();
        let mut given = native::ViewOptions {
            clip_planes: planes(options.clip_planes),
            margin: options.margin,
            hidden_layers: options.hidden_layers,
            eye: options.eye.as_ref().map_or(null(), |eye| eye.as_ptr()),
            size_scale: options.size_scale,
            ..Default::default()
        };
        match options.light {
            Light::None => {}
            Light::Directional { toward, reach } => {
                directional_light = native::DirectionalLight { toward, reach, ..directional_light };
                given.directional_light = &directional_light;
            }
            Light::Point { at, range, sides } => {
                point_light = native::PointLight { at, range, sides: planes(sides), ..point_light };
                given.point_light = &point_light;
            }
        }
        let mut view = native::View::default();
        check(prepare(&given, &mut view))?;
        Ok(View(view))
    }
}

// Culls

/// What is culled: a batch, a row of batches, or a scene.
#[derive(Clone, Copy)]
pub struct Objects<'a> {
    native: native::Objects,
    what: PhantomData<&'a Batch<'a>>,
}

impl<'a, 'b> From<&'a [Batch<'b>]> for Objects<'a> {
    fn from(batches: &'a [Batch<'b>]) -> Objects<'a> {
        let batches = native::Batches { items: batches.as_ptr().cast(), count: batches.len() };
        Objects { native: native::Objects { batches, scene: null() }, what: PhantomData }
    }
}

impl<'a, 'b> From<&'a Batch<'b>> for Objects<'a> {
    fn from(batch: &'a Batch<'b>) -> Objects<'a> {
        std::slice::from_ref(batch).into()
    }
}

impl<'a, 'b, const N: usize> From<&'a [Batch<'b>; N]> for Objects<'a> {
    fn from(batches: &'a [Batch<'b>; N]) -> Objects<'a> {
        batches[..].into()
    }
}

impl<'a, 'b> From<&'a Vec<Batch<'b>>> for Objects<'a> {
    fn from(batches: &'a Vec<Batch<'b>>) -> Objects<'a> {
        batches[..].into()
    }
}

impl<'a> From<&'a Scene> for Objects<'a> {
    fn from(scene: &'a Scene) -> Objects<'a> {
        let native = native::Objects { scene: scene.as_ptr(), ..Default::default() };
        Objects { native, what: PhantomData }
    }
}

/// Words of 64 objects that the objects take: how many Output::visible has.
pub fn visibility_words<'a>(objects: impl Into<Objects<'a>>) -> usize {
    unsafe { native::lanecull_visibility_words(&objects.into().native) }
}

/// Where one view's results go: the arrays that are wanted, which it borrows. lanecull_output has their rules.
#[repr(transparent)]
pub struct Output<'a> {
    native: native::Output,
    arrays: PhantomData<&'a mut [u64]>,
}

// It is a row of slices, shared or not.
unsafe impl Send for Output<'_> {}
unsafe impl Sync for Output<'_> {}

impl Default for Output<'_> {
    fn default() -> Self {
        Output { native: Default::default(), arrays: PhantomData }
    }
}

impl<'a> Output<'a> {
    pub fn new() -> Output<'a> {
        Output::default()
    }

    /// Bit i % 64 of word i / 64: object i is visible. Exactly visibility_words() words.
    pub fn visible(mut self, words: &'a mut [u64]) -> Output<'a> {
        self.native.visible = native::Words { items: words.as_mut_ptr(), count: words.len() };
        self
    }

    /// Receives the visible objects' numbers; the first that fit.
    pub fn indices(mut self, indices: &'a mut [u32]) -> Output<'a> {
        self.native.indices = native::Indices { items: indices.as_mut_ptr(), count: indices.len() };
        self
    }

    /// As `visible`: what lies wholly in the volume.
    pub fn inside(mut self, words: &'a mut [u64]) -> Output<'a> {
        self.native.inside = native::Words { items: words.as_mut_ptr(), count: words.len() };
        self
    }

    /// Receives the runs of visible objects; the first that fit.
    pub fn runs(mut self, runs: &'a mut [VisibleRun]) -> Output<'a> {
        self.native.runs = native::VisibleRuns { items: runs.as_mut_ptr(), count: runs.len() };
        self
    }

    /// Read: which objects are tested, as `visible` has them.
    pub fn candidates(mut self, words: &'a [u64]) -> Output<'a> {
        self.native.candidates = native::ConstWords { items: words.as_ptr(), count: words.len() };
        self
    }

    /// The order of the lists.
    pub fn order(mut self, order: ListOrder) -> Output<'a> {
        self.native.order = order;
        self
    }

    /// Read with ListOrder::BY_KEY: one for each index, or by handle.
    pub fn keys(mut self, keys: &'a [u32]) -> Output<'a> {
        self.native.keys = native::ConstIndices { items: keys.as_ptr(), count: keys.len() };
        self
    }

    /// What only scenes have.
    pub fn scene(mut self, of_scene: &'a mut SceneOutput<'_>) -> Output<'a> {
        self.native.scene = &mut of_scene.native;
        self
    }

    /// How many are visible, even if a list was too short for them.
    pub fn visible_count(&self) -> usize {
        self.native.visible_count as usize
    }

    /// How many runs there are, if they are wanted.
    pub fn run_count(&self) -> usize {
        self.native.run_count as usize
    }

    /// What the library reads and writes, such as `draws`, `occluders` or `explanation`.
    ///
    /// # Safety
    /// What is set must be as lanecull_output says, for as long as 'a.
    pub unsafe fn native_mut(&mut self) -> &mut native::Output {
        &mut self.native
    }
}

/// What only scenes have of one view.
#[repr(transparent)]
pub struct SceneOutput<'a> {
    native: native::SceneOutput,
    arrays: PhantomData<&'a mut [u32]>,
}

unsafe impl Send for SceneOutput<'_> {}
unsafe impl Sync for SceneOutput<'_> {}

impl<'a> SceneOutput<'a> {
    /// `handles` receives those of the visible objects; the first that fit.
    pub fn new(handles: &'a mut [u32]) -> SceneOutput<'a> {
        let handles = native::Indices { items: handles.as_mut_ptr(), count: handles.len() };
        SceneOutput { native: native::SceneOutput { handles, ..Default::default() }, arrays: PhantomData }
    }
}

/// How to cull.
#[derive(Clone, Copy, Default)]
pub struct CullOptions<'a> {
    pub method: Method,
    pub isa: Isa,
    /// Who runs the tasks; none: the calling thread.
    pub runner: Option<&'a dyn Runner>,
}

/// Every object against every view: lanecull_cull(). outputs[i] is of views[i]. `scratch` is what the call works in,
/// and is made long enough; keep it from frame to frame.
pub fn cull<'a>(
    objects: impl Into<Objects<'a>>,
    views: &[View],
    outputs: &mut [Output],
    scratch: &mut Vec<u8>,
    options: &CullOptions,
) -> Result<()> {
    let objects = objects.into().native;
    let ordered = outputs.iter().filter(|output| output.native.order != ListOrder::ASCENDING).count();
    let bytes = unsafe {
        native::lanecull_scratch_bytes(&objects, views.len()) + native::lanecull_order_bytes(&objects, ordered)
    };
    if scratch.len() < bytes {
        scratch.resize(bytes, 0);
    }
    let call = native::CullCall {
        objects,
        views: native::Views { items: views.as_ptr().cast(), count: views.len() },
        outputs: native::Outputs { items: outputs.as_mut_ptr().cast(), count: outputs.len() },
        scratch: native::Memory { first: scratch.as_mut_ptr().cast(), bytes: scratch.len() },
        options: native::CullOptions {
            method: options.method,
            isa: options.isa,
            runner: runner_of(&options.runner),
            ..Default::default()
        },
    };
    check(unsafe { native::lanecull_cull(&call) })
}

// Runners

/// Who runs a call's tasks.
///
/// # Safety
/// run() calls each task, from 0 to count - 1, exactly once, on any threads, and returns when all have returned.
pub unsafe trait Runner: Sync {
    fn run(&self, count: u32, task: &Task);
}

/// A piece of work in many tasks.
#[repr(transparent)]
pub struct Task(native::Task);

unsafe impl Sync for Task {}

impl Task {
    /// Does task `index`.
    ///
    /// # Safety
    /// Only Runner::run() may call it, once for each index.
    pub unsafe fn call(&self, index: u32) {
        unsafe { self.0.call.unwrap_unchecked()(self.0.context, index) }
    }
}

/// So many threads, the calling one among them, which are started anew for each run.
pub struct Threads(pub usize);

unsafe impl Runner for Threads {
    fn run(&self, count: u32, task: &Task) {
        let next = AtomicU64::new(0);
        let work = || loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count.into() {
                break;
            }
            unsafe { task.call(index as u32) }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.0 {
                // Where no thread can be had, the others do its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }
}

/// What C calls. It reads the reference, which must stay where it is.
fn runner_of(runner: &Option<&dyn Runner>) -> native::Runner {
    unsafe extern "C" fn run(myself: *mut c_void, count: u32, task: *const native::Task) {
        let (runner, task) = unsafe { (*myself.cast::<&dyn Runner>(), &*task.cast::<Task>()) };
        if catch_unwind(AssertUnwindSafe(|| runner.run(count, task))).is_err() {
            std::process::abort(); // a panic must not pass through the library
        }
    }
    match runner {
        None => native::Runner { self_: null_mut(), run: None },
        Some(given) => native::Runner { self_: given as *const &dyn Runner as *mut c_void, run: Some(run) },
    }
}

// Scenes

/// Objects, owned and ordered, that are known by handles: lanecull_scene.
pub struct Scene(NonNull<native::Scene>);

// Whoever has &Scene only reads it.
unsafe impl Send for Scene {}
unsafe impl Sync for Scene {}

impl Drop for Scene {
    fn drop(&mut self) {
        unsafe { native::lanecull_destroy_scene(self.as_ptr()) }
    }
}

impl Scene {
    pub fn new() -> Result<Scene> {
        check_form()?;
        match NonNull::new(unsafe { native::lanecull_create_scene() }) {
            Some(scene) => Ok(Scene(scene)),
            None => Err(Error { code: StatusCode::OUT_OF_MEMORY, sentence: "scene: not enough memory".into() }),
        }
    }

    /// For the functions of `native`.
    pub fn as_ptr(&self) -> *mut native::Scene {
        self.0.as_ptr()
    }

    /// Adds copies of the batches' objects, whose coordinates are relative to `origin`; their handles.
    pub fn add(&mut self, batches: &[Batch], mobility: Mobility, origin: [f64; 3]) -> Result<Vec<u32>> {
        let mut handles = vec![0; batches.iter().map(Batch::count).sum()];
        let options = native::AddOptions { mobility, origin, ..Default::default() };
        check(unsafe {
            native::lanecull_scene_add(
                self.as_ptr(),
                batches.as_ptr().cast(),
                batches.len(),
                &options,
                null(),
                handles.as_mut_ptr(),
                handles.len(),
            )
        })?;
        Ok(handles)
    }

    pub fn remove(&mut self, handles: &[u32]) -> Result<()> {
        check(unsafe { native::lanecull_scene_remove(self.as_ptr(), handles.as_ptr(), handles.len()) })
    }

    /// Object i of the batch takes the place of handles[i].
    pub fn replace(&mut self, handles: &[u32], batch: &Batch) -> Result<()> {
        check(unsafe {
            native::lanecull_scene_replace(self.as_ptr(), handles.as_ptr(), handles.len(), &batch.native)
        })
    }

    /// Object i of the batch says where handles[i], of the same kind, is from now on.
    pub fn place(&mut self, handles: &[u32], batch: &Batch) -> Result<()> {
        check(unsafe {
            native::lanecull_scene_place(self.as_ptr(), handles.as_ptr(), handles.len(), &batch.native, null())
        })
    }

    /// Adds (x[i], y[i], z[i]) to the coordinates of handles[i].
    pub fn shift(&mut self, handles: &[u32], [x, y, z]: [&[f32]; 3]) -> Result<()> {
        let n = handles.len();
        let (x, y, z) = (numbers(x, n, "by[0]")?, numbers(y, n, "by[1]")?, numbers(z, n, "by[2]")?);
        check(unsafe { native::lanecull_scene_move(self.as_ptr(), handles.as_ptr(), n, x, y, z) })
    }

    /// Must be called between edits and culls.
    pub fn refit(&mut self, refit: Refit) -> Result<()> {
        check(unsafe { native::lanecull_scene_refit(self.as_ptr(), refit, null()) })
    }

    /// Moves objects into better blocks for so long; true when all have been read.
    pub fn rebuild_within(&mut self, time: Duration) -> Result<bool> {
        let mut done = native::PartialRebuild::default();
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        check(unsafe { native::lanecull_scene_rebuild_within(self.as_ptr(), nanoseconds, &mut done) })?;
        Ok(done.all_seen != 0)
    }

    /// Sorts everything again.
    pub fn rebuild(&mut self) -> Result<()> {
        check(unsafe { native::lanecull_scene_rebuild(self.as_ptr(), null()) })
    }

    /// Whether there are edits since the last refit().
    pub fn is_stale(&self) -> bool {
        unsafe { native::lanecull_scene_is_stale(self.as_ptr()) != 0 }
    }

    /// How many objects there are.
    pub fn count(&self) -> usize {
        unsafe { native::lanecull_scene_object_count(self.as_ptr()) as usize }
    }

    /// The object's place in the bits, which edits change.
    pub fn slot_of(&self, handle: u32) -> Result<u32> {
        let mut slot = 0;
        check(unsafe { native::lanecull_scene_slot_of(self.as_ptr(), handle, &mut slot) })?;
        Ok(slot)
    }

    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = utf8(path.as_ref())?;
        check(unsafe { native::lanecull_scene_save(self.as_ptr(), path.as_ptr()) })
    }

    /// Reads such a file, whose objects replace those that are here. On failure nothing has changed.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let path = utf8(path.as_ref())?;
        check(unsafe { native::lanecull_scene_load(self.as_ptr(), path.as_ptr(), null()) })
    }
}

fn utf8(path: &Path) -> Result<CString> {
    match path.to_str().map(CString::new) {
        Some(Ok(text)) => Ok(text),
        _ => invalid("path: must be UTF-8 without null characters".into()),
    }
}

// What is handed to C as an array of structs is one.
const _: () = assert!(mem::size_of::<Batch>() == mem::size_of::<native::Batch>());
const _: () = assert!(mem::size_of::<Output>() == mem::size_of::<native::Output>());
