#include "cull/measure.hpp"

#include <bit>
#include <chrono>
#include <cstddef>
#include <lanecull/tbb.hpp>
#include <span>
#include <tuple>
#include <utility>

#include "cull/trace.hpp"
#include "scene/pose.hpp"
#include "support/error.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

std::uint64_t population(std::span<const std::uint64_t> words) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
}

/// Of a call's piece in traces.
const char* name_of(Method method) {
    switch (method) {
        case Method::planes:
            return "cull() by planes";
        case Method::automatic:
            break;
    }
    return "cull()";
}

/// Culls one view at a time and keeps the memory for it.
class Culler {
public:
    Culler(const Scene& scene, Isa isa, const Runner& runner, Trace* trace)
        : batches_(scene.batches()), isa_(isa), runner_(runner), trace_(trace), scratch_(scratch_bytes(batches_, 1)) {}

    /// The time that cull() took.
    double cull_view(const View& view, Method method, Output& output) {
        if (trace_ != nullptr) trace_->begin(name_of(method), calls_);
        const auto start = std::chrono::steady_clock::now();
        const Status status =
            cull(batches_, {&view, 1}, {&output, 1}, scratch_, {.method = method, .isa = isa_, .runner = runner_});
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        if (trace_ != nullptr) trace_->end();
        require(status);
        ++calls_;
        return time.count();
    }

    Isa isa() const { return isa_; }
    std::size_t words() const { return visibility_words(batches_); }

    /// The words of each group, in order.
    std::vector<std::span<const std::uint64_t>> by_group(std::span<const std::uint64_t> words) const {
        std::vector<std::span<const std::uint64_t>> groups;
        for (const Batch& batch : batches_) {
            const std::size_t size = (batch.count() + std::size_t{63}) / 64;
            groups.push_back(words.first(size));
            words = words.subspan(size);
        }
        return groups;
    }

private:
    std::vector<Batch> batches_;
    Isa isa_;
    Runner runner_;
    Trace* trace_;
    std::uint64_t calls_ = 0;
    std::vector<std::byte> scratch_;
};

/// A pass in the making, with the verdicts of the frame at hand.
class Recorder {
public:
    Recorder(Culler& culler, Method method) : culler_(culler), bits_(culler.words()) {
        pass_.method = method;
        pass_.group_visible.resize(culler.by_group(bits_).size());
    }

    void warm_up(const View& view, std::span<const Occluder> occluders = {},
                 std::span<std::uint32_t> hidden_counts = {}) {
        Output output{.visible = bits_, .occluders = occluders, .hidden_counts = hidden_counts};
        culler_.cull_view(view, pass_.method, output);
    }

    /// hidden_counts: receives what each occluder hides.
    void run_frame(const View& view, std::span<const Occluder> occluders = {},
                   std::span<std::uint32_t> hidden_counts = {}) {
        Explanation why;
        Output output{.visible = bits_, .occluders = occluders, .hidden_counts = hidden_counts, .explanation = &why};
        const double seconds = culler_.cull_view(view, pass_.method, output);
        pass_.seconds.push_back(seconds);
        pass_.frame_visible.push_back(output.visible_count);
        pass_.counts += why.counts;
        const auto groups = culler_.by_group(bits_);
        for (std::size_t g = 0; g < groups.size(); ++g) pass_.group_visible[g] += population(groups[g]);
    }

    const std::vector<std::uint64_t>& bits() const { return bits_; }
    std::uint64_t visible(std::size_t frame) const { return pass_.frame_visible[frame]; }
    Method method() const { return pass_.method; }
    MethodPass take() { return std::move(pass_); }

private:
    Culler& culler_;
    std::vector<std::uint64_t> bits_;
    MethodPass pass_;
};

