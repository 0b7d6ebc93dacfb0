#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/scene.h>

#include "properties/any.hpp"
#include "properties/family.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "support/new_threads.hpp"
#include "view/prepared_view.hpp"

/// Lists in an order, of batches and scenes: each has what the bits say, sorted by depths that are computed here from
/// what the view was prepared of.

namespace properties {
namespace {

using lanecull::DrawCommand;
using lanecull::Handle;
using lanecull::ListOrder;
using Numbers = std::vector<std::uint32_t>;

/// What cull.h says of a view's depth: an affine function of a point of the world, or the distance from a place.
struct DepthRule {
    bool is_distance = false;
    Double3 axis{}, from{};
    double constant = 0;
};

/// None: the view takes no order.
std::optional<DepthRule> rule_of(const ViewArguments& of) {
    using Form = ViewArguments::Form;
    if (of.light.directional_light)
        return DepthRule{false, -1 * Double3(std::to_array(of.light.directional_light->toward))};
    if (of.light.point_light) return DepthRule{true, {}, Double3(std::to_array(of.light.point_light->at))};
    if (of.form == Form::ball) return DepthRule{true, {}, of.center};
    if (!of.has_own_eye()) return of.eye ? std::optional(DepthRule{true, {}, *of.eye}) : std::nullopt;
    const auto row = [&](std::size_t r) {
        const auto at = [&](std::size_t c) {
            return of.matrix[of.clip_space.layout == lanecull::MatrixLayout::row_major ? 4 * r + c : 4 * c + r];
        };
        return DepthRule{false, {at(0), at(1), at(2)}, Double3(std::to_array(of.clip_space.origin)), at(3)};
    };
    const DepthRule w = row(3);
    return w.axis == Double3{} ? row(2) : w;
}

/// A depth as a float, which may have been rounded either way.
struct Depth {
    float low = 0, high = 0;
    bool is_known = true, is_nan = false;
};

Depth depth_of(const DepthRule& rule, const lanecull::Sight& sight, const Double3& p) {
    if (std::isnan(p[0]) || std::isnan(p[1]) || std::isnan(p[2])) return {.is_nan = true};
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) return {.is_known = false};
    long double depth = rule.constant, square = 0, size = std::fabs(rule.constant);
    for (std::size_t k = 0; k < 3; ++k) {
        const long double away = static_cast<long double>(p[k]) - static_cast<long double>(rule.from[k]);
        const double most = std::fabs(p[k]) + std::fabs(rule.from[k]) + std::fabs(sight.from[k]);
        depth += static_cast<long double>(rule.axis[k]) * away;
        square += away * away;
        size += static_cast<long double>((rule.is_distance ? 1 : std::fabs(rule.axis[k])) * most);
    }
    if (rule.is_distance) depth = std::sqrt(square);
    // The library may have scaled the row by a power of two, which changes no order, but what becomes 0.
    const long double off = size * 0x1p-46l + 0x1p-70l;
    // A row that is scaled overflows elsewhere.
    const Depth result = {static_cast<float>(depth - off), static_cast<float>(depth + off)};
    return {result.low, result.high, std::isfinite(result.low) && std::isfinite(result.high)};
}

/// The centre that cull.h says a kind has, in the world.
Double3 center_of(Kind kind, const Object& object, const lanecull::Hull* hulls, const Double3& origin) {
    const auto at = [&](std::size_t i) { return static_cast<double>(object.fields[i]); };
    const auto middle = [&](std::size_t i) -> Double3 {
        return {(at(i) + at(i + 3)) / 2, (at(i + 1) + at(i + 4)) / 2, (at(i + 2) + at(i + 5)) / 2};
    };
    if (has_two_places(kind)) return middle(0) + origin;
    if (!has_transform(kind)) return Double3{at(0), at(1), at(2)} + origin;
    Double3 local = kind == Kind::box_instance ? middle(12) : Double3{};
    for (std::size_t k = 0; kind == Kind::hull && k < 3; ++k)
        local[k] = static_cast<double>(hulls[object.hull].mean[k]);
    Double3 center = origin;
    for (std::size_t r = 0; r < 3; ++r) {
        center[r] += at(4 * r + 3) + dot({at(4 * r), at(4 * r + 1), at(4 * r + 2)}, local);
    }
    return center;
}

/// Objects of any numbers in a few batches, with what is to be known of each.
struct Batches {
    struct One {
        Double3 center;
        std::uint32_t key;
        DrawCommand command;
        Handle handle = 0;
        std::uint32_t batch;
    };
    HullSet hulls;
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    Double3 origin{};      ///< of the scene that they are in
    std::vector<One> all;  ///< by index

