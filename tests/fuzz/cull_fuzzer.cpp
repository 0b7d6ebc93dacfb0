/// Batches of any kind and any numbers, in any view, on every instruction set that runs, by every method. No object
/// that is in the view by exact arithmetic is culled, and no invalid object. Each cull's certificate proves it. The
/// outputs agree with each other. Several batches have the ranges of their bits; candidates are judged as all are.

#include <lanecull/bounds.h>
#include <lanecull/cull.h>

#include "fuzz/check.hpp"
#include "fuzz/objects.hpp"
#include "fuzz/view_arguments.hpp"
#include "oracle/exact_objects.hpp"
#include "prove/views/checker.hpp"
#include "support/culling.hpp"

namespace {

/// Objects of one kind and what they carry, as the library and as the exact oracle take them.
class Objects {
public:
    explicit Objects(Input& input) : kind_(all_kinds[input.up_to(std::size(all_kinds) - 1)]) {
        hulls_ = read_hulls(input, kind_ == Kind::hull);
        format_ = {.bounds = input.flag(), .stride_floats = input.flag() ? 0 : 12 + input.up_to(10)};
        objects_.resize(input.up_to(12) == 0 ? 33 + input.up_to(40) : 1 + input.up_to(8));
        for (Object& object : objects_) object = read_object(input, kind_, hulls_.size());
        if (input.up_to(3) == 0) format_.streams = read_streams(input);
        for (Object& object : objects_) read_attributes(input, format_.streams, object);
        batch_ = make_batch(kind_, objects_, hulls_, memory_, format_);
    }

    [[nodiscard]] const lanecull::Batch& batch() const { return batch_; }
    [[nodiscard]] lanecull::Batch batch_of(std::size_t first, std::size_t end, Memory& memory) const {
        return make_batch(kind_, std::span(objects_).subspan(first, end - first), hulls_, memory, format_);
    }
    [[nodiscard]] std::size_t count() const { return objects_.size(); }
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] const Object& object(std::size_t i) const { return objects_[i]; }
    [[nodiscard]] const HullSet& hulls() const { return hulls_; }

    [[nodiscard]] bool disabled(std::size_t i) const { return (objects_[i].flags & lanecull::object_disabled) != 0; }
    [[nodiscard]] bool on_a_layer_of(std::uint32_t mask, std::size_t i) const {
        return !format_.streams.layers || (objects_[i].layers & mask) != 0;
    }
    [[nodiscard]] bool always_visible(std::size_t i) const {
        return (objects_[i].flags & lanecull::object_always_visible) != 0;
    }
    /// Numbers that make no shape: visible wherever it is.
    [[nodiscard]] bool invalid(std::size_t i) const { return is_invalid(kind_, objects_[i]); }
    [[nodiscard]] bool moderate(std::size_t i) const;
    [[nodiscard]] bool products_may_overflow(std::size_t i) const {
        return ::products_may_overflow(kind_, objects_[i]);
    }
    [[nodiscard]] exact::Solid solid(std::size_t i) const { return exact_solid_of(kind_, objects_[i], hulls_); }
    /// With the boxes around its vertices in place of hulls.
    [[nodiscard]] exact::Solid outline(std::size_t i) const {
        return exact_solid_of(kind_, objects_[i], boxes_around(hulls_));
    }
    [[nodiscard]] std::string describe(std::size_t i) const { return ::describe(kind_, objects_[i], hulls_); }

private:
    Kind kind_;
    HullSet hulls_;
    std::vector<Object> objects_;
    Format format_;
    HeapMemory memory_;
    lanecull::Batch batch_ = lanecull::Spheres{};
};

bool Objects::moderate(std::size_t i) const {
    const Object& object = objects_[i];
    const auto all_moderate = [](const auto& numbers, std::size_t count) {
        return std::all_of(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), ::moderate);
    };
    for (const auto& vertex : hulls_[object.hull]) {
        if (!all_moderate(vertex, vertex.size())) return false;
    }
    return all_moderate(object.fields, field_count(kind_)) && ::moderate(object.margin) &&
           all_moderate(object.sweep, object.sweep.size());
}

struct Verdicts {
    std::vector<std::uint64_t> words;
    std::vector<lanecull::Certificate> certificates;

    [[nodiscard]] bool visible(std::size_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }
};

