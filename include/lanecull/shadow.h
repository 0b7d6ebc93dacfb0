#pragma once

/// Shadow maps: where to cut a camera's view into cascades, which matrices to render them with, and what to render into
/// each; one by one, and for whole frames (lanecull_cull_pass, below).
///
/// Matrices and depths are chosen in doubles, and nothing is proved about them: any choice is right. A cull by
/// a view that these functions prepare is proved, as always. A frame with a directional light:
///
///   lanecull_split_depths()    depths that part the camera's view into slices
///   lanecull_cull()            the camera's view: visible words
///   lanecull_slice_bounds()    (visible_bounds.h) a box around what is visible of each slice: its receivers
///   per slice:
///     lanecull_fit_directional_map()       an orthographic matrix around the slice's receivers
///     lanecull_prepare_cascade_casters()   a view of what casts shadows into them; lanecull_cull() with it
///     lanecull_prepare_covered()           of a finer map: what lies inside of its sides need not go into coarser ones
///
/// A frame with a point light: lanecull_spot_map() or lanecull_cube_map_face(), with lanecull_prepare_view() and
/// ViewOptions::point_light for the casters; lanecull_prepare_caster_views() for many point lights and faces at once.
/// All of these functions are thread-safe and allocate nothing. If an argument breaks its rule, or one that is not
/// optional is null, they fail and write nothing.

#include <lanecull/cull.h>
#include <lanecull/light_grid.h>
#include <lanecull/types.h>
#include <lanecull/view.h>
#include <lanecull/visible_bounds.h>