    Batches(Trial& trial, bool in_scene) : hulls(read_hulls(trial.random, true)) {
        Random& random = trial.random;
        if (in_scene && random.chance(0.5)) origin = {16, -8, 0.25};
        for (int b = random.below(4); b >= 0; --b) {
            const bool many = random.chance(0.1);
            add(random, static_cast<std::size_t>(random.below(many ? 8 * static_cast<int>(trial.plan.objects) : 100)));
        }
    }

private:
    void add(Random& random, std::size_t count) {
        const Kind kind = all_kinds[random.below(std::size(all_kinds))];
        const bool alike = random.chance(0.5);  // then a few are there again and again
        std::vector<Object> objects;
        for (std::size_t i = 0; i < count; ++i) {
            objects.push_back(alike && i >= 8 ? objects[static_cast<std::size_t>(random.below(8))]
                                              : read_object(random, kind, hulls.size()));
            objects.back().flags = random.chance(0.7) ? lanecull::object_always_visible : 0u;
        }
        Format format{.bounds = random.chance(0.5), .first_index = static_cast<std::uint32_t>(all.size())};
        format.streams.flags = true;
        lanecull::Batch batch = make_batch(kind, objects, hulls, memory, format);
        auto* const command = memory.array<DrawCommand>(1);
        *command = {36, 1, static_cast<std::uint32_t>(batches.size()), 0, 100};
        batch.draws = {command};
        const auto* const of_hulls = batch.get_if<lanecull::HullInstances>();
        for (std::uint32_t i = 0; i < count; ++i) {
            DrawCommand own = *command;
            own.first_instance += i;
            all.push_back({center_of(kind, objects[i], of_hulls != nullptr ? of_hulls->hulls : nullptr, origin),
                           static_cast<std::uint32_t>(random.below(4)) << (random.chance(0.5) ? 30 : 0), own, 0,
                           static_cast<std::uint32_t>(batches.size())});
        }
        batches.push_back(batch);
    }
};

class OrderTrial {
public:
    explicit OrderTrial(Trial& trial)
        : trial_(trial),
          random_(trial.random),
          arguments_(random_),
          in_scene_(random_.chance(0.5)),
          of_(trial, in_scene_) {}

    void run() {
        lanecull::View view;
        if (!arguments_.prepare(view).ok()) {
            ++trial_.at(Tally::refused);
            return;
        }
        views_ = {view, view};
        rule_ = rule_of(arguments_);
        if (in_scene_) make_scene();
        for (const ListOrder order : {ListOrder::front_to_back, ListOrder::back_to_front, ListOrder::by_key}) {
            for (const lanecull::CullOptions& way : every_way(trial_, std::array{lanecull::Method::automatic})) {
                check(order, way);
                if (trial_.stopped()) return;
            }
        }
    }

private:
    void make_scene() {
        std::vector<Handle> handles(of_.all.size());
        lanecull::AddOptions options;
        std::copy_n(of_.origin.begin(), 3, options.origin);
        if (!scene_.add(of_.batches, handles, options)) throw std::runtime_error("objects that are no objects");
        // Handles in another order than objects.
        for (std::size_t i = 0; i < handles.size(); ++i) of_.all[i].handle = handles[i];
        object_of_slot_.assign(static_cast<std::size_t>(scene_.slot_count()), 0);
        for (std::uint32_t i = 0; i < handles.size(); ++i) {
            std::uint32_t slot = 0;
            if (!scene_.slot_of(handles[i], slot)) throw std::runtime_error("no slot");
            object_of_slot_[slot] = i;
        }
    }