/// Twice: as frames do, and with certificates.
Verdicts culled_by(const Objects& objects, const lanecull::View& view, const lanecull::CullOptions& options) {
    const std::span<const lanecull::Batch> batches(&objects.batch(), 1);
    Verdicts result{std::vector<std::uint64_t>(lanecull::visibility_words(batches)),
                    std::vector<lanecull::Certificate>(objects.count())};
    std::vector<std::uint32_t> indices(objects.count());
    std::vector<std::uint64_t> certified_words(result.words.size());
    lanecull::Explanation why, certified_why{.certificates = result.certificates};
    lanecull::Output output = make_output(result.words, indices);
    output.explanation = &why;
    lanecull::Output certified{.visible = certified_words, .explanation = &certified_why};
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    for (lanecull::Output* o : {&output, &certified}) {
        const lanecull::Status status = cull(batches, {&view, 1}, {o, 1}, scratch, options);
        check(status.ok(), "a batch is culled", status.message().text);
    }

    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < objects.count(); ++i) {
        if (result.visible(i)) expected.push_back(i);
        check(result.visible(i) != is_culled(result.certificates[i].reason), "certificates are those of the verdicts");
    }
    indices.resize(expected.size());
    check(output.visible_count == expected.size(), "visible_count counts the bits");
    check(indices == expected, "the indices are those of the bits");
    check(why.counts.objects() == objects.count(), "counts are of every object");
    check(why.counts.visible() == expected.size(), "counts are of what is visible");
    check(certified_words == result.words && certified_why.counts == why.counts,
          "verdicts are the same with certificates");
    return result;
}

/// The objects in three batches, one after the other, some of which may be empty; all of them are asked about, and then
/// some.
class Parts {
public:
    Parts(Input& input, const Objects& objects) {
        std::size_t cut[4] = {0, input.up_to(static_cast<std::uint32_t>(objects.count())), objects.count(),
                              objects.count()};
        cut[2] -= input.up_to(static_cast<std::uint32_t>(cut[2] - cut[1]));
        for (std::size_t b = 0; b < 3; ++b) {
            const std::size_t word = compared_.size();
            compared_.resize(word + (cut[b + 1] - cut[b] + 63) / 64, ~std::uint64_t{0});
            for (std::size_t i = cut[b]; i < cut[b + 1]; ++i) {
                const std::size_t k = i - cut[b];
                if (objects.products_may_overflow(i)) compared_[word + k / 64] &= ~(std::uint64_t{1} << k % 64);
            }
            batches_.push_back(objects.batch_of(cut[b], cut[b + 1], memory_));
        }
        candidates_ = read_candidates(input, lanecull::visibility_words(batches_));
    }

    /// Calls culled(i) for each object that is culled though it is asked about.
    template <class Culled>
    void check(const lanecull::View& view, const lanecull::CullOptions& options, const Culled& culled) const {
        const Answer all(batches_, view, {}, options), some(batches_, view, candidates_, options);
        for (std::size_t w = 0; w < all.words.size(); ++w) {
            ::check((some.words[w] & ~candidates_[w]) == 0, "others than candidates are culled");
            ::check(((some.words[w] ^ all.words[w]) & candidates_[w] & compared_[w]) == 0,
                    "candidates are judged alike");
        }
        std::size_t word = 0, i = 0;
        for (const lanecull::Batch& batch : batches_) {
            for (std::uint32_t k = 0; k < batch.count(); ++k, ++i) {
                if ((all.words[word + k / 64] >> k % 64 & 1) == 0) culled(i);
            }
            word += (batch.count() + 63) / 64;
        }
    }

private:
    /// What a call says, its ranges of batches checked against its bits.
    struct Answer {
        std::vector<std::uint64_t> words;

        Answer(std::span<const lanecull::Batch> batches, const lanecull::View& view,
               std::span<const std::uint64_t> candidates, const lanecull::CullOptions& options)
            : words(lanecull::visibility_words(batches)) {
            std::vector<lanecull::BatchRange> ranges(batches.size());
            std::vector<std::uint32_t> indices(64 * words.size());
            std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
            lanecull::Output output = make_output(words, indices);
            output.batch_ranges = ranges, output.candidates = candidates;
            const lanecull::Status status = cull(batches, {&view, 1}, {&output, 1}, scratch, options);
            ::check(status.ok(), "batches are culled", status.message().text);
            std::size_t word = 0;
            std::uint64_t first = 0;
            for (std::size_t b = 0; b < batches.size(); ++b) {
                std::uint64_t count = 0;
                for (std::uint32_t k = 0; k < batches[b].count(); ++k) {
                    if ((words[word + k / 64] >> k % 64 & 1) == 0) continue;
                    ::check(indices[first + count] == k, "a batch's part of the indices is its own");
                    ++count;
                }
                ::check(ranges[b] == lanecull::BatchRange{first, count}, "ranges are those of the bits");
                first += count;
                word += (batches[b].count() + 63) / 64;
            }
            ::check(output.visible_count == first, "visible_count counts all batches");
        }
    };

