#include <lanecull/bounds.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/frame_field.hpp"
#include "yardsticks/yardstick_planes.hpp"
#include "yardsticks/yardstick_world.hpp"

/// A whole frame of eleven views, camera, four cascades and six faces of a point light, over the frame field: slices
/// and what they show, maps, views, culls, draw commands. Beside it an expert's frame who settles for six planes: the
/// same eleven frusta, bits, and plain bounds of what the camera sees.
///
///   frame/<flat|ordered|yardstick>/<10k|100k|1M>/<set>          53 % of the boxes in view
///   frame/..._moving                                            the same, and boxes of new matrices before it
///   frame_sparse/...                                            5 % in view
///   frame_phase/<plan|prepare|frusta|cull>/<flat|ordered>/...   parts of it; frusta: views of the lights' own frusta
///   frame_lamps/...                                             the camera and 64 point lights of six faces each, no
///   directional light
namespace bench {
namespace {

using lanecull::Casters;
using lanecull::Isa;

struct Size {
    const char* name;
    std::uint32_t count;  // a multiple of 64
};
constexpr Size sizes[] = {{"10k", 9'984}, {"100k", 99'968}, {"1M", 1'000'000}};

/// What a frame has.
enum class Content { usual, sparse, point_lights };

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The field, a camera and its lights.
class Frame {
public:
    Frame(std::uint32_t count, Content content) : field_(count), moving_(field_), batch_(moving_.world.boxes()) {
        batch_.draws = {&template_};
        const double far_depth = content == Content::sparse ? 2.95 * std::sqrt(count) : field_.side;
        const Camera view = bench::frame_camera(field_.side, far_depth);
        const Matrix matrix = matrix_of(view);
        std::copy(matrix.clip_from_world.begin(), matrix.clip_from_world.end(), camera_.clip_from_world);
        camera_.clip_space = matrix.clip_space;
        if (content == Content::point_lights) {
            point_lights_.resize(frame_point_light_count);
            for (std::uint32_t l = 0; l < frame_point_light_count; ++l) {
                set_point_light(point_lights_[l], spread_point_light(field_.side, l));
            }
        } else {
            directional_light_.directional_light = frame_directional_light();
            directional_light_.cascades = 4;
            directional_light_.near_depth = view.near_depth, directional_light_.far_depth = view.far_depth;
            directional_light_.map.up[2] = 1;
            camera_.directional_light = &directional_light_;
            point_lights_.resize(1);
            set_point_light(point_lights_[0], frame_point_light(view));
        }
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    [[nodiscard]] lanecull::PassFrame frame() const { return {{&camera_, 1}, point_lights_}; }
    [[nodiscard]] lanecull::PassLimits limits() const {
        return {1, camera_.directional_light != nullptr ? directional_light_.cascades : 0,
                static_cast<std::uint32_t>(point_lights_.size())};
    }
    [[nodiscard]] const lanecull::PassCamera& camera() const { return camera_; }
    [[nodiscard]] std::span<const lanecull::Batch> batches() const { return {&batch_, 1}; }
    [[nodiscard]] std::uint32_t count() const { return batch_.count(); }
    [[nodiscard]] lanecull::Boxes boxes() const { return moving_.world.boxes(); }

    /// Matrices to boxes: by the library, or by an expert's loop.
    void move(Isa isa) {
        require(
            lanecull::world_boxes({moving_.local.boxes()},
                                  {.first = moving_.transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
                                  count(), moving_.world_streams(), {isa}));
    }
    void move(const WorldBoxLoop& loop) {
        const lanecull::BoxStreams to = moving_.world_streams();
        loop.run(moving_.local.boxes(), moving_.transforms.data(),
                 {to.min_x, to.min_y, to.min_z, to.max_x, to.max_y, to.max_z});
    }

private:
    static void set_point_light(lanecull::PassPointLight& point_light, const lanecull::PointLight& of) {
        std::copy(of.at, of.at + 3, point_light.at);
        point_light.range = of.range;
        point_light.near_depth = 0.1;
    }

    FrameField field_;
    MovingField moving_;
    lanecull::DrawCommand template_{36, 1, 0, 0, 0};
    lanecull::Batch batch_;
    lanecull::PassCamera camera_;
    lanecull::PassDirectionalLight directional_light_;
    std::vector<lanecull::PassPointLight> point_lights_;
};

/// A pass over the frame's batch, or over a scene of it, and memory for the commands. Lists of the camera and of
/// cascades have room for all; those of point lights' maps for 65,536.
class Pass {
public:
    Pass(const Frame& frame, const lanecull::Objects& objects) : frame_(frame), objects_(objects) {
        require(pass_.reserve(frame.limits(), objects));
        const std::size_t views = lanecull::view_count(frame.frame()), roots = 1 + frame.limits().cascades;
        outputs_.resize(views), counts_.resize(views), lists_.resize(views);
        for (std::size_t v = 0; v < views; ++v) {
            lists_[v].resize(v < roots ? frame.count() : std::min(frame.count(), 65'536U));
            outputs_[v].draws.memory = lists_[v];
            outputs_[v].draws.count = &counts_[v];
        }
    }

    void plan(Isa isa) { require(pass_.plan(frame_.frame(), objects_, {.isa = isa})); }
    void prepare(Casters casters) { require(pass_.prepare(casters)); }
    void cull(Isa isa) { require(pass_.cull(objects_, outputs_, {.isa = isa})); }

    [[nodiscard]] std::uint64_t seen_by_camera() const { return counts_[0]; }

private:
    const Frame& frame_;
    lanecull::Objects objects_;
    lanecull::CullPass pass_;
    std::vector<lanecull::Output> outputs_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::vector<lanecull::DrawCommand>> lists_;
};

enum class Phase { all, plan, prepare, frusta, cull };

/// move(): what comes before a frame.
template <class Move>
void measure_pass(benchmark::State& state, const Frame& frame, const lanecull::Objects& objects, Phase phase, Isa isa,
                  const Move& move) {
    Pass pass(frame, objects);
    pass.plan(isa);
    pass.prepare(Casters::volume);
    pass.cull(isa);
    const auto once = [&] {
        move();
        if (phase == Phase::all || phase == Phase::plan) pass.plan(isa);
        if (phase == Phase::all || phase == Phase::prepare) pass.prepare(Casters::volume);
        if (phase == Phase::frusta) pass.prepare(Casters::frustum);
        if (phase == Phase::all || phase == Phase::cull) pass.cull(isa);
        benchmark::ClobberMemory();
        return true;
    };
    const std::size_t views = lanecull::view_count(frame.frame());
    measure(state, frame.count(), 24.0 * static_cast<double>(views), 1, once, [&] { return pass.seen_by_camera(); });
}

void measure_frame(benchmark::State& state, Size size, Content content, bool ordered, Phase phase, Isa isa) {
    const Frame frame(size.count, content);
    const auto nothing = [] {};
    if (!ordered) return measure_pass(state, frame, frame.batches(), phase, isa, nothing);
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(size.count);
    require(scene.add(frame.batches(), handles));
    measure_pass(state, frame, scene, phase, isa, nothing);
}

/// All boxes have new matrices in every frame; those of the scene get their new places.
void measure_moving_frame(benchmark::State& state, Size size, bool ordered, Isa isa) {
    Frame frame(size.count, Content::usual);
    if (!ordered) return measure_pass(state, frame, frame.batches(), Phase::all, isa, [&] { frame.move(isa); });
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles(size.count);
    require(scene.add(frame.batches(), handles, {.mobility = lanecull::Mobility::moving}));
    measure_pass(state, frame, scene, Phase::all, isa, [&] {
        frame.move(isa);
        require(scene.place(handles, frame.batches()[0]));
        scene.refit(lanecull::Refit::grown);
    });
}

/// Planes of a matrix that maps depths to 0 to 1, by its rows' sums and differences (Gribb and Hartmann, 2001).
SixPlanes planes_of(std::span<const double, 16> m, const lanecull::ClipSpace& space) {
    double row[4][4];
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            row[i][j] = space.layout == lanecull::MatrixLayout::row_major ? m[4 * i + j] : m[4 * j + i];
        }
        for (std::size_t j = 0; j < 3; ++j) row[i][3] -= row[i][j] * space.origin[j];
    }
    SixPlanes planes{};
    for (std::size_t k = 0; k < 6; ++k) {
        double inside[4];
        for (std::size_t j = 0; j < 4; ++j) {
            const double x = row[k / 2][j], w = row[3][j];
            inside[j] = k == 4 ? x : k % 2 == 0 ? w + x : w - x;
        }
        const double length = std::hypot(inside[0], inside[1], inside[2]);
        for (std::size_t j = 0; j < 3; ++j) planes.normal[k][j] = static_cast<float>(-inside[j] / length);
        planes.offset[k] = static_cast<float>(inside[3] / length);
    }
    return planes;
}

/// Six planes a view, and the bounds of what the camera sees where there is a directional light. With `move`, boxes of
/// matrices before it.
void measure_yardstick(benchmark::State& state, Size size, Content content, const PlaneLoops* loops,
                       const WorldBoxLoop* move) {
    Frame frame(size.count, content);
    lanecull::CullPass pass;
    require(pass.reserve(frame.limits(), frame.batches()));
    require(pass.plan(frame.frame(), frame.batches()));
    const lanecull::Boxes boxes = frame.boxes();
    const std::size_t words = (boxes.count + 63) / 64, views = pass.view_count();
    std::vector<std::uint64_t> visible(views * words);
    float low[3], high[3];
    const auto once = [&] {
        if (move != nullptr) frame.move(*move);
        loops->boxes(planes_of(frame.camera().clip_from_world, frame.camera().clip_space), boxes, visible.data());
        if (frame.camera().directional_light != nullptr) loops->bounds(boxes, visible.data(), low, high);
        for (std::size_t k = 0; k + 1 < views; ++k) {
            const lanecull::ShadowMap& map = pass.maps()[k];
            loops->boxes(planes_of(map.clip_from_world, map.clip_space), boxes, visible.data() + (1 + k) * words);
        }
        benchmark::DoNotOptimize(low);
        benchmark::DoNotOptimize(high);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, boxes.count, 24.0 * static_cast<double>(views), 1, once, [&] {
        std::uint64_t seen = 0;
        for (std::size_t w = 0; w < words; ++w) seen += static_cast<std::uint64_t>(__builtin_popcountll(visible[w]));
        return seen;
    });
}

void add_yardstick(const std::string& name, Size size, Content content, Isa isa, const PlaneLoops& loops,
                   const WorldBoxLoop& move) {
    if (!lanecull::isa_runnable(isa)) return;
    const std::string row = name + lanecull::isa_name(isa);
    const WorldBoxLoop* const no_moves = nullptr;
    benchmark::RegisterBenchmark(row.c_str(), measure_yardstick, size, content, &loops, no_moves);
    if (content != Content::usual) return;
    benchmark::RegisterBenchmark((row + "_moving").c_str(), measure_yardstick, size, content, &loops, &move);
}

void add_frames(const std::string& frame, Size size, Content content) {
    const std::string at = std::string("/") + size.name + "/";
    for (const Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const bool ordered : {false, true}) {
            const std::string name = frame + (ordered ? "/ordered" : "/flat") + at + lanecull::isa_name(isa);
            benchmark::RegisterBenchmark(name.c_str(), measure_frame, size, content, ordered, Phase::all, isa);
            if (content != Content::usual) continue;
            benchmark::RegisterBenchmark((name + "_moving").c_str(), measure_moving_frame, size, ordered, isa);
        }
    }
    // 384 frusta of 10^6 boxes each take a quarter of a second.
    if (content == Content::point_lights && size.count > 100'000) return;
    add_yardstick(frame + "/yardstick" + at, size, content, Isa::avx2, plane_loops_avx2, world_box_loop_avx2);
    add_yardstick(frame + "/yardstick" + at, size, content, Isa::avx512, plane_loops_avx512, world_box_loop_avx512);
}

void add_phases(Size size) {
    constexpr std::pair<Phase, const char*> phases[] = {
        {Phase::plan, "plan"}, {Phase::prepare, "prepare"}, {Phase::frusta, "frusta"}, {Phase::cull, "cull"}};
    for (const Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const auto& [phase, phase_name] : phases) {
            const bool culls = phase == Phase::plan || phase == Phase::cull;
            for (const bool ordered : {false, true}) {
                if (ordered && !culls) continue;
                const std::string name = std::string("frame_phase/") + phase_name + (ordered ? "/ordered/" : "/flat/") +
                                         size.name + "/" + lanecull::isa_name(isa);
                benchmark::RegisterBenchmark(name.c_str(), measure_frame, size, Content::usual, ordered, phase, isa);
            }
        }
    }
}

}  // namespace

void register_frame_benchmarks() {
    for (const Size& size : sizes) {
        add_frames("frame", size, Content::usual);
        add_frames("frame_sparse", size, Content::sparse);
        add_frames("frame_lamps", size, Content::point_lights);
        add_phases(size);
    }
}

}  // namespace bench
