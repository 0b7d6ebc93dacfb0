#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "properties/candidates.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"

namespace properties {
namespace {

using lanecull::DrawCommand;
using lanecull::VisibleRun;
using Words = std::vector<std::uint64_t>;

/// Templates differ by their numbers.
DrawCommand template_of(std::uint32_t i) { return {3 * i + 1, 1, i, -static_cast<std::int32_t>(i), 7 * i}; }

/// Batches of any kinds and counts, some of them empty, with a template for each batch or for each object.
struct Batches {
    std::vector<lanecull::Batch> batches;
    std::vector<std::size_t> stride;  ///< of the batch's templates; 0: one for all objects
    std::size_t objects = 0;

    Batches(Random& random, const std::vector<Camera>& cameras, std::size_t most) {
        const HullSet hulls = random_hulls(random, 4);
        const bool few = random.chance(0.3);
        while (batches.size() < (few ? 3 : 11)) {
            constexpr int counts[] = {0, 1, 63, 64, 65, 100, 129, 4096, 4097, 10'000};
            const int any = counts[random.below(std::size(counts))];
            const auto count = any <= static_cast<int>(most) || (most >= 100 && random.chance(0.1))
                                   ? static_cast<std::size_t>(any)
                                   : static_cast<std::size_t>(random.below(static_cast<int>(most)));
            add(random, cameras[static_cast<std::size_t>(random.below(static_cast<int>(cameras.size())))], count,
                hulls);
        }
    }

    [[nodiscard]] DrawCommand command(std::size_t b, std::uint32_t i) const {
        DrawCommand one;
        const auto* const first = reinterpret_cast<const std::byte*>(batches[b].draws.first);
        std::memcpy(&one, first + stride[b] * i, sizeof one);
        if (stride[b] == 0) one.first_instance += i;
        return one;
    }

private:
    void add(Random& random, const Camera& camera, std::size_t count, const HullSet& hulls) {
        const Kind kind = all_kinds[random.below(std::size(all_kinds))];
        std::vector<Object> made = random_objects(random, kind, camera, count, hulls);
        Format format{.first_index = static_cast<std::uint32_t>(objects + 1000 * batches.size())};
        if (random.chance(0.1)) format.first_index = ~std::uint32_t{0} - 20;  // indices wrap within the batch
        // Long runs: all but a few are always visible.
        format.streams.flags = random.chance(0.3);
        for (Object& object : made) {
            object.flags = random.chance(0.002) ? lanecull::object_disabled : lanecull::object_always_visible;
        }
        lanecull::Batch batch = make_batch(kind, made, hulls, memory_, format);
        const bool one = random.chance(0.5);
        const std::size_t bytes = one ? 0 : random.chance(0.5) ? sizeof(DrawCommand) : 28;
        auto* const templates = memory_.array<std::uint32_t>((one ? 1 : count * bytes / 4) + sizeof(DrawCommand) / 4);
        for (std::uint32_t i = 0; i < (one ? 1 : count); ++i) {
            const DrawCommand command = template_of(one ? static_cast<std::uint32_t>(1'000'000 + batches.size()) : i);
            std::memcpy(reinterpret_cast<std::byte*>(templates) + bytes * i, &command, sizeof command);
        }
        const auto per = one ? lanecull::DrawTemplates::Per::batch : lanecull::DrawTemplates::Per::object;
        batch.draws = {reinterpret_cast<const DrawCommand*>(templates), per, static_cast<std::uint32_t>(bytes)};
        batches.push_back(batch);
        stride.push_back(bytes);
        objects += count;
    }

    HeapMemory memory_;
};

/// What all outputs of a view must hold, by calls of one batch and one view that write nothing but bits.
struct Expected {
    Words visible, inside;
    std::vector<std::uint32_t> indices;
    std::vector<VisibleRun> runs;
    std::vector<DrawCommand> commands;
    std::vector<lanecull::BatchRange> ranges;
    lanecull::Counts counts;
    std::vector<bool> of_object;

