#include "cull/measure.hpp"

#include <lanecull/tbb.hpp>

#include "support/error.hpp"
#include "support/measuring.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

using Bits = std::vector<std::uint64_t>;
/// A pass in the making, and its bits of the frame at hand.
struct Recorder {
    Bits bits;
    MethodPass pass;
};

/// All culls of frame after frame: with and without occluders, by six planes, and of the ordered scene.
class Frames {
public:
    Frames(const Scene& scene, const MeasureOptions& options, Isa isa, const Runner& runner)
        : batches_(scene.batches()),
          isa_(isa),
          runner_(runner),
          all_solids_(options.all_solids),
          scratch_(scratch_bytes(batches_, 1)) {
        for (Recorder* recorder : {&exact_, &without_}) {
            recorder->bits.resize(visibility_words(batches_));
            recorder->pass.group_visible.resize(batches_.size());
        }
        planes_.resize(exact_.bits.size());
        result_.isa = isa;
        result_.group_false_positives.resize(batches_.size());
        if (options.ordered) {
            announce("ordering the scene", options.quiet);
            ordered_.emplace(batches_, CullOptions{.isa = isa, .runner = runner});
        }
        if (!options.occluders) return;
        choice_.emplace(scene, *options.occluders);
        result_.occluders.emplace();
        result_.occluders->most = options.occluders->most;
        result_.occluders->solids = choice_->solids().count();
    }

    void warm_up(const Camera& camera) {
        const View view = camera.view();
        for (int round = 0; round < OccluderChoice::warm_up_rounds; ++round) {
            if (choice_) {
                Output without{.visible = without_.bits};
                cull_view(view, without);
            }
            Output output{.visible = exact_.bits, .occluders = choose(camera, view)};
            cull_view(view, output);
            if (ordered_) ordered_->warm_up(view);
        }
    }

    void run(const Camera& camera, std::size_t frame, const std::optional<std::size_t>& picked) {
        const View view = camera.view();
        const bool without_first = frame % 4 < 2;  // neither always finds the other's data in the cache
        if (choice_ && without_first) record(without_, view);
        const Clock::time_point start = Clock::now();
        const std::span<const Occluder> occluders = choose(camera, view);
        if (choice_) {
            result_.occluders->choose_seconds.push_back(seconds_since(start));
            result_.occluders->chosen += occluders.size();
        }
        record(exact_, view, occluders);
        if (choice_ && !without_first) record(without_, view);
        Output output{.visible = planes_};
        cull_view(view, output, Method::planes);
        if (choice_ && all_solids_) result_.occluders->hidden_by_all += hidden_by_all(camera, view);
        if (ordered_) {
            ordered_->set_occluders(occluders);
            ordered_->run_frame(view, exact_.bits);
        }
        compare();
        if (is_better(frame, picked)) keep(frame);
    }

    Measurement take(const CameraPath& path) {
        if (ordered_) {
            ordered_->set_occluders({});  // they are the last frame's
            ordered_->judge_blocks(path[result_.picked_frame].view());
            result_.ordered = ordered_->take();
        }
        result_.pass = std::move(exact_.pass);
        if (choice_) result_.occluders->without = std::move(without_.pass);
        return std::move(result_);
    }

private:
    std::span<const Occluder> choose(const Camera& camera, const View& view) {
        return choice_ ? choice_->choose(camera, view) : std::span<const Occluder>();
    }

    /// The time that cull() took.
    double cull_view(const View& view, Output& output, Method method = Method::automatic) {
        const Clock::time_point start = Clock::now();
        const Status status =
            cull(batches_, {&view, 1}, {&output, 1}, scratch_, {.method = method, .isa = isa_, .runner = runner_});
        const double seconds = seconds_since(start);
        require(status);
        return seconds;
    }

    void record(Recorder& recorder, const View& view, std::span<const Occluder> occluders = {}) {
        Explanation why;
        Output output{.visible = recorder.bits, .occluders = occluders, .explanation = &why};
        recorder.pass.seconds.push_back(cull_view(view, output));
        recorder.pass.frame_visible.push_back(output.visible_count);
        recorder.pass.counts += why.counts;
        add_by_group(recorder.pass.group_visible, recorder.bits);
    }

    void add_by_group(std::vector<std::uint64_t>& sums, std::span<const std::uint64_t> words) const {
        for (std::size_t g = 0; g < batches_.size(); ++g) {
            const std::size_t size = (batches_[g].count() + std::size_t{63}) / 64;
            sums[g] += population(words.first(size));
            words = words.subspan(size);
        }
    }

