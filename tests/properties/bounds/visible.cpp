#include <algorithm>

#include <lanecull/cull.h>
#include <lanecull/shadow.h>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"
#include "support/random.hpp"

/// visible_bounds(): each object whose bit is set is in the box, with its margin and sweep; and the box is no larger.
namespace properties {
namespace {

struct Part {
    Kind kind;
    std::vector<Object> objects;
};

class VisibleTrial : public ShapesTrial {
public:
    using ShapesTrial::ShapesTrial;

    void run() {
        // Of one kind, of several, and with few bits or many.
        for (const Kind kind : all_kinds) ask({kind});
        ask({Kind::hull, Kind::sphere, Kind::box});
        ask({Kind::quaternion_box, Kind::capsule, Kind::oriented_box, Kind::centered_box});
        ask({Kind::box_instance, Kind::sphere});
    }

    /// Of one kind, perhaps with words too many.
    void run_any() {
        for (const Kind kind : all_kinds) ask({kind});
    }

private:
    void ask(const std::vector<Kind>& kinds) {
        const bool any = numbers_ == Numbers::unchecked;
        for (int n = 0; n < (any ? 1 : 4) && !trial_.stopped(); ++n) {
            parts_.clear();
            std::vector<lanecull::Batch> batches;
            HeapMemory memory;
            for (const Kind kind : kinds) {
                Part& part = parts_.emplace_back(Part{kind, {}});
                const int few = random().chance(0.5) ? 4 : static_cast<int>(trial_.plan.objects / 4);
                for (int i = random().below(any ? few : 150); i > 0; --i) part.objects.push_back(draw(kind));
                batches.push_back(unbounded_batch(kind, part.objects, hulls_, memory));
            }
            // Some bits are of no object.
            words_.resize(lanecull::visibility_words(batches));
            const int rare = random().below(4);
            for (std::uint64_t& word : words_) {
                word = random().bits();
                for (int k = 0; k < 2 * rare; ++k) word &= random().bits();
            }
            const auto sets = static_cast<int>(trial_.plan.isas.size());
            const lanecull::Isa isa = trial_.plan.isas[static_cast<std::size_t>(random().below(sets))];
            if (any && random().below(16) == 0) expect_refusal(batches, isa);
            lanecull::WorldBox box;
            if (lanecull::Status status = visible_bounds(batches, words_, box, {isa}); !status) {
                trial_.fail(Tally::untold, status.message().text, [] { return ""; });
                continue;
            }
            check(box);
        }
    }

    /// Of a word too many, which writes nothing.
    void expect_refusal(std::span<const lanecull::Batch> batches, lanecull::Isa isa) {
        const std::vector<std::uint64_t> words(words_.size() + 1);
        lanecull::WorldBox box{{7, 7, 7}, {7, 7, 7}};
        if (visible_bounds(batches, words, box, {isa}).ok() || box.lower[0] != 7 || box.upper[2] != 7) {
            trial_.fail(Tally::untold, "a word too many is taken, or refused and written", [] { return ""; });
        }
    }

    void check(const lanecull::WorldBox& box) {
        nearest_[0] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, nearest_[1] = nearest_[0];
        any_ = false;
        has_end_ = true;
        all_moderate_ = true;
        for_each_visible(
            [&](Kind kind, const Object& object) { all_moderate_ = all_moderate_ && is_moderate(kind, object); });
        std::size_t asked = 0;
        for_each_visible([&](Kind kind, const Object& object) {
            const bool alone = asked++ < trial_.plan.oracle_objects;
            judge_.by_rationals_alone(alone);
            at(Tally::oracle_objects) += alone ? 1u : 0u;
            check(box, kind, object);
        });
        const bool empty = box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
        if (empty == any_) trial_.fail(Tally::untold, "empty, or not empty, without reason", [] { return ""; });
        if (any_ && has_end_ && !has_transform(parts_[0].kind)) measure(box);
    }

    template <class Visit>
    void for_each_visible(const Visit& visit) const {
        std::size_t word = 0;
        for (const Part& part : parts_) {
            for (std::size_t i = 0; i < part.objects.size(); ++i) {
                if ((words_[word + i / 64] >> i % 64 & 1) != 0) visit(part.kind, part.objects[i]);
            }
            word += (part.objects.size() + 63) / 64;
        }
    }