    HeapMemory memory_;
    std::vector<lanecull::Batch> batches_;
    std::vector<std::uint64_t> candidates_;
    std::vector<std::uint64_t> compared_;  // bits of objects that are not near overflow
};

/// What exact arithmetic can tell in little time.
class Expectation {
public:
    Expectation(const ViewArguments& arguments, const lanecull::View& view, const Objects& objects)
        : arguments_(arguments), objects_(objects) {
        if (!arguments.moderate()) return;
        exact_view_.emplace(arguments);
        if (exact_view_->volume() != nullptr) checker_.emplace(*exact_view_->volume(), view);
    }

    [[nodiscard]] bool must_be_visible(std::size_t i) const {
        if (objects_.always_visible(i) || objects_.invalid(i)) return true;
        if (!exact_view_ || !objects_.moderate(i)) return false;
        const Object& object = objects_.object(i);
        if (arguments_.has_own_eye() || arguments_.size_scale != 0) {
            if (object.min_projected_size != 0) return false;
        }
        const exact::Solid solid = objects_.solid(i);
        return !may_be_too_far(solid, object.max_distance) && !may_be_too_near(i, object.min_distance) &&
               exact_view_->certainly_meets(solid);
    }

    [[nodiscard]] bool may_be_proved_by(const lanecull::Certificate& certificate, std::size_t i) {
        const bool by_shape =
            certificate.reason == lanecull::Reason::culled_plane || certificate.reason == lanecull::Reason::culled_gjk;
        if (!by_shape || !checker_ || !objects_.moderate(i)) return true;
        return checker_->proves(certificate, objects_.kind(), objects_.object(i), objects_.hulls());
    }

private:
    [[nodiscard]] bool has_eye() const { return arguments_.eye || arguments_.has_own_eye(); }
    /// Whether it is not known here where a distance is from, or the oracle takes long for it.
    [[nodiscard]] bool is_not_asked(float limit) const { return !arguments_.eye || !moderate(limit) || limit < 0; }
    /// Whether the solid has a point no farther from the eye than that.
    [[nodiscard]] bool reaches_into(const exact::Solid& solid, double distance) const {
        const exact::Point eye[] = {exact::point((*arguments_.eye)[0], (*arguments_.eye)[1], (*arguments_.eye)[2])};
        const exact::Volume near = exact::Volume::hull(eye).widened(exact::rational(distance));
        return decide(solid, near).verdict == exact::Verdict::visible;
    }
    [[nodiscard]] bool may_be_too_far(const exact::Solid& solid, float most) const {
        if (most == HUGE_VALF || !has_eye()) return false;
        return is_not_asked(most) || !reaches_into(solid, static_cast<double>(most));
    }
    /// A hull's distance is its box's. The view's margin makes objects larger.
    [[nodiscard]] bool may_be_too_near(std::size_t i, float least) const {
        if (least == 0 || !has_eye()) return false;
        return is_not_asked(least) || reaches_into(objects_.outline(i), static_cast<double>(least) + arguments_.margin);
    }

    const ViewArguments& arguments_;
    const Objects& objects_;
    std::optional<ExactView> exact_view_;
    std::optional<prove::Checker> checker_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const ViewArguments arguments(input);
    lanecull::View view;
    if (!arguments.prepare(view)) return 0;
    const Objects objects(input);
    const Parts parts(input, objects);

    Expectation expectation(arguments, view, objects);
    std::vector<bool> culled(objects.count());  // by any
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            parts.check(view, {.method = method, .isa = isa}, [&](std::size_t i) { culled[i] = true; });
            const Verdicts verdicts = culled_by(objects, view, {.method = method, .isa = isa});
            for (std::size_t i = 0; i < objects.count(); ++i) {
                if (verdicts.visible(i)) {
                    const bool excluded = objects.disabled(i) || !objects.on_a_layer_of(arguments.layer_mask, i);
                    check(!excluded, "what is disabled or on no layer is culled");
                    continue;
                }
                culled[i] = true;
                check(expectation.may_be_proved_by(verdicts.certificates[i], i), "its certificate proves a cull",
                      arguments.describe() + "\n" + objects.describe(i));
            }
        }
    }
    for (std::size_t i = 0; i < objects.count(); ++i) {
        if (!culled[i] || objects.disabled(i) || !objects.on_a_layer_of(arguments.layer_mask, i)) continue;
        check(!expectation.must_be_visible(i), "what is in the view is visible",
              arguments.describe() + "\n" + objects.describe(i));
    }
    return 0;
}
