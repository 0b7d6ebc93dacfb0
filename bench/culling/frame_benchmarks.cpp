#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../tools/viewer/cull_pass.hpp"
#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/frame_field.hpp"
#include "yardsticks/yardstick_planes.hpp"

/// A whole frame of eleven views, camera, four cascades and six faces of a lamp, over the frame field: slices and what
/// they show, maps, views, culls, draw commands. Beside it an expert's frame who settles for six planes: the same
/// eleven frusta, bits, and plain bounds of what the camera sees.
///
///   frame/<flat|ordered|yardstick>/<10k|100k|1M>/<set>          53 % of the boxes in view
///   frame_sparse/...                                            5 % in view
///   frame_phase/<plan|prepare|frusta|cull>/<flat|ordered>/...   parts of it; frusta: views of the lights' own frusta
namespace bench {
namespace {

using namespace lanecull::render;
using lanecull::Isa;

struct Size {
    const char* name;
    std::uint32_t count;  // a multiple of 64
};
constexpr Size sizes[] = {{"10k", 9'984}, {"100k", 99'968}, {"1M", 1'000'000}};

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The field, a camera, its lights, and memory for the frame's commands.
class Frame {
public:
    Frame(std::uint32_t count, bool sparse, bool ordered)
        : field_(count),
          batch_(field_.boxes()),
          commands_(view_count * std::size_t{count} * sizeof(lanecull::DrawCommand)) {
        batch_.draws = {&template_};
        const double far_depth = sparse ? 2.95 * std::sqrt(count) : field_.side;
        const Camera view = bench::frame_camera(field_.side, far_depth);
        const Matrix matrix = matrix_of(view);
        camera_ = {matrix.clip_from_world, matrix.clip_space, view.near_depth, view.far_depth};
        lights_.sun = frame_sun();
        lights_.lamp = frame_lamp(view);
        if (ordered) require(objects_.build({&batch_, 1}, lanecull::serial_runner()));
        pass_ =
            std::make_unique<CullPass>(std::span(&batch_, 1), lanecull::serial_runner(), ordered ? &objects_ : nullptr);
        for (std::size_t v = 0; v < view_count; ++v) {
            const std::size_t bytes = std::size_t{count} * sizeof(lanecull::DrawCommand);
            lists_[v] = {std::span(commands_).subspan(v * bytes, bytes), &counts_[v]};
        }
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    void plan(Isa isa) { require(pass_->plan(camera_, lights_, {.isa = isa}, plan_)); }
    void prepare(Casters casters) { require(prepare_views(plan_, casters, views_)); }
    void cull(Isa isa) { require(pass_->cull(views_, lists_, {.isa = isa})); }

    [[nodiscard]] std::uint32_t count() const { return batch_.count(); }
    [[nodiscard]] lanecull::Boxes boxes() const { return field_.boxes(); }
    [[nodiscard]] const FramePlan& plan() const { return plan_; }
    [[nodiscard]] std::uint64_t seen_by_camera() const { return counts_[0]; }

private:
    FrameField field_;
    lanecull::DrawCommand template_{36, 1, 0, 0, 0};
    lanecull::Batch batch_;
    FrameCamera camera_;
    FrameLights lights_;
    OrderedObjects objects_;
    std::unique_ptr<CullPass> pass_;
    FramePlan plan_;
    FrameViews views_;
    std::vector<std::byte> commands_;
    std::array<std::uint32_t, view_count> counts_{};
    std::array<DrawList, view_count> lists_{};
};

enum class Phase { all, plan, prepare, frusta, cull };

void measure_frame(benchmark::State& state, Size size, bool sparse, bool ordered, Phase phase, Isa isa) {
    Frame frame(size.count, sparse, ordered);
    frame.plan(isa);
    frame.prepare(Casters::volume);
    frame.cull(isa);
    const auto pass = [&] {
        if (phase == Phase::all || phase == Phase::plan) frame.plan(isa);
        if (phase == Phase::all || phase == Phase::prepare) frame.prepare(Casters::volume);
        if (phase == Phase::frusta) frame.prepare(Casters::frustum);
        if (phase == Phase::all || phase == Phase::cull) frame.cull(isa);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, frame.count(), 24 * view_count, 1, pass, [&] { return frame.seen_by_camera(); });
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

void measure_yardstick(benchmark::State& state, Size size, bool sparse, const PlaneLoops* loops) {
    Frame frame(size.count, sparse, false);
    frame.plan(Isa::automatic);
    const FramePlan& plan = frame.plan();
    const lanecull::Boxes boxes = frame.boxes();
    const std::size_t words = (boxes.count + 63) / 64;
    std::vector<std::uint64_t> visible(view_count * words);
    float low[3], high[3];
    const auto pass = [&] {
        loops->boxes(planes_of(plan.camera.clip_from_world, plan.camera.clip_space), boxes, visible.data());
        loops->bounds(boxes, visible.data(), low, high);
        for (std::size_t k = 0; k < map_count; ++k) {
            const lanecull::ShadowMap& map = plan.maps[k];
            loops->boxes(planes_of(map.clip_from_world, map.clip_space), boxes, visible.data() + (1 + k) * words);
        }
        benchmark::DoNotOptimize(low);
        benchmark::DoNotOptimize(high);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, boxes.count, 24 * view_count, 1, pass, [&] {
        std::uint64_t seen = 0;
        for (std::size_t w = 0; w < words; ++w) seen += static_cast<std::uint64_t>(__builtin_popcountll(visible[w]));
        return seen;
    });
}

void add_yardstick(const std::string& name, Size size, bool sparse, Isa isa, const PlaneLoops& loops) {
    if (!lanecull::isa_runnable(isa)) return;
    benchmark::RegisterBenchmark((name + lanecull::isa_name(isa)).c_str(), measure_yardstick, size, sparse, &loops);
}

void add_frames(const std::string& frame, Size size, bool sparse) {
    const std::string at = std::string("/") + size.name + "/";
    for (const Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const bool ordered : {false, true}) {
            const std::string name = frame + (ordered ? "/ordered" : "/flat") + at + lanecull::isa_name(isa);
            benchmark::RegisterBenchmark(name.c_str(), measure_frame, size, sparse, ordered, Phase::all, isa);
        }
    }
    add_yardstick(frame + "/yardstick" + at, size, sparse, Isa::avx2, plane_loops_avx2);
    add_yardstick(frame + "/yardstick" + at, size, sparse, Isa::avx512, plane_loops_avx512);
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
                benchmark::RegisterBenchmark(name.c_str(), measure_frame, size, false, ordered, phase, isa);
            }
        }
    }
}

}  // namespace

void register_frame_benchmarks() {
    for (const Size& size : sizes) {
        add_frames("frame", size, false);
        add_frames("frame_sparse", size, true);
        add_phases(size);
    }
}

}  // namespace bench