/// What all of a scene's solid boxes hide, each alone: so many of a call's occluders at a time, each time of what the
/// calls before have left.
std::uint64_t count_hidden_by(std::span<const Occluder> solids, const View& view, const Recorder& without,
                              Culler& culler) {
    std::vector<std::uint64_t> left(without.bits()), asked(left.size());
    constexpr std::size_t most = 64;
    for (; !solids.empty(); solids = solids.subspan(std::min(most, solids.size()))) {
        left.swap(asked);
        Output output;
        output.candidates = asked;
        output.visible = left;
        output.occluders = solids.first(std::min(most, solids.size()));
        culler.cull_view(view, without.method(), output);
    }
    return population(without.bits()) - population(left);
}

/// Chooses a frame's occluders and culls with them.
class OccluderRecorder {
public:
    OccluderRecorder(const Scene& scene, const OccluderSettings& settings, Culler& culler, Method method)
        : choice_(scene, settings), culler_(culler), without_(culler, method) {
        result_.most = settings.most;
        result_.solids = choice_.solids().count();
    }

    void warm_up(const Camera& camera, const View& view, Recorder& pass) {
        without_.warm_up(view);
        const std::span<const Occluder> occluders = choice_.choose(camera, view);
        pass.warm_up(view, occluders, choice_.hidden_counts());
    }

    void run_frame(const Camera& camera, const View& view, Recorder& pass, bool without_first) {
        if (without_first) without_.run_frame(view);
        const auto start = std::chrono::steady_clock::now();
        occluders_ = choice_.choose(camera, view);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        pass.run_frame(view, occluders_, choice_.hidden_counts());
        if (!without_first) without_.run_frame(view);
        result_.choose_seconds.push_back(time.count());
        result_.frame_chosen.push_back(occluders_.size());
        result_.hidden_by_all += count_hidden_by(choice_.all(camera), view, without_, culler_);
    }

    const Recorder& without() const { return without_; }
    /// The frame's.
    std::span<const Occluder> occluders() const { return occluders_; }

    void pick() {
        result_.picked_without = without_.bits();
        result_.picked_boxes.clear();
        for (const std::uint32_t i : choice_.chosen()) {
            result_.picked_boxes.push_back(choice_.solids().visit(i, [](const auto& box) { return edges_of(box); }));
        }
    }

    OccluderPass take() {
        result_.without = without_.take();
        return std::move(result_);
    }

private:
    OccluderChoice choice_;
    Culler& culler_;
    Recorder without_;
    std::span<const Occluder> occluders_;
    OccluderPass result_;
};

/// Adds a frame's differences to the result; returns how many objects the planes kept for nothing.
std::uint64_t compare(const Culler& culler, const Recorder& pass, const Recorder& planes, Measurement& result) {
    std::vector<std::uint64_t> planes_alone(planes.bits());
    for (std::size_t i = 0; i < planes_alone.size(); ++i) {
        planes_alone[i] &= ~pass.bits()[i];
    }
    const auto groups = culler.by_group(planes_alone);
    result.group_false_positives.resize(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) result.group_false_positives[g] += population(groups[g]);
    return population(planes_alone);
}

/// Keeps the verdicts of the frame that was asked for. Else those of the best so far: one with something in view, of
/// these the one with the most false positives, and where there are none the one with the most in view. Whether it did.
bool pick(std::size_t frame, std::optional<std::size_t> wanted, const Recorder& pass, const Recorder& planes,
          Measurement& result) {
    const auto worth = [&](std::size_t k) {
        const std::uint64_t visible = pass.visible(k);
        const std::uint64_t needless = result.frame_false_positives[k];
        return std::tuple(visible > 0, needless, needless == 0 ? visible : 0);
    };
    const bool better = frame == 0 || worth(frame) > worth(result.picked_frame);
    if (wanted ? frame != *wanted : !better) return false;
    result.picked_frame = frame;
    result.picked_visible = pass.bits();
    result.picked_planes = planes.bits();
    return true;
}

