#include <array>
#include <cmath>
#include <string>

#include "flat/prepared_view.hpp"
#include "properties/figures/figures.hpp"
#include "support/memory.hpp"
#include "support/new_threads.hpp"

/// What calls of <lanecull/flat.h> tell besides verdicts.
namespace properties {
namespace {

using namespace flat_tests;
using flat_tests::Kind;
using flat_tests::Object;
namespace flat = lanecull::flat;
using Words = std::vector<std::uint64_t>;

/// All outputs of one view.
struct Told {
    Words visible, inside;
    std::vector<std::uint32_t> indices;
    std::vector<lanecull::VisibleRun> runs;
    std::vector<std::array<std::uint32_t, 5>> draws;  ///< lanecull::DrawCommand
    std::uint64_t visible_count = 0;
    lanecull::Counts counts;

    bool operator==(const Told&) const = default;
};

/// Batches of some kinds, of sizes around whole words, and some views that they are around.
class Call {
public:
    Call(Random& random, std::size_t objects) : memory_(GuardedMemory::Against::end), polygon_(random_polygon(random)) {
        std::vector<TestView> test_views(1 + static_cast<std::size_t>(random.below(4)));
        for (TestView& view : test_views) {
            view = random_view(random, all_views[random.below(std::size(all_views))]);
            views_.push_back(view.view);
        }
        const std::size_t counts[] = {0, 1, 63, 64, 65, objects, random.chance(0.1) ? 20 * objects : 131};
        std::uint32_t first = 7;
        for (int n = 1 + random.below(4); n > 0; --n) {
            const Kind kind = flat_tests::all_kinds[random.below(std::size(flat_tests::all_kinds))];
            std::vector<Object> some(counts[random.below(std::size(counts))]);
            for (Object& object : some) {
                const auto near = static_cast<std::size_t>(random.below(static_cast<int>(test_views.size())));
                object = random_object(random, kind, test_views[near], polygon_);
            }
            batches_.push_back(make_batch(kind, some, polygon_, memory_, first));
            batches_.back().draws = {&command_};
            first += static_cast<std::uint32_t>(some.size()) + 5;
            count_ += some.size();
        }
    }

    [[nodiscard]] std::span<const flat::View> views() const { return views_; }

    /// Of some of the views, and each object's mask of them.
    std::vector<Told> told(std::span<const flat::View> views, const lanecull::Isa isa, const lanecull::Runner& runner,
                           Words& masks) const {
        std::vector<Told> all(views.size());
        std::vector<lanecull::Output> outputs(views.size());
        std::vector<lanecull::Explanation> whys(views.size());
        for (std::size_t v = 0; v < views.size(); ++v) {
            Told& told = all[v];
            told.visible.assign(flat::visibility_words(batches_), ~std::uint64_t{0});
            told.inside = told.visible;
            told.indices.resize(count_), told.runs.resize(count_), told.draws.resize(count_);
            outputs[v].visible = told.visible, outputs[v].inside = told.inside;
            outputs[v].indices = told.indices, outputs[v].runs = told.runs;
            outputs[v].draws.memory = std::as_writable_bytes(std::span(told.draws));
            outputs[v].explanation = &whys[v];
        }
        masks.assign(count_, 0);
        std::vector<std::byte> scratch(flat::scratch_bytes(batches_, views.size()));
        const lanecull::Status status =
            flat::cull(batches_, views, outputs, scratch, {.isa = isa, .runner = runner, .view_masks = masks});
        if (!status) throw std::runtime_error(status.message());
        for (std::size_t v = 0; v < views.size(); ++v) {
            all[v].visible_count = outputs[v].visible_count;
            all[v].counts = whys[v].counts;
            all[v].indices.resize(outputs[v].visible_count);
            all[v].runs.resize(outputs[v].run_count);
            all[v].draws.resize(outputs[v].draw_count);
        }
        return all;
    }