    Expected(const Batches& of, const lanecull::View& view, const lanecull::CullOptions& options) {
        for (std::size_t b = 0; b < of.batches.size(); ++b) add(of, b, view, options);
    }

private:
    void add(const Batches& of, std::size_t b, const lanecull::View& view, const lanecull::CullOptions& options) {
        const lanecull::Batch& batch = of.batches[b];
        const CandidateAnswer answer(std::span(&batch, 1), view, {}, options, false);
        const std::size_t before = indices.size();
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            const bool is_visible = has_bit(answer.visible, i);
            of_object.push_back(is_visible);
            if (!is_visible) continue;
            const bool begins = i == 0 || !of_object[of_object.size() - 2];
            if (begins) runs.push_back({batch.first_index + i, 0});
            ++runs.back().count;
            indices.push_back(batch.first_index + i);
            commands.push_back(of.command(b, i));
        }
        ranges.push_back({before, indices.size() - before});
        visible.insert(visible.end(), answer.visible.begin(), answer.visible.end());
        inside.insert(inside.end(), answer.inside.begin(), answer.inside.end());
        counts += answer.counts;
    }
};

/// An output's memory, filled with a pattern, and more behind it that nothing may be written to.
template <class T>
class Room {
public:
    Room(std::size_t capacity, int pattern)
        : capacity_(capacity), pattern_(pattern), bytes_((capacity + behind) * sizeof(T)) {
        std::memset(bytes_.data(), pattern, bytes_.size());
    }
    [[nodiscard]] std::span<T> span() { return {reinterpret_cast<T*>(bytes_.data()), capacity_}; }
    /// The first of these as far as there is room, and the pattern after them.
    [[nodiscard]] bool holds(const std::vector<T>& expected) const {
        const std::size_t written = std::min(capacity_, expected.size()) * sizeof(T);
        return (written == 0 || std::memcmp(bytes_.data(), expected.data(), written) == 0) &&
               std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(written), bytes_.end(),
                           [&](std::byte byte) { return byte == static_cast<std::byte>(pattern_); });
    }

private:
    static constexpr std::size_t behind = 8;
    std::size_t capacity_;
    int pattern_;
    std::vector<std::byte> bytes_;
};

std::size_t any_room(Random& random, std::size_t wanted) {
    switch (random.below(4)) {
        case 0:
            return 0;
        case 1:
            return static_cast<std::size_t>(random.below(static_cast<int>(wanted) + 1));
        case 2:
            return wanted - std::min<std::size_t>(wanted, 1);
        default:
            return wanted + static_cast<std::size_t>(random.below(10));
    }
}

/// Commands at an offset and a stride, in memory with some bytes more than they need.
class DrawRoom {
public:
    DrawRoom(Random& random, std::size_t wanted, int pattern)
        : offset_(4 * static_cast<std::size_t>(random.below(17))),
          stride_(random.chance(0.5) ? 0 : 20 + 4 * static_cast<std::size_t>(random.below(5))),
          room_(any_room(random, wanted)),
          bytes_(offset_ + room_ * stride() + 19),  // a byte less than one more needs
          memory_((bytes_ + 64) / 4 + 1),
          pattern_(pattern) {
        std::memset(memory_.data(), pattern, memory_.size() * 4);
    }
    [[nodiscard]] lanecull::DrawOutput output() {
        return {std::as_writable_bytes(std::span(memory_)).first(bytes_), offset_, stride_, &count_};
    }
    [[nodiscard]] bool holds(const std::vector<DrawCommand>& expected, std::uint64_t told) const {
        std::vector<std::uint32_t> wanted(memory_.size());
        std::memset(wanted.data(), pattern_, wanted.size() * 4);
        const std::size_t written = std::min(room_, expected.size());
        for (std::size_t i = 0; i < written; ++i) {
            std::memcpy(reinterpret_cast<std::byte*>(wanted.data()) + offset_ + i * stride(), &expected[i],
                        sizeof(DrawCommand));
        }
        return wanted == memory_ && told == written && count_ == written;
    }

private:
    [[nodiscard]] std::size_t stride() const { return stride_ == 0 ? sizeof(DrawCommand) : stride_; }

    std::size_t offset_, stride_, room_, bytes_;
    std::vector<std::uint32_t> memory_;
    int pattern_;
    std::uint32_t count_ = 12345;
};

/// The outputs of one view: any of them, with any room.
class Wanted {
public:
    Wanted(Random& random, const Batches& of, const Expected& expected, int pattern)
        : expected_(expected),
          visible_(random.chance(0.5) ? expected.visible.size() : 0, pattern),
          inside_(random.chance(0.5) ? expected.inside.size() : 0, pattern),
          indices_(any_room(random, expected.indices.size()), pattern),
          runs_(any_room(random, expected.runs.size()), pattern),
          ranges_(random.chance(0.5) ? of.batches.size() : 0, pattern),
          certificates_(random.chance(0.3) ? of.objects : 0, pattern),
          draws_(random, expected.commands.size(), pattern),
          draws_wanted_(random.chance(0.4)) {
        why_.certificates = certificates_.span();
        output.visible = visible_.span(), output.inside = inside_.span(), output.indices = indices_.span();
        output.runs = runs_.span(), output.batch_ranges = ranges_.span();
        if (draws_wanted_) output.draws = draws_.output();
        if (!certificates_.span().empty() || random.chance(0.5)) output.explanation = &why_;
    }
    Wanted(const Wanted&) = delete;