/// All culls of a frame: by the method, by six planes, of the ordered scene, and without occluders.
class Recorders {
public:
    Recorders(const Scene& scene, const MeasureOptions& options, Culler& culler, const Runner& runner)
        : culler_(culler), pass_(culler, options.method) {
        if (options.method != Method::planes) planes_.emplace(culler, Method::planes);
        if (options.ordered) {
            announce("ordering the scene", options.quiet);
            ordered_.emplace(scene.batches(),
                             CullOptions{.method = options.method, .isa = culler.isa(), .runner = runner});
        }
        if (options.occluders) occluders_.emplace(scene, *options.occluders, culler, options.method);
    }

    /// Objects that move are elsewhere from now on.
    void place(const Scene& scene) {
        if (ordered_) ordered_->place(scene);
    }

    void warm_up(const Camera& camera) {
        const View view = camera.view();
        for (int round = 0; round < OccluderChoice::warm_up_rounds; ++round) {
            if (occluders_) {
                occluders_->warm_up(camera, view, pass_);
            } else {
                pass_.warm_up(view);
            }
            if (ordered_) ordered_->warm_up(view);
        }
    }

    void run_frame(const Camera& camera, std::size_t frame) {
        const View view = camera.view();
        if (occluders_) {
            occluders_->run_frame(camera, view, pass_, frame % 4 < 2);
        } else {
            pass_.run_frame(view);
        }
        if (planes_) planes_->run_frame(view);
        if (ordered_ && occluders_) ordered_->set_occluders(occluders_->occluders());
        if (ordered_) ordered_->run_frame(view, pass_.bits());
    }

    /// Compares the frame's culls, and keeps their bits if it is the one to be shown.
    void judge_frame(std::size_t frame, const std::optional<std::size_t>& picked, Measurement& result) {
        if (!planes_) return;
        const Recorder& exact = occluders_ ? occluders_->without() : pass_;
        result.frame_false_positives.push_back(compare(culler_, exact, *planes_, result));
        if (pick(frame, picked, pass_, *planes_, result) && occluders_) occluders_->pick();
    }

    void take(const CameraPath& path, Measurement& result) {
        if (ordered_ && planes_) {
            ordered_->set_occluders({});  // they are the last frame's
            ordered_->judge_blocks(path[result.picked_frame].view());
        }
        result.pass = pass_.take();
        result.has_planes = planes_.has_value();
        if (occluders_) result.occluders = occluders_->take();
        if (ordered_) result.ordered = ordered_->take();
    }

private:
    Culler& culler_;
    Recorder pass_;
    std::optional<Recorder> planes_;
    std::optional<OrderedCuller> ordered_;
    std::optional<OccluderRecorder> occluders_;
};

}  // namespace

Measurement measure(Scene& scene, const CameraPath& path, const MeasureOptions& options) {
    Measurement result;
    require(resolve_isa(options.isa, result.isa));
    std::optional<TbbRunner> parallel;
    if (options.threads != 1) result.threads = parallel.emplace(options.threads).threads();
    Runner runner = parallel ? parallel->runner() : Runner{};
    std::optional<ZonedRunner> zoned;
    if (options.trace != nullptr) runner = zoned.emplace(options.trace->callbacks(), runner);
    Culler culler(scene, result.isa, runner, options.trace);
    Recorders recorders(scene, options, culler, runner);
    const auto pose_at = [&](std::size_t frame) {
        pose(scene, frame);
        recorders.place(scene);
    };
    pose_at(0);
    recorders.warm_up(path.front());
    if (options.trace != nullptr) options.trace->clear();
    Progress progress("culling", path.size(), options.quiet);
    for (std::size_t frame = 0; frame < path.size(); ++frame) {
        pose_at(frame);
        recorders.run_frame(path[frame], frame);
        recorders.judge_frame(frame, options.picked_frame, result);
        progress.done(frame + 1);
    }
    pose_at(result.picked_frame);
    recorders.take(path, result);
    return result;
}

}  // namespace lanecull::program