    /// What the words of all views say: lists, runs, draws and masks are these. Null: they are.
    [[nodiscard]] const char* disagreement(const std::vector<Told>& all, const Words& masks) const {
        for (std::size_t v = 0; v < all.size(); ++v) {
            std::vector<std::uint32_t> indices, from_runs;
            std::size_t word = 0, object = 0;
            for (const flat::Batch& batch : batches_) {
                for (std::uint32_t i = 0; i < batch.count(); ++i, ++object) {
                    const bool visible = (all[v].visible[word + i / 64] >> i % 64 & 1) != 0;
                    if (visible != ((masks[object] >> v & 1) != 0)) return "masks";
                    if (!visible) continue;
                    if (indices.size() >= all[v].draws.size()) return "too few draws";
                    const std::array<std::uint32_t, 5> expected = {36, 1, 4, 0xfffffffe, 1000 + i};
                    if (all[v].draws[indices.size()] != expected) return "draws";
                    indices.push_back(batch.first_index + i);
                }
                word += (batch.count() + 63) / 64;
            }
            for (const lanecull::VisibleRun& run : all[v].runs) {
                for (std::uint32_t i = 0; i < run.count; ++i) from_runs.push_back(run.first + i);
            }
            if (all[v].indices != indices || all[v].visible_count != indices.size()) return "indices";
            if (from_runs != indices) return "runs";
            if (all[v].draws.size() != indices.size()) return "draws of what is culled";
            if (all[v].counts.objects() != count_) return "counts";
        }
        return nullptr;
    }

private:
    GuardedMemory memory_;
    flat::Polygon polygon_;
    lanecull::DrawCommand command_{36, 1, 4, -2, 1000};
    std::vector<flat::View> views_;
    std::vector<flat::Batch> batches_;
    std::size_t count_ = 0;
};

}  // namespace

void figure_outputs(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const Call call(trial.random, trial.plan.objects);
    const auto fail = [&](const std::string& what) { trial.fail(Tally::untold, what, [] { return ""; }); };
    for (const lanecull::Isa isa : trial.plan.isas) {
        Words masks, other_masks;
        const std::vector<Told> all = call.told(call.views(), isa, {}, masks);
        if (const char* what = call.disagreement(all, masks)) fail(std::string(what) + " differ from the words");
        // Threads take longer than what fuzzers try.
        const unsigned threads = trial.plan.objects > 100 ? 3 : 1;
        if (call.told(call.views(), isa, on_new_threads(threads), other_masks) != all || masks != other_masks) {
            fail("several threads tell something else");
        }
        for (std::size_t v = 0; v < all.size(); ++v) {
            trial.at(Tally::verdicts) += all[v].counts.objects();
            trial.at(Tally::cases) += all[v].counts.objects();
            trial.at(Tally::reached) += all[v].visible_count;
            const std::vector<Told> alone = call.told(call.views().subspan(v, 1), isa, {}, other_masks);
            if (alone.front() != all[v]) fail("a view alone is told something else");
        }
        if (trial.stopped()) return;
    }
}

/// Coordinates differ in size by up to 10^40: products of intervals do not tell on which side of a line most points
/// are, so they may be on either chain of the hull.
void figure_corners(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    const auto fail = [&](const char* what) { trial.fail(Tally::unproved, what, [] { return ""; }); };
    for (int round = 0; round < 2000; ++round) {
        const double widest = random.log_range(1, 1e40);
        const auto number = [&] { return random.log_range(1, widest) * 1e-10 * random.sign(); };
        std::vector<double> points(32);
        for (double& x : points) x = number();
        if (random.chance(0.5)) {  // all but on one line
            for (std::size_t k = 1; k < points.size(); k += 2) {
                points[k] = points[k - 1] * (1 + random.range(-1, 1) * 0x1p-50);
            }
        }
        flat::View view;
        if (flat::prepare_view_from_points(points, view)) {
            const auto corners = contents_of(view).vertex_count;
            ++trial.at(Tally::cases);
            trial.at(Tally::reached) += corners > 12;
            if (corners > flat::PreparedView::max_edges) fail("a view has more corners than there is room for");
        }
        float x[flat::Polygon::max_points], y[flat::Polygon::max_points];
        for (std::size_t k = 0; k < flat::Polygon::max_points; ++k) {
            x[k] = static_cast<float>(number());
            y[k] = round % 2 == 0 ? std::nextafter(x[k], 0.0f) : static_cast<float>(number());
        }
        flat::Polygon polygon;
        if (prepare_polygon(x, y, flat::Polygon::max_points, polygon) && polygon.count > flat::Polygon::max_points) {
            fail("a polygon has more corners than there is room for");
        }
    }
}

}  // namespace properties