    /// One view's lists.
    struct Lists {
        Numbers indices, handles;
        std::vector<DrawCommand> draws;
        std::vector<lanecull::BatchRange> ranges;
        std::vector<std::uint64_t> visible;
        lanecull::SceneOutput of_scene;

        Lists(std::size_t room, std::size_t words, std::size_t batches)
            : indices(room, 77), handles(room, 77), draws(room), ranges(batches), visible(words) {}
    };
    [[nodiscard]] lanecull::Objects objects() const {
        return in_scene_ ? lanecull::Objects(scene_) : lanecull::Objects(of_.batches);
    }

    /// Culls by both views, of which the first is ordered.
    lanecull::Status cull(ListOrder order, const lanecull::CullOptions& options, Lists& first, Lists& second) {
        std::vector<lanecull::Output> outputs(2);
        Lists* const lists[] = {&first, &second};
        for (std::size_t v = 0; v < 2; ++v) {
            outputs[v].indices = lists[v]->indices, outputs[v].visible = lists[v]->visible;
            outputs[v].draws.memory = lists[v]->draws;
            outputs[v].batch_ranges = lists[v]->ranges;
            lists[v]->of_scene.handles = lists[v]->handles;
            if (in_scene_) outputs[v].scene = &lists[v]->of_scene;
        }
        outputs[0].order = order;
        outputs[0].keys = keys_, outputs[0].key_stride_bytes = key_stride_;
        std::vector<std::byte> scratch(lanecull::scratch_bytes(objects(), 2) + lanecull::order_bytes(objects(), 1));
        const lanecull::Status status = lanecull::cull(objects(), views_, outputs, scratch, options);
        visible_count_ = static_cast<std::size_t>(outputs[0].visible_count);
        return status;
    }

    void check(ListOrder order, lanecull::CullOptions options) {
        const std::size_t words = lanecull::visibility_words(objects()), most = of_.all.size();
        const bool by_batch = !in_scene_ && random_.chance(0.3);
        const std::size_t ranges = by_batch ? of_.batches.size() : 0;
        set_keys();
        const unsigned threads = 3;
        if (trial_.plan.objects > 100 && random_.chance(0.1)) options.runner = on_new_threads(threads);
        Lists whole(most, words, ranges), plain(most, words, ranges);
        const lanecull::Status status = cull(order, options, whole, plain);
        if (!rule_) {
            if (status || std::string(status.message()).find("outputs[0].order") != 0) fail("an order without a depth");
            return;
        }
        if (!status) return fail(status.message().text);
        trial_.at(Tally::cases) += most, trial_.at(Tally::reached) += visible_count_;
        whole.indices.resize(visible_count_), plain.indices.resize(visible_count_);
        trial_.answers.all.add(std::span<const std::uint64_t>(whole.visible));
        if (whole.visible != plain.visible || !std::ranges::is_sorted(plain.indices)) return fail("the other view");
        Numbers ascending = whole.indices;
        std::ranges::sort(ascending);
        if (ascending != plain.indices) return fail("other objects are listed");
        if (const char* const what = wrong_order(order, whole, by_batch)) return fail(what);
        if (const char* const what = wrong_lists(whole)) return fail(what);
        const std::size_t room = visible_count_ == 0 ? 0 : random_.bits() % visible_count_;
        Lists part(room, words, ranges), other(0, words, ranges);
        if (!cull(order, options, part, other)) return fail("too short");
        if (!std::ranges::equal(part.indices, std::span(whole.indices).first(room)) ||
            (in_scene_ && !std::ranges::equal(part.handles, std::span(whole.handles).first(room))) ||
            (room > 0 && std::memcmp(part.draws.data(), whole.draws.data(), room * sizeof(DrawCommand)) != 0)) {
            fail("a list that is too short does not have the first");
        }
    }

