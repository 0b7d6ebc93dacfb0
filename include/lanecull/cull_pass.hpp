#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/export.hpp>
#include <lanecull/light.hpp>
#include <lanecull/memory.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/scene.hpp>
#include <lanecull/shadow.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// The culling pass of a frame: what every camera draws, and what goes into every shadow map of the suns and lamps,
/// over batches or over a scene. Once, when it is known how much a frame may have:
///
///     CullPass pass;
///     pass.reserve({.cameras = 2, .cascades = 4, .lamps = 64}, batches);
///
/// then each frame
///
///     pass.plan(frame, batches);          where the shadow maps are: around what each slice of a camera's view shows
///     pass.prepare();                     what may be drawn into the pictures, and what may cast shadows into them
///     pass.cull(batches, outputs);        all views: bits, indices, runs, draw commands, whatever each output asks for
///
/// or run(), which does all three. Steps may be repeated: one plan may be prepared in several ways, and one prepared
/// frame culled any number of times.
///
/// *Views* are numbered: first the cameras; then the cascades, camera by camera; then the maps of the lamps, lamp by
/// lamp, a cube map's six faces in the order of cube_map_face(), or a spot's one map. There is one output for each, in
/// that order. Map k, of cascades and lamps, is that of view `cameras + k`.
///
/// A reflection is a camera whose matrix is mirrored, with the mirror's plane among its clip planes. Split screens and
/// eyes are cameras, too.
///
/// What is shared. A camera's view is prepared once for all its lights. Receivers are found for all its slices at once.
/// A lamp is first asked about as a whole, for each camera: what its range reaches, and can cast a shadow into the
/// view. Only that is asked about for its maps. A lamp that lights nothing in view costs no cull.
///
/// A camera, or a slice of its view, of which clip planes leave nothing has a view that sees nothing
/// (View::sees_nothing()), and no receivers; so does a slice in which nothing is seen. The frame's other views are as
/// they are without it.
///
/// Distances and projected sizes that limit objects are those that the camera sees, for its cascades and lamps, too. A
/// lamp of several cameras is limited as a whole, for each of them; its maps' own volumes are not.
///
/// Memory. reserve() takes all of it. Nothing else allocates, and nothing throws.
///
/// Threads. Calls to the same pass must not overlap in time. Different passes share nothing. A runner gets the
/// culls, the search for receivers and the preparing of views; a call uses it several times, one after the other.
/// Results do not depend on it, byte for byte.
namespace lanecull {

/// A sun, and the cascades of shadow maps by which a camera sees its shadows.
struct PassSun {
    Sun sun;
    /// Where shadows begin and end: depths within the camera's view, where w is that. 0 < near < far, both finite.
    double near_depth = 0, far_depth = 0;
    std::uint32_t cascades = 4;  ///< 1 to 8
    double logarithmic = 0.8;    ///< where they meet, as for split_depths()
    SunMapOptions map = {};      ///< `toward` is not read: it is the sun's
    /// How far from a point's own place in a map shading reads it, the offset of the point itself included, in texels.
    /// 0 to 65,536.
    double filter_texels = 4.5;
    std::uint32_t layer_mask = ~std::uint32_t{0};  ///< of casters, as ViewOptions::layer_mask
};

struct PassCamera {
    /// What shaders use, as for prepare_view(). With a sun: perspective.
    std::array<double, 16> clip_from_world = {};
    ClipSpace clip_space = {};
    /// Clip planes, margin, layers, eye and size scale of its view; no light. What lamps light of it is cut by the clip
    /// planes as well, and what receives in a cascade by the first two of them.
    ViewOptions options = {};
    const PassSun* sun = nullptr;  ///< null: none
};

/// A lamp's map if it has one, not six: a pyramid, as for spot_map().
struct PassSpot {
    double forward[3] = {0, 0, 0};
    double up[3] = {0, 0, 0};
    double tan_x = 1, tan_y = 1;
};

struct PassLamp {
    double at[3] = {0, 0, 0};                      ///< world coordinates, up to 1e30
    double range = 0;                              ///< finite: what it lights is no farther away. Its maps end there
    double near_depth = 0;                         ///< where its maps begin, 0 < near < range
    std::uint32_t texels = 512;                    ///< of each map's side, 16 to 65,536
    double filter_texels = 4.5;                    ///< as PassSun::filter_texels
    std::uint32_t layer_mask = ~std::uint32_t{0};  ///< of casters
    const PassSpot* spot = nullptr;                ///< null: a cube map of six faces
    /// Numbers of the cameras in whose pictures its shadows are. Empty: all.
    std::span<const std::uint32_t> cameras = {};
};

/// What a frame shows. plan() keeps the spans, not what they point to: it must stay as it is until the frame has been
/// prepared for the last time.
struct PassFrame {
    std::span<const PassCamera> cameras;  ///< at least one
    std::span<const PassLamp> lamps = {};
};

/// How many views a frame has, and so how many outputs.
[[nodiscard]] LANECULL_API std::size_t view_count(const PassFrame& frame) noexcept;

/// The most that a frame may have.
struct PassLimits {
    std::uint32_t cameras = 1;
    std::uint32_t cascades = 0;  ///< of all cameras together
    std::uint32_t lamps = 0;
};

/// Which objects are drawn into shadow maps.
enum class Casters : std::uint8_t {
    frustum,  ///< what meets the map's own volume, which for a sun has no end towards it: every texel is right
    /// What can cast a shadow into a camera's view, the filter's width counted: every texel that shading reads is
    /// right. Of a cascade exactly what casts into what is received there. Of a lamp's map what meets the map's own
    /// volume, among what casts a shadow of the lamp into one of its cameras' views.
    volume,
};

/// A slice of a camera's view, which has a sun's map of its own.
struct Cascade {
    double near_depth = 0, far_depth = 0;
    WorldBox receivers = {};  ///< around what is visible of it
};

class LANECULL_API CullPass {
public:
    /// Where there is no memory for it, reserve() asks again.
    CullPass() noexcept;
    CullPass(CullPass&& other) noexcept;
    CullPass& operator=(CullPass&& other) noexcept;
    ~CullPass();