    void check(const lanecull::WorldBox& box, Kind kind, const Object& object) {
        any_ = true;
        const std::optional<bool> valid = is_object(kind, object, hulls_.size());
        ++at(Tally::cases);
        at(Tally::reached) += valid == true ? 1u : 0u;
        if (valid != true) {
            has_end_ = false;
            const bool endless = std::ranges::all_of(box.lower, [](double end) { return end == -HUGE_VAL; }) &&
                                 std::ranges::all_of(box.upper, [](double end) { return end == HUGE_VAL; });
            if (valid == false && !endless) {
                fail(Tally::invalid_told, box, kind, object, "the box ends, around what is no object");
            }
            return;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float sign : {-1.0f, 1.0f}) {
                const double end = sign > 0 ? box.upper[k] : -box.lower[k];
                ++at(Tally::verdicts);
                if (!std::isfinite(end)) {
                    has_end_ = false;
                    if (all_moderate_) {
                        fail(Tally::untold, box, kind, object, "the box has no end, though its objects are valid");
                    }
                    return;
                }
                ++at(Tally::culled_gjk);
                const Side side{k, sign, end};
                note(side, kind, object);
                if (reaches_beyond(side, kind, object, hulls_, judge_)) {
                    fail(Tally::unproved, box, kind, object, "the object reaches beyond the box");
                    return;
                }
            }
        }
    }

    /// Whether the sizes of all terms of its ends add up to less than 10^36, except those of a rotation, and no number
    /// of an instance is larger than 2^57. An estimate's error is at least 2^-53 of the terms.
    [[nodiscard]] bool is_moderate(Kind kind, const Object& object) const {
        if (is_object(kind, object, hulls_.size()) != true) return false;
        double error = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float sign : {-1.0f, 1.0f}) error += farthest({k, sign, 0}, kind, object, hulls_).error;
        }
        const auto fields = std::span(object.fields).first(has_transform(kind) ? field_count(kind) : 0);
        return error < 1e36 * Estimate::unit &&
               std::ranges::all_of(fields, [](float number) { return std::fabs(number) < 0x1p57f; });
    }

    /// Keeps how near objects come to each end. Hulls do not count, because their boxes are those of their boxes.
    void note(const Side& side, Kind kind, const Object& object) {
        if (has_transform(kind)) return;
        double& nearest = nearest_[side.sign > 0 ? 1 : 0][side.k];
        nearest = std::max(nearest, farthest(side, kind, object, hulls_).value);
    }

    /// How far each end is from the object that reaches farthest.
    void measure(const lanecull::WorldBox& box) {
        // The axes of discs pass more roundings, and count more.
        const double share = has_axis(parts_[0].kind) ? 0x1p-17 : 0x1p-18;
        double size = 0;
        for (std::size_t k = 0; k < 3; ++k) size += std::max(std::fabs(box.lower[k]), std::fabs(box.upper[k]));
        for (std::size_t k = 0; k < 3; ++k) {
            for (const auto& nearest : nearest_) {
                ++at(Tally::apart_18);
                at(Tally::kept_18) += -nearest[k] > share * size + 0x1p-120 ? 1u : 0u;
            }
        }
    }

    void fail(Tally::Count count, const lanecull::WorldBox& box, Kind kind, const Object& object, const char* what) {
        trial_.fail(count, what, [&] {
            return ::describe(kind, object, hulls_) + "\n  box" + written(box.lower) + " to" + written(box.upper);
        });
    }

    std::vector<Part> parts_;
    std::vector<std::uint64_t> words_;
    std::array<std::array<double, 3>, 2> nearest_{};
    bool any_ = false, has_end_ = true, all_moderate_ = true;
};

}  // namespace

void bound_visible(Trial& trial) { VisibleTrial(trial, Numbers::any).run(); }
void bound_any_visible(Trial& trial) { VisibleTrial(trial, Numbers::unchecked).run_any(); }

}  // namespace properties