    /// What all of the scene's solid boxes hide, each alone: so many of a call's occluders at a time, each time of what
    /// the calls before have left.
    std::uint64_t hidden_by_all(const Camera& camera, const View& view) {
        constexpr std::size_t most = 64;
        Bits left(without_.bits), before(left.size());
        const std::vector<Occluder> all = choice_->all(camera);
        for (std::span<const Occluder> solids = all; !solids.empty();
             solids = solids.subspan(std::min(most, solids.size()))) {
            left.swap(before);
            Output output;
            output.candidates = before;
            output.visible = left;
            output.occluders = solids.first(std::min(most, solids.size()));
            cull_view(view, output);
        }
        return population(without_.bits) - population(left);
    }

    /// What planes kept for nothing.
    void compare() {
        const Bits& exact = choice_ ? without_.bits : exact_.bits;
        Bits planes_alone(planes_);
        for (std::size_t i = 0; i < planes_alone.size(); ++i) planes_alone[i] &= ~exact[i];
        add_by_group(result_.group_false_positives, planes_alone);
        result_.frame_false_positives.push_back(population(planes_alone));
    }

    /// The frame that is wanted; else one with something in view, of these the one with the most false positives, and
    /// where there are none the one with the most in view.
    [[nodiscard]] bool is_better(std::size_t frame, const std::optional<std::size_t>& wanted) const {
        if (wanted) return frame == *wanted;
        const auto worth = [&](std::size_t k) {
            const std::uint64_t visible = exact_.pass.frame_visible[k], needless = result_.frame_false_positives[k];
            return std::tuple(visible > 0, needless, needless == 0 ? visible : 0);
        };
        return frame == 0 || worth(frame) > worth(result_.picked_frame);
    }

    void keep(std::size_t frame) {
        result_.picked_frame = frame;
        result_.picked_visible = exact_.bits;
        result_.picked_planes = planes_;
        if (!choice_) return;
        result_.occluders->picked_without = without_.bits;
        result_.occluders->picked_boxes.clear();
        for (const std::uint32_t i : choice_->chosen()) {
            result_.occluders->picked_boxes.push_back(
                choice_->solids().visit(i, [](const auto& box) { return edges_of(box); }));
        }
    }

    std::vector<Batch> batches_;
    Isa isa_;
    Runner runner_;
    bool all_solids_;
    std::vector<std::byte> scratch_;
    Recorder exact_, without_;
    Bits planes_;
    std::optional<OrderedCuller> ordered_;
    std::optional<OccluderChoice> choice_;
    Measurement result_;
};

}  // namespace

Measurement measure(const Scene& scene, const CameraPath& path, const MeasureOptions& options) {
    Isa isa{};
    require(resolve_isa(options.isa, isa));
    std::optional<TbbRunner> parallel;
    const int threads = options.threads == 1 ? 1 : parallel.emplace(options.threads).threads();
    Frames frames(scene, options, isa, parallel ? parallel->runner() : Runner{});
    frames.warm_up(path.front());
    Progress progress("culling", path.size(), options.quiet);
    for (std::size_t frame = 0; frame < path.size(); ++frame) {
        frames.run(path[frame], frame, options.picked_frame);
        progress.done(frame + 1);
    }
    Measurement result = frames.take(path);
    result.threads = threads;
    return result;
}

std::vector<KeptByPlanes> kept_by_planes(const Scene& scene, const Camera& camera, Isa isa) {
    std::vector<KeptByPlanes> kept;
    const View view = camera.view();
    std::uint64_t first = 0;
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {  // so that certificates are held of one batch alone
        const Batch batch = std::visit([](const auto& kind) { return Batch(kind.shapes()); }, scene.groups[g].arrays);
        std::vector<Certificate> certificates(batch.count());
        Bits by_planes(visibility_words({&batch, 1}));
        std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
        Explanation why{.certificates = certificates};
        Output exact{.explanation = &why}, planes{.visible = by_planes};
        require(cull({&batch, 1}, {&view, 1}, {&exact, 1}, scratch, {.isa = isa}));
        require(cull({&batch, 1}, {&view, 1}, {&planes, 1}, scratch, {.method = Method::planes, .isa = isa}));
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            if (has_bit(by_planes, i) && is_culled(certificates[i].reason))
                kept.push_back({first + i, {g, i}, certificates[i]});
        }
        first += batch.count();
    }
    std::ranges::stable_sort(kept, std::ranges::greater(), [](const KeptByPlanes& k) { return k.certificate.gap; });
    return kept;
}

}  // namespace lanecull::program