    /// Takes memory for frames of up to that much over these objects, or over as many of other batches or scenes, if
    /// their visibility words and scratch memory are no more. Never gives memory back. A frame that was planned is
    /// forgotten, unless the call fails: for lack of memory, or if `limits` have no camera or more than 65,536 of
    /// anything.
    ///
    /// Takes 8 bytes for each 64 objects and each camera, or each pair of a lamp and a camera, whichever are more; the
    /// scratch memory of a cull of up to 64 views; 3.5 KB for each view and each pair; and some 14 KB.
    Status reserve(const PassLimits& limits, const Objects& objects) noexcept;

    /// Chooses the maps. Culls the views of cameras that have a sun, and finds the receivers of each slice among what
    /// they see. Of `options` view_masks are not read.
    ///
    /// Fails if the frame breaks a rule or is more than reserve() was for, or as cull() does; the message names the
    /// argument. Nothing is planned then.
    Status plan(const PassFrame& frame, const Objects& objects, const CullOptions& options = {}) noexcept;
    /// The same with a box that has the receivers of every slice in it, such as one around all objects. Culls nothing.
    Status plan(const PassFrame& frame, const WorldBox& receivers, const Runner& runner = {}) noexcept;

    /// Prepares the views of the planned frame. Fails if none is planned, or as the functions do that prepare views.
    Status prepare(Casters casters = Casters::volume, const Runner& runner = {}) noexcept;

    /// Culls all views of the frame that has been prepared. outputs: one for each view. They are written as by a cull
    /// of each view() by itself; for a lamp's maps among the candidates that the lamp reaches.
    ///
    /// `candidates` may be given for views of cameras and cascades; the lamps' are the pass's own. `occluders` may be
    /// given for any view, each seen from that view's own eye or light. Receivers are found without them.
    ///
    /// options.view_masks must be empty. Fails before anything is written if no frame is prepared, or as the cull does.
    /// (That outputs overlap is found among each 64 that follow one another.)
    Status cull(const Objects& objects, std::span<Output> outputs, const CullOptions& options = {}) noexcept;

    /// plan(), prepare() and cull().
    Status run(const PassFrame& frame, const Objects& objects, std::span<Output> outputs,
               Casters casters = Casters::volume, const CullOptions& options = {}) noexcept;

    // What was planned: empty and 0 before. Cameras and lamps must be among the frame's.

    [[nodiscard]] std::size_t view_count() const noexcept;
    /// The maps of all cascades, then of all lamps.
    [[nodiscard]] std::span<const ShadowMap> maps() const noexcept;
    /// The cascades of a camera, and the number of the first one's view.
    [[nodiscard]] std::span<const Cascade> cascades(std::size_t camera) const noexcept;
    [[nodiscard]] std::size_t first_cascade_view(std::size_t camera) const noexcept;
    /// The number of the view of a lamp's first map.
    [[nodiscard]] std::size_t first_lamp_view(std::size_t lamp) const noexcept;

    /// View v, 0 to view_count() - 1, of the frame as prepared; not prepared() if a lamp reaches nothing that is seen.
    [[nodiscard]] const View& view(std::size_t v) const noexcept;

    /// The pass's memory. Not part of the interface.
    struct Contents;

private:
    Owned<Contents> contents_;
};

}  // namespace lanecull