/// A perspective camera's view between two depths, measured along its view direction from where w is 0.
LANECULL_STRUCT(Slice, slice) {
#ifdef __cplusplus
    Numbers<const double, 16> clip_from_world;  ///< as for lanecull_prepare_view()
#else
    const double* clip_from_world;  ///< 16 numbers, as for lanecull_prepare_view()
#endif
    lanecull_clip_space clip_space LANECULL_0;
    double near_depth LANECULL_0;  ///< near_depth < far_depth, both finite
    double far_depth LANECULL_0;
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(slice, 72)

/// A matrix to render a shadow map with: column-major, depth 0 to 1, to be read with `clip_space`.
/// lanecull_engine_map() makes one of a matrix that an engine has already.
LANECULL_STRUCT(ShadowMap, shadow_map) {
    double clip_from_world[16] LANECULL_0;
    lanecull_clip_space clip_space LANECULL_0;  ///< column-major, depth 0 to 1, and the map's own origin
    /// The planes of the map's four sides: left, right, bottom, top. For a point light's map they serve as
    /// PointLight::sides.
    lanecull_plane sides[4] LANECULL_0;
    double texel_size LANECULL_0;        ///< width of a texel in world units; of a perspective map, at distance 1
    uint32_t is_perspective LANECULL_0;  ///< 1 or 0
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(shadow_map, 336)

/// Of a directional light's map.
LANECULL_STRUCT(DirectionalMapOptions, directional_map_options) {
    double toward[3] LANECULL_0;  ///< as DirectionalLight::toward
    double up[3] LANECULL_0;      ///< up in the map; any direction but along `toward`. Zeros: (0, 1, 0)
    uint32_t texels LANECULL_0;   ///< along each side of the square map, 16 to 65,536; 0: 2048
    /// 0: the map's size follows from the slice's shape alone, and its place moves by whole texels, so that shadows do
    /// not shimmer while the camera moves and turns. 1: the map fits the receivers as tightly as its axes allow.
    uint32_t is_tight LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(directional_map_options, 88)

/// Views of one call of lanecull_prepare_caster_views().
#define LANECULL_MAX_CASTER_VIEWS 1073741824u

LANECULL_C_BEGIN
/// depths[0] = near_depth < depths[1] < ... < depths[n] = far_depth: the ends of n = depth_count - 1 slices, at
/// least 1. `logarithmic` from 0 to 1 mixes two splits: 0 makes all slices equally long (uniform); 1 makes each slice
/// end at the same multiple of where it begins (logarithmic); between them it is the weight of the logarithmic one (the
/// practical split of Zhang, Sun, Xu and Lun, Parallel-Split Shadow Maps for Large-scale Virtual Environments, 2006).
/// 0 < near_depth < far_depth, both finite. Where no doubles are left between them, depths are equal.
LANECULL_API lanecull_status lanecull_split_depths(double near_depth, double far_depth, double logarithmic,
                                                   double* depths, size_t depth_count) LANECULL_NOEXCEPT;

/// The two half-spaces that bound the slice, besides the camera's own: clip planes for its view. If two slices meet at
/// a depth, every point there is in at least one of them.
LANECULL_API lanecull_status lanecull_slice_planes(const lanecull_slice* slice,
                                                   lanecull_plane* planes) LANECULL_NOEXCEPT;
/// The slice's corners, 24 numbers, x y z each, rounded. Bit 0 of the index: right, bit 1: top, bit 2: far.
LANECULL_API lanecull_status lanecull_slice_corners(const lanecull_slice* slice, double* corners) LANECULL_NOEXCEPT;

/// An orthographic map around the part of the slice that is in the box (of the receivers). Its depth goes from the
/// part's end nearest to the light to its other end. Casters may stand before that; render them with depth clamp, so
/// that they get depth 0.
LANECULL_API lanecull_status lanecull_fit_directional_map(const lanecull_slice* slice,
                                                          const lanecull_world_box* receivers,
                                                          const lanecull_directional_map_options* options,
                                                          lanecull_shadow_map* map) LANECULL_NOEXCEPT;

/// A view of what casts shadows into the part of the slice that is in the box. options->directional_light or
/// options->point_light is the light; options->clip_planes has at most 2 planes. The view is exact. If the box is
/// empty, has nothing of the slice in it, or clip planes leave nothing of the slice, the view sees nothing. The casters
/// found are also in the light's frustum, if that is around the same receivers, so no second test is needed.
LANECULL_API lanecull_status lanecull_prepare_cascade_casters(const lanecull_slice* slice,
                                                              const lanecull_world_box* receivers,
                                                              const lanecull_view_options* options,
                                                              lanecull_view* view) LANECULL_NOEXCEPT;

/// Prepares a view of what casts shadows into a camera's view for each of many lights. views[i] becomes, to the byte,
/// what lanecull_prepare_view() makes of options[i]; what the lights share, the camera's planes and corners, is found
/// once. Each of the options has a light, and all have the same array of clip planes. A task of the runner prepares
/// eight views. `clip_space` and `runner` are optional.
///
/// Fails, leaving all views untouched, if the arrays differ in length or are longer than LANECULL_MAX_CASTER_VIEWS, if
/// one of the options has no light or other clip planes than options[0], or as lanecull_prepare_view() does. Messages
/// about options name options[i].
///
/// A view takes some microseconds (benchmarks prepare/64_lamps_6_faces).
LANECULL_API lanecull_status lanecull_prepare_caster_views(const double* clip_from_world,
                                                           const lanecull_clip_space* clip_space,
                                                           const lanecull_view_options* options, size_t option_count,
                                                           const lanecull_runner* runner, lanecull_view* views,
                                                           size_t view_count) LANECULL_NOEXCEPT;

/// A view that finds what need not be rendered into coarser maps. An object in Output::inside of this view lies
/// between the map's four sides, at least `border` texels away from each; so its shadow lies wholly in what this map
/// covers. That is proved, like everything that is reported inside. For shading that takes the finest map that covers a
/// point. Fails if the map's texel is below 0 or NaN, or the border is not from 0 to 65,536 texels.
LANECULL_API lanecull_status lanecull_prepare_covered(const lanecull_shadow_map* directional_map, double border,
                                                      lanecull_view* view) LANECULL_NOEXCEPT;

/// A perspective map of a point light at `at` that faces along `forward`, of any length, with `up` in any direction but
/// along it: 3 numbers each. tan_x and tan_y, from 1e-6 to 1e6, are half the map's width and height at distance 1.
/// 0 < near_depth < far_depth. The map has 16 to 65,536 `texels` along each side.
LANECULL_API lanecull_status lanecull_spot_map(const double* at, const double* forward, const double* up, double tan_x,
                                               double tan_y, double near_depth, double far_depth, uint32_t texels,
                                               lanecull_shadow_map* map) LANECULL_NOEXCEPT;
/// One of the six faces, 0 to 5, of a cube map around `at`, in the order +x -x +y -y +z -z, with the directions by
/// which Vulkan, Direct3D and OpenGL sample it: mirrored, and with clip space's +y where the map's rows begin, as
/// Direct3D stores them.
LANECULL_API lanecull_status lanecull_cube_map_face(const double* at, uint32_t face, double near_depth,
                                                    double far_depth, uint32_t texels,
                                                    lanecull_shadow_map* map) LANECULL_NOEXCEPT;

/// The map of `width` times `height` texels that an engine draws with a matrix of its own. Its texel_size is that of
/// the wider of a texel's two sides. If the matrix has depth -1 to 1, the map's has 0 to 1, rounded.
/// `clip_space` is optional.
///
/// The casters into such a map are found by one view, of the camera with the light: a directional light's map gives
/// ViewOptions its four sides as clip planes, a point light's gives them to PointLight::sides. Shading that reads a
/// shadow up to k texels away from a point needs the casters into everything within k * texel_size of the view, under a
/// perspective matrix within k * texel_size * (the light's range): ViewOptions::margin. A directional light's
/// perspective matrix has no such range.
///
/// Sides and texels are rounded, not enclosed; any margin makes up for that. Fails if a side has not 16 to 65,536
/// texels, a number is not finite, or the matrix makes no map.
LANECULL_API lanecull_status lanecull_engine_map(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                                 uint32_t width, uint32_t height,
                                                 lanecull_shadow_map* map) LANECULL_NOEXCEPT;
LANECULL_C_END

/// A directional light, and the cascades of shadow maps by which a camera sees its shadows.
LANECULL_STRUCT(PassDirectionalLight, pass_directional_light) {
    lanecull_directional_light directional_light LANECULL_0;
    /// Where shadows begin and end: depths within the camera's view, where w is that.
    /// 0 < near_depth < far_depth, both finite.
    double near_depth LANECULL_0;
    double far_depth LANECULL_0;
    uint32_t cascades LANECULL_0;       ///< 1 to 8; 0: 4
    uint32_t hidden_layers LANECULL_0;  ///< of casters, as ViewOptions::hidden_layers
    /// Where cascades meet, up to 1, as for lanecull_split_depths(). 0: 0.8; below 0: all slices are equally long.
    double logarithmic LANECULL_0;
    lanecull_directional_map_options map LANECULL_0;  ///< `toward` is not read: it is the light's
    /// How far from a point's own place in a map shading reads it, the offset of the point itself included, in texels;
    /// up to 65,536. 0: 4.5; below 0: shading reads the point's own place alone.
    double filter_texels LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(pass_directional_light, 208)

/// Lights in cells of a camera's view (light_grid.h). They need not be the frame's point lights: these have shadow
/// maps.
LANECULL_STRUCT(PassLightCells, pass_light_cells) {
    /// Of its numbers clip_from_world and clip_space are not read: they are the camera's.
    lanecull_light_grid grid LANECULL_0;
    lanecull_lights lights LANECULL_0;
    lanecull_light_lists* lists LANECULL_0;  ///< not null; no other camera's
    /// Receives the bits of lights that lanecull_cull_lights() finds, given the box around what the camera sees, wider
    /// by its margin, and its occluders, but for those of which an owner is not seen. Empty: they are not wanted.
    lanecull_words visible LANECULL_0;
    /// 1: the lights also light what is none of the objects, such as fog: the camera's view alone culls them.
    uint32_t has_other_receivers LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(pass_light_cells, 312)

LANECULL_STRUCT(PassCamera, pass_camera) {
    /// What shaders use, as for lanecull_prepare_view(). With a directional light: perspective.
    double clip_from_world[16] LANECULL_0;
    lanecull_clip_space clip_space LANECULL_0;
    /// Clip planes, margin, layers, eye and size scale of its view; no light. The point lights' part of it is cut by
    /// the clip planes as well, and what receives in a cascade by the first two of them.
    lanecull_view_options options LANECULL_0;
    const lanecull_pass_directional_light* directional_light LANECULL_0;  ///< null: none
    const lanecull_pass_light_cells* light_cells LANECULL_0;              ///< null: none
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(pass_camera, 312)
LANECULL_SPAN(const lanecull_pass_camera, pass_cameras)

/// A spot light: a point light that has one map and not six, a pyramid, as for lanecull_spot_map().
LANECULL_STRUCT(PassSpotLight, pass_spot_light) {
    double forward[3] LANECULL_0;
    double up[3] LANECULL_0;
    double tan_x LANECULL_0;  ///< 0: 1
    double tan_y LANECULL_0;  ///< 0: 1
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(pass_spot_light, 80)

LANECULL_STRUCT(PassPointLight, pass_point_light) {
    double at[3] LANECULL_0;            ///< world coordinates, up to 1e30
    double range LANECULL_0;            ///< > 0, finite: what it lights is no farther away. Its maps end there
    double near_depth LANECULL_0;       ///< where its maps begin, 0 < near_depth < range
    uint32_t texels LANECULL_0;         ///< of each map's side, 16 to 65,536; 0: 512
    uint32_t hidden_layers LANECULL_0;  ///< of casters, as ViewOptions::hidden_layers
    double filter_texels LANECULL_0;    ///< as PassDirectionalLight::filter_texels
    const lanecull_pass_spot_light* spot LANECULL_0;  ///< null: a cube map of six faces
    lanecull_const_indices cameras LANECULL_0;        ///< of those in whose pictures its shadows are. Empty: all
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(pass_point_light, 112)
LANECULL_SPAN(const lanecull_pass_point_light, pass_point_lights)

/// Solids of which a pass chooses occluders for its views by itself, as lanecull_choose_occluders() does among those
/// that share a point with the view: for cameras from their eyes, for maps from the light. (occluder.h says what the
/// caller answers for, in maps as well.)
LANECULL_STRUCT(PassOccluders, pass_occluders) {
    lanecull_solid_set solids LANECULL_0;
    lanecull_raster_margin raster LANECULL_0;  ///< of cameras; in maps a 16th of a texel aside, nothing in depth
    uint32_t max_occluders LANECULL_0;         ///< of a view, 1 to 64; 0: 48
    uint32_t are_for_cameras_alone LANECULL_0;
    lanecull_sight sight LANECULL_0;  ///< of orthographic cameras
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(pass_occluders, 200)

/// What a frame shows. Planning it keeps the spans, not what they point to: it must stay as it is until the frame has
/// been prepared for the last time; `occluders` and cameras' light cells until it has been culled.
LANECULL_STRUCT(PassFrame, pass_frame) {
    lanecull_pass_cameras cameras LANECULL_0;  ///< at least one
    lanecull_pass_point_lights point_lights LANECULL_0;
    const lanecull_pass_occluders* occluders LANECULL_0;  ///< null: the pass chooses none
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(pass_frame, 64)

/// The most that a frame may have: up to 65,536 of each.
LANECULL_STRUCT(PassLimits, pass_limits) {
    uint32_t cameras LANECULL_0;   ///< 0: 1
    uint32_t cascades LANECULL_0;  ///< of all cameras together
    uint32_t point_lights LANECULL_0;
    uint32_t solids LANECULL_0;  ///< up to 2^32 - 1
    /// Views whose Output::order is not ascending; up to 64 of them are culled at once, and need
    /// lanecull_order_bytes().
    uint32_t ordered_views LANECULL_0;
    uint32_t lights_in_cells LANECULL_0;      ///< of a PassLightCells; up to 2^32 - 1
    uint64_t light_scratch_bytes LANECULL_0;  ///< the most that lanecull_light_scratch_bytes() says of one
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(pass_limits, 48)

/// Which objects are drawn into shadow maps.
LANECULL_ENUM(Casters, casters){
    /// All that can cast a shadow into a camera's view, the filter's width counted: every texel that shading reads is
    /// right. A cascade gets exactly what casts into its receivers, a point light's map what meets the map's
    /// own volume, among what casts a shadow of the light into one of its cameras' views.
    LANECULL_VALUE(CASTERS_VOLUME, volume) = 0,
    /// All that meets the map's own volume, which for a directional light has no end towards it: every texel is right.
    LANECULL_VALUE(CASTERS_FRUSTUM, frustum) = 1,
};

/// A slice of a camera's view, which has a directional light's map of its own.
LANECULL_STRUCT(Cascade, cascade) {
    double near_depth LANECULL_0;
    double far_depth LANECULL_0;
    lanecull_world_box receivers LANECULL_0;  ///< around what is visible of it
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(cascade, 80)

/// The culling pass of a frame: what every camera draws, what goes into every shadow map of the directional and point
/// lights, and which lights reach which cells of the cameras' views, over batches or over a scene. Once, when it is
/// known how much a frame may have:
///
///     lanecull_cull_pass* pass = lanecull_create_pass();
///     lanecull_reserve_pass(pass, &limits, &objects);
///
/// then each frame
///
///     lanecull_plan_pass(pass, &frame, &objects, &options);    where the shadow maps are: around what each slice of a
///                                                              camera's view shows
///     lanecull_prepare_pass(pass, casters, runner);            what may be drawn into the pictures, and what may cast
///                                                              shadows into them
///     lanecull_cull_pass_views(pass, &objects, &options, outputs, output_count);    all views: bits, indices, runs,
///                                                              draw commands, whatever each output is given
///
/// or lanecull_run_pass(), which does all three. Steps may be repeated: one plan may be prepared in several ways, and
/// one prepared frame culled any number of times. In C++ the same is
///
///     lanecull::CullPass pass;
///     pass.reserve({.cameras = 2, .cascades = 4, .point_lights = 64}, batches);
///     pass.plan(frame, batches);
///     pass.prepare();
///     pass.cull(batches, outputs);
///
/// *Views* are numbered: first the cameras; then the cascades, camera by camera; then the maps of the point lights,
/// light by light, a cube map's six faces in the order of lanecull_cube_map_face(), or a spot light's one map. There is
/// one output for each, in that order. Map k, of cascades and point lights, is that of view `cameras + k`.
///
/// A reflection is a camera whose matrix is mirrored, with the mirror's plane among its clip planes. Split screens and
/// eyes are cameras, too.
///
/// What is shared. A camera's view is prepared once for all its lights. Receivers are found for all its slices at once.
/// A point light is first tested as a whole, for each camera: what its range reaches, and can cast a shadow into the
/// view. Only that is tested for its maps. A point light that lights nothing in view costs no cull.
///
/// A camera, or a slice of its view, of which clip planes leave nothing has a view that sees nothing
/// (lanecull_view_sees_nothing()), and no receivers; so does a slice in which nothing is seen. The frame's other views
/// are as they are without it.
///
/// Distances and projected sizes that limit objects are those that the camera sees, for its cascades and point lights,
/// too. A point light of several cameras is limited as a whole, for each of them; its maps' own volumes are not.
///
/// Memory. lanecull_create_pass() takes some bytes, and lanecull_reserve_pass() all the rest. Nothing else allocates,
/// and nothing throws. Functions to which the pass is null, for there was no memory for it, fail with
/// LANECULL_OUT_OF_MEMORY.
///
/// Threads. Calls to the same pass must not overlap in time. Different passes share nothing. A runner gets the
/// culls, the search for receivers and the preparing of views; a call uses it several times, one after the other.
/// Results do not depend on it, byte for byte.
typedef struct lanecull_cull_pass lanecull_cull_pass;

LANECULL_C_BEGIN
/// How many views a frame has, and so how many outputs.
LANECULL_API size_t lanecull_frame_view_count(const lanecull_pass_frame* frame) LANECULL_NOEXCEPT;

/// Without memory for a frame yet.
LANECULL_API lanecull_cull_pass* lanecull_create_pass(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_pass(lanecull_cull_pass* pass) LANECULL_NOEXCEPT;

/// Takes memory for frames of up to that much over these objects, or over as many of other batches or scenes, if
/// their visibility words and scratch memory are no more. Never gives memory back. A frame that was planned is
/// forgotten, unless the call fails: for lack of memory, or if `limits` have more than 65,536 of anything. `limits` are
/// optional.
///
/// Takes 8 bytes for each 64 objects and each camera, or each pair of a point light and a camera, whichever are more;
/// the scratch memory of a cull of up to 64 views, so many of them ordered; 3.7 KB for each view and each pair; and
/// some 14 KB. With lights in cells, 37 KB, up to 8 bytes for each 64 objects and each camera, and the limits' bytes
/// where these are more than that scratch memory. With solids, 24 bytes for each, for each view besides 260 bytes, for
/// each of up to 64 views 37 KB and a bit a solid, 8 times a choice's scratch memory, and that of culling all boxes.
LANECULL_API lanecull_status lanecull_reserve_pass(lanecull_cull_pass* pass, const lanecull_pass_limits* limits,
                                                   const lanecull_objects* objects) LANECULL_NOEXCEPT;

/// Chooses the maps. Culls the views of cameras that have a directional light, and finds the receivers of each slice
/// among what they see. `options` are optional; their view_masks are not read.
///
/// Fails if the frame breaks a rule or is more than was reserved for, or as lanecull_cull() does; the message names the
/// argument. Nothing is planned then.
LANECULL_API lanecull_status lanecull_plan_pass(lanecull_cull_pass* pass, const lanecull_pass_frame* frame,
                                                const lanecull_objects* objects,
                                                const lanecull_cull_options* options) LANECULL_NOEXCEPT;
/// The same with a box that has the receivers of every slice in it, such as one around all objects. Culls nothing.
/// `runner` is optional.
LANECULL_API lanecull_status lanecull_plan_pass_in_box(lanecull_cull_pass* pass, const lanecull_pass_frame* frame,
                                                       const lanecull_world_box* receivers,
                                                       const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// Prepares the views of the planned frame. Fails if none is planned, or as the functions do that prepare views.
/// `runner` is optional.
LANECULL_API lanecull_status lanecull_prepare_pass(lanecull_cull_pass* pass, lanecull_casters casters,
                                                   const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// Culls all views of the frame that has been prepared. outputs: one for each view. They are written as by a cull
/// of each lanecull_pass_view() by itself; for a point light's maps among the candidates that the light reaches.
/// `options` are optional.
///
/// Output::candidates may be given for views of cameras and cascades; the point lights' are the pass's own.
/// Output::occluders may be given for any view, each seen from that view's own eye or light. Where a view is given
/// none, the pass chooses some if the frame has PassOccluders, tasks of the runner several views at a time; a camera
/// that no viewpoint can be prepared for (occluder.h) has none. Receivers are found without occluders.
///
/// Then assigns the lights in cells, camera by camera: LightLists are written as lanecull_assign_lights() writes them.
/// Such a camera's Output::visible is read, where it is given.
///
/// options->view_masks must be empty. Fails before anything is written if no frame is prepared, or as lanecull_cull()
/// does. (That outputs overlap is found among each 64 that follow one another.)
LANECULL_API lanecull_status lanecull_cull_pass_views(lanecull_cull_pass* pass, const lanecull_objects* objects,
                                                      const lanecull_cull_options* options, lanecull_output* outputs,
                                                      size_t output_count) LANECULL_NOEXCEPT;

/// lanecull_plan_pass(), lanecull_prepare_pass() by the options' runner, and lanecull_cull_pass_views().
LANECULL_API lanecull_status lanecull_run_pass(lanecull_cull_pass* pass, const lanecull_pass_frame* frame,
                                               const lanecull_objects* objects, lanecull_casters casters,
                                               const lanecull_cull_options* options, lanecull_output* outputs,
                                               size_t output_count) LANECULL_NOEXCEPT;

/// What was planned. Numbers are 0 and pointers null before, and of a camera or point light that is none of the
/// frame's. What pointers point to changes with the next plan and goes with the pass.
///
/// How many views the frame has: how many outputs.
LANECULL_API size_t lanecull_pass_view_count(const lanecull_cull_pass* pass) LANECULL_NOEXCEPT;
/// The maps of all cascades, then of all point lights, in a row; and how many there are.
LANECULL_API const lanecull_shadow_map* lanecull_pass_maps(const lanecull_cull_pass* pass) LANECULL_NOEXCEPT;
LANECULL_API size_t lanecull_pass_map_count(const lanecull_cull_pass* pass) LANECULL_NOEXCEPT;
/// The cascades of a camera, in a row; how many there are; and the number of the first one's view.
LANECULL_API const lanecull_cascade* lanecull_pass_cascades(const lanecull_cull_pass* pass,
                                                            size_t camera) LANECULL_NOEXCEPT;
LANECULL_API size_t lanecull_pass_cascade_count(const lanecull_cull_pass* pass, size_t camera) LANECULL_NOEXCEPT;
LANECULL_API size_t lanecull_pass_first_cascade_view(const lanecull_cull_pass* pass, size_t camera) LANECULL_NOEXCEPT;
/// The number of the view of a point light's first map.
LANECULL_API size_t lanecull_pass_first_point_light_view(const lanecull_cull_pass* pass,
                                                         size_t light) LANECULL_NOEXCEPT;

/// The numbers of the solids that the last cull chose for view v, most promising first; and how many there are.
LANECULL_API const uint32_t* lanecull_pass_chosen_solids(const lanecull_cull_pass* pass, size_t v) LANECULL_NOEXCEPT;
LANECULL_API size_t lanecull_pass_chosen_solid_count(const lanecull_cull_pass* pass, size_t v) LANECULL_NOEXCEPT;

/// View v, 0 to lanecull_pass_view_count() - 1, of the frame as prepared; one that is not prepared if a point light
/// reaches nothing that is seen, if no frame is prepared, or if there is no view v. Never null.
LANECULL_API const lanecull_view* lanecull_pass_view(const lanecull_cull_pass* pass, size_t v) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
inline constexpr size_t max_caster_views = LANECULL_MAX_CASTER_VIEWS;

/// The functions above, for C++.
[[nodiscard]] inline Status split_depths(double near_depth, double far_depth, double logarithmic,
                                         Span<double> depths) noexcept {
    return lanecull_split_depths(near_depth, far_depth, logarithmic, depths.items, depths.count);
}
[[nodiscard]] inline Status slice_planes(const Slice& slice, Numbers<Plane, 2> planes) noexcept {
    return lanecull_slice_planes(&slice, planes.first);
}
[[nodiscard]] inline Status slice_corners(const Slice& slice, Numbers<double, 24> corners) noexcept {
    return lanecull_slice_corners(&slice, corners.first);
}
[[nodiscard]] inline Status fit_directional_map(const Slice& slice, const WorldBox& receivers,
                                                const DirectionalMapOptions& options, ShadowMap& map) noexcept {
    return lanecull_fit_directional_map(&slice, &receivers, &options, &map);
}
[[nodiscard]] inline Status prepare_cascade_casters(const Slice& slice, const WorldBox& receivers,
                                                    const ViewOptions& options, View& view) noexcept {
    return lanecull_prepare_cascade_casters(&slice, &receivers, &options, &view);
}
[[nodiscard]] inline Status prepare_caster_views(Numbers<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                                 Span<const ViewOptions> options, Span<View> views,
                                                 const Runner& runner = {}) noexcept {
    return lanecull_prepare_caster_views(clip_from_world.first, &clip_space, options.items, options.count, &runner,
                                         views.items, views.count);
}
[[nodiscard]] inline Status prepare_covered(const ShadowMap& directional_map, double border, View& view) noexcept {
    return lanecull_prepare_covered(&directional_map, border, &view);
}
[[nodiscard]] inline Status spot_map(const double (&at)[3], const double (&forward)[3], const double (&up)[3],
                                     double tan_x, double tan_y, double near_depth, double far_depth, uint32_t texels,
                                     ShadowMap& map) noexcept {
    return lanecull_spot_map(at, forward, up, tan_x, tan_y, near_depth, far_depth, texels, &map);
}
[[nodiscard]] inline Status cube_map_face(const double (&at)[3], uint32_t face, double near_depth, double far_depth,
                                          uint32_t texels, ShadowMap& map) noexcept {
    return lanecull_cube_map_face(at, face, near_depth, far_depth, texels, &map);
}
[[nodiscard]] inline Status engine_map(Numbers<const double, 16> clip_from_world, const ClipSpace& clip_space,
                                       uint32_t width, uint32_t height, ShadowMap& map) noexcept {
    return lanecull_engine_map(clip_from_world.first, &clip_space, width, height, &map);
}
[[nodiscard]] inline size_t view_count(const PassFrame& frame) noexcept { return lanecull_frame_view_count(&frame); }

/// The culling pass of a frame: lanecull_cull_pass, which has how to use it. One that is null (Owned) fails;
/// reserve() tries for memory again.
class CullPass : public Owned<lanecull_cull_pass, lanecull_create_pass, lanecull_destroy_pass> {
public:
    Status reserve(const PassLimits& limits, const Objects& objects) noexcept {
        if (it_ == nullptr) it_ = lanecull_create_pass();
        return lanecull_reserve_pass(it_, &limits, &objects);
    }
    Status plan(const PassFrame& frame, const Objects& objects, const CullOptions& options = {}) noexcept {
        return lanecull_plan_pass(it_, &frame, &objects, &options);
    }
    Status plan(const PassFrame& frame, const WorldBox& receivers, const Runner& runner = {}) noexcept {
        return lanecull_plan_pass_in_box(it_, &frame, &receivers, &runner);
    }
    Status prepare(Casters casters = Casters::volume, const Runner& runner = {}) noexcept {
        return lanecull_prepare_pass(it_, casters, &runner);
    }
    Status cull(const Objects& objects, Span<Output> outputs, const CullOptions& options = {}) noexcept {
        return lanecull_cull_pass_views(it_, &objects, &options, outputs.items, outputs.count);
    }
    Status run(const PassFrame& frame, const Objects& objects, Span<Output> outputs, Casters casters = Casters::volume,
               const CullOptions& options = {}) noexcept {
        return lanecull_run_pass(it_, &frame, &objects, casters, &options, outputs.items, outputs.count);
    }
    // What was planned: empty and 0 before.
    [[nodiscard]] size_t view_count() const noexcept { return lanecull_pass_view_count(it_); }
    /// The maps of all cascades, then of all point lights.
    [[nodiscard]] Span<const ShadowMap> maps() const noexcept {
        return {lanecull_pass_maps(it_), lanecull_pass_map_count(it_)};
    }
    /// The cascades of a camera, and the number of the first one's view.
    [[nodiscard]] Span<const Cascade> cascades(size_t camera) const noexcept {
        return {lanecull_pass_cascades(it_, camera), lanecull_pass_cascade_count(it_, camera)};
    }
    [[nodiscard]] size_t first_cascade_view(size_t camera) const noexcept {
        return lanecull_pass_first_cascade_view(it_, camera);
    }
    /// The number of the view of a point light's first map.
    [[nodiscard]] size_t first_point_light_view(size_t light) const noexcept {
        return lanecull_pass_first_point_light_view(it_, light);
    }
    /// The numbers of the solids that the last cull chose for view v.
    [[nodiscard]] Span<const uint32_t> chosen_solids(size_t v) const noexcept {
        return {lanecull_pass_chosen_solids(it_, v), lanecull_pass_chosen_solid_count(it_, v)};
    }
    /// View v, 0 to view_count() - 1, of the frame as prepared; not prepared() if a point light reaches nothing that is
    /// seen.
    [[nodiscard]] const View& view(size_t v) const noexcept { return *lanecull_pass_view(it_, v); }
};
}  // namespace lanecull
#endif