    /// By index, or by handle; some within structs.
    void set_keys() {
        const std::size_t step = 1 + static_cast<std::size_t>(random_.below(3));
        const std::size_t count = in_scene_ ? static_cast<std::size_t>(scene_.handle_limit()) : of_.all.size();
        key_memory_.assign(count * step + 1, 0);
        for (std::size_t i = 0; i < of_.all.size(); ++i) {
            key_memory_[(in_scene_ ? of_.all[i].handle : i) * step] = of_.all[i].key;
        }
        keys_ = {key_memory_.data(), count};
        key_stride_ = step == 1 ? 0 : static_cast<std::uint32_t>(4 * step);
    }

    [[nodiscard]] const Batches::One& object(std::uint32_t index) const {
        return of_.all[in_scene_ ? object_of_slot_[index] : index];
    }

    /// Whether neighbours stand in order. Objects whose depth is not known are left out.
    const char* wrong_order(ListOrder order, const Lists& lists, bool by_batch) const {
        const lanecull::Sight& sight = lanecull::contents_of(views_[0]).sight;
        const Batches::One* before = nullptr;
        Depth depth_before;
        std::uint32_t index_before = 0;
        const bool is_moderate = arguments_.moderate();
        for (const std::uint32_t index : lists.indices) {
            const Batches::One& one = object(index);
            Depth depth = depth_of(*rule_, sight, one.center);
            if (order == ListOrder::back_to_front) depth = {-depth.high, -depth.low, depth.is_known, depth.is_nan};
            const bool other_batch = before != nullptr && by_batch && before->batch != one.batch;
            if (other_batch && before->batch > one.batch) return "batches are mixed";
            const bool other_key = before != nullptr && order == ListOrder::by_key && before->key != one.key;
            if (!other_batch && other_key && before->key > one.key) return "keys do not ascend";
            if (!depth.is_known || !is_moderate) depth.is_known = false;
            if (before != nullptr && !other_batch && !other_key && depth.is_known && depth_before.is_known) {
                if (depth_before.is_nan && !depth.is_nan) return "NaN is not last";
                const bool equal = depth_before.is_nan || (depth.low == depth.high && depth_before.low == depth.low &&
                                                           depth_before.high == depth.high);
                if (!depth.is_nan && !(depth_before.low <= depth.high)) return "depths are not in order";
                if (depth.is_nan == depth_before.is_nan && equal && index_before > index) return "ties do not ascend";
            }
            before = &one, depth_before = depth, index_before = index;
        }
        return nullptr;
    }

    /// Whether the other lists stand as the indices do.
    const char* wrong_lists(const Lists& lists) const {
        std::vector<std::uint64_t> counts(lists.ranges.size());
        for (std::size_t i = 0; i < visible_count_; ++i) {
            const Batches::One& one = object(lists.indices[i]);
            if (std::memcmp(&lists.draws[i], &one.command, sizeof one.command) != 0) return "a command is another";
            if (in_scene_ && lists.handles[i] != one.handle) return "a handle is another";
            if (counts.empty()) continue;
            const lanecull::BatchRange& range = lists.ranges[one.batch];
            if (i < range.first || i >= range.first + range.count) return "an object is not in its batch's part";
        }
        return nullptr;
    }

    void fail(const std::string& what) {
        trial_.fail(Tally::untold, what, [&] {
            std::string text = arguments_.describe() + (in_scene_ ? "\nin a scene" : "\nin batches");
            for (const Batches::One& one : of_.all) {
                if (text.size() < 3000) text += "\ncenter" + written(one.center) + " key " + std::to_string(one.key);
            }
            return text;
        });
    }

    Trial& trial_;
    Random& random_;
    const ViewArguments arguments_;
    const bool in_scene_;
    Batches of_;
    std::vector<lanecull::View> views_;
    std::optional<DepthRule> rule_;
    lanecull::Scene scene_;
    std::vector<std::uint32_t> object_of_slot_;
    Numbers key_memory_;
    lanecull::Span<const std::uint32_t> keys_;
    std::uint32_t key_stride_ = 0;
    std::size_t visible_count_ = 0;
};

void check_order(Trial& trial) { OrderTrial(trial).run(); }

}  // namespace

void ordered(Trial& trial) { run_cases<check_order>(trial); }

}  // namespace properties