    /// The first output that is not as expected; null if there is none.
    [[nodiscard]] const char* wrong() {
        if (!visible_.holds(expected_.visible)) return "visible";
        if (!inside_.holds(expected_.inside)) return "inside";
        if (output.visible_count != expected_.indices.size()) return "visible_count";
        if (!indices_.holds(expected_.indices)) return "indices";
        if (!runs_.holds(expected_.runs)) return "runs";
        if (!runs_.span().empty() && output.run_count != expected_.runs.size()) return "run_count";
        if (!ranges_.holds(expected_.ranges)) return "batch_ranges";
        if (draws_wanted_ && !draws_.holds(expected_.commands, output.draw_count)) return "draws";
        if (output.explanation != nullptr && why_.counts != expected_.counts) return "counts";
        lanecull::Counts reasons;
        for (std::size_t i = 0; i < certificates_.span().size(); ++i) {
            const lanecull::Reason reason = certificates_.span()[i].reason;
            if (is_culled(reason) == expected_.of_object[i]) return "certificates";
            ++reasons[reason];
        }
        if (!certificates_.span().empty() && reasons != expected_.counts) return "certificates' reasons";
        return nullptr;
    }

    lanecull::Output output;

private:
    const Expected& expected_;
    Room<std::uint64_t> visible_, inside_;
    Room<std::uint32_t> indices_;
    Room<VisibleRun> runs_;
    Room<lanecull::BatchRange> ranges_;
    Room<lanecull::Certificate> certificates_;
    DrawRoom draws_;
    bool draws_wanted_;
    lanecull::Explanation why_;
};

/// A word an object, in which bit v is what the bits of view v say.
Words masks_of(const std::vector<Expected>& expected, std::size_t objects) {
    Words masks(objects);
    for (std::size_t v = 0; v < expected.size(); ++v) {
        for (std::size_t i = 0; i < objects; ++i) masks[i] |= std::uint64_t{expected[v].of_object[i]} << v;
    }
    return masks;
}

void check_call(Trial& trial, const Batches& of, const std::vector<lanecull::View>& views,
                const std::vector<Expected>& expected, lanecull::CullOptions options) {
    Random& random = trial.random;
    const int pattern = random.below(256);
    std::vector<std::unique_ptr<Wanted>> wanted;
    std::vector<lanecull::Output> outputs;
    for (const Expected& view : expected) {
        wanted.push_back(std::make_unique<Wanted>(random, of, view, pattern));
        outputs.push_back(wanted.back()->output);
    }
    Room<std::uint64_t> masks(random.chance(0.5) ? of.objects : 0, pattern);
    options.view_masks = masks.span();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(of.batches, views.size()), static_cast<std::byte>(pattern));
    const lanecull::Status status = lanecull::cull(of.batches, views, outputs, scratch, options);
    const auto fail = [&](const std::string& what) {
        trial.fail(Tally::untold, what, [&] {
            return std::to_string(of.objects) + " objects of " + std::to_string(of.batches.size()) + " batches, " +
                   std::to_string(views.size()) + " views, by " + method_name(options.method) + " on " +
                   lanecull::isa_name(options.isa);
        });
    };
    if (!status) fail(status.message().text);
    for (std::size_t v = 0; status && v < views.size(); ++v) {
        wanted[v]->output = outputs[v];
        if (const char* const what = wanted[v]->wrong()) fail("outputs[" + std::to_string(v) + "]." + what);
    }
    if (status && !masks.holds(masks_of(expected, of.objects))) fail("view_masks");
}

}  // namespace

void outputs(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    std::vector<Camera> cameras;
    std::vector<lanecull::View> views;
    const int count = random.chance(0.1) ? 64 : 1 + random.below(4);
    for (int v = 0; v < count; ++v) {
        const PreparedCamera prepared = random_prepared_camera(random);
        cameras.push_back(prepared.camera);
        views.push_back(prepared.view);
    }
    const Batches of(random, cameras, count == 64 ? 100 : trial.plan.objects);
    std::size_t words = 0;
    for (const lanecull::Batch& batch : of.batches) words += (batch.count() + 63) / 64;
    if (lanecull::visibility_words(of.batches) != words) {
        trial.fail(Tally::untold, "visibility_words()", [&] { return std::to_string(words); });
    }
    for (const lanecull::CullOptions& options : every_way(trial, all_methods)) {
        std::vector<Expected> expected;
        for (const lanecull::View& view : views) {
            const Expected& one = expected.emplace_back(of, view, options);
            trial.at(Tally::cases) += of.objects;
            trial.at(Tally::reached) += one.indices.size();
            trial.at(Tally::verdicts) += of.objects;
            trial.answers.add_words(one.visible, options.method);
        }
        check_call(trial, of, views, expected, options);
        if (trial.stopped()) return;
    }
}

}  // namespace properties
