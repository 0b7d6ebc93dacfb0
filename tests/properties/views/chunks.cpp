#include <algorithm>
#include <string>
#include <vector>

#include "properties/candidates.hpp"
#include "properties/views/families.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "view/prepared_view.hpp"

namespace properties {
namespace {

using lanecull::Method;
using lanecull::Reason;

/// Objects of one kind in one batch, whole, as candidates, and in pieces: chunks of other objects and of other sizes.
class Crowd {
public:
    Crowd(const Camera& camera, const lanecull::View& view, Kind kind, std::vector<Object> objects,
          const HullSet& hulls, const Streams& streams, Trial& trial)
        : camera_(camera),
          view_(view),
          kind_(kind),
          objects_(std::move(objects)),
          hulls_(hulls),
          format_{.streams = streams},
          trial_(trial) {}

    /// Counts of the whole.
    lanecull::Counts check(std::size_t piece, const lanecull::CullOptions& options) const {
        const CandidateAnswer whole = cull(0, objects_.size(), false, options),
                              candidates = cull(0, objects_.size(), true, options);
        std::vector<std::uint64_t> visible, inside;
        lanecull::Counts sum;
        for (std::size_t first = 0; first < objects_.size(); first += piece) {
            const CandidateAnswer one = cull(first, std::min(piece, objects_.size() - first), false, options);
            visible.insert(visible.end(), one.visible.begin(), one.visible.end());
            inside.insert(inside.end(), one.inside.begin(), one.inside.end());
            sum += one.counts;
        }
        compare(whole.visible, visible, "visible otherwise in pieces", options);
        compare(whole.inside, inside, "inside otherwise in pieces", options);
        compare(whole.visible, candidates.visible, "visible otherwise as a candidate", options);
        trial_.at(Tally::verdicts) += objects_.size();
        trial_.answers.add_words(whole.visible, options.method);
        const bool all_counted = whole.counts.objects() == objects_.size() && sum.objects() == objects_.size() &&
                                 candidates.counts.visible() == whole.counts.visible();
        if (!all_counted) trial_.fail(Tally::untold, "not all are counted", [&] { return camera_.describe(); });
        return whole.counts;
    }

private:
    [[nodiscard]] CandidateAnswer cull(std::size_t first, std::size_t count, bool candidates,
                                       const lanecull::CullOptions& options) const {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind_, std::span(objects_).subspan(first, count), hulls_, memory, format_);
        const std::vector<std::uint64_t> all(candidates ? (count + 63) / 64 : 0, ~std::uint64_t{0});
        return {std::span<const lanecull::Batch>(&batch, 1), view_, all, options, false};
    }

    void compare(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, const char* what,
                 const lanecull::CullOptions& options) const {
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            if (((a[i / 64] ^ b[i / 64]) >> i % 64 & 1) == 0 || products_may_overflow(kind_, objects_[i])) continue;
            trial_.fail(
                Tally::untold,
                std::string(what) + ", by " + method_name(options.method) + " on " + lanecull::isa_name(options.isa),
                [&] { return camera_.describe() + "\n" + describe(kind_, objects_[i], hulls_); });
        }
    }

    const Camera& camera_;
    const lanecull::View& view_;
    const Kind kind_;
    const std::vector<Object> objects_;
    const HullSet& hulls_;
    const Format format_;
    Trial& trial_;
};

constexpr std::size_t in_chunks = 17'000;

/// One object in `of` is near a corner of the volume, the others are anywhere.
Crowd crowd_of(Kind kind, int of, const PreparedCamera& prepared, const HullSet& hulls, Trial& trial) {
    Random& random = trial.random;
    std::vector<Object> objects;
    while (objects.size() < in_chunks) {
        const bool is_open = objects.size() % static_cast<std::size_t>(of) == 0;
        objects.push_back(
            random_object(random, kind, prepared.camera, is_open ? Placement::corner : Placement::uniform, hulls));
        objects.back().max_distance = static_cast<float>(random.log_range(1, 1e6));
    }
    return {prepared.camera, prepared.view, kind, std::move(objects), hulls, {.max_distance = of > 1}, trial};
}

/// A sphere near a side, and where it is outside as large as it is far away, up to a step of a float's or a tenth.
Object touching_a_side(Random& random, const PreparedCamera& prepared) {
    Object object = random_object(random, Kind::sphere, prepared.camera, Placement::facet, {});
    const lanecull::PreparedView& view = contents_of(prepared.view);
    double farthest = 0;
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        double distance = static_cast<double>(view.offset[k]);
        for (std::size_t j = 0; j < 3; ++j) {
            distance += static_cast<double>(view.normal[k][j]) *
                        (static_cast<double>(object.fields[j]) - static_cast<double>(view.frame.origin_hi[j]));
        }
        farthest = std::min(farthest, distance);
    }
    const double by = random.log_range(1e-8, 0.1) * random.sign();
    if (farthest < 0) object.fields[3] = static_cast<float>(-farthest * (1 + by));
    return object;
}

/// What stage 2 has decided.
std::uint64_t open(const lanecull::Counts& counts) {
    return counts[Reason::culled_gjk] + counts[Reason::visible_overlap] + counts[Reason::visible_vertex];
}

template <class Count>
void run_chunks(Trial& trial, int of, const Count& count) {
    trial.at(Tally::trials) = 1;
    const PreparedCamera prepared = random_prepared_camera(trial.random, Projection::perspective);
    const HullSet hulls = random_hulls(trial.random, 3);
    for (const Kind kind : all_kinds) {
        const Crowd crowd = crowd_of(kind, of, prepared, hulls, trial);
        for (const lanecull::Isa isa : trial.plan.isas) {
            count(kind, crowd.check(640, {.isa = isa}));
            if (trial.stopped()) return;
        }
    }
}

}  // namespace

void chunks(Trial& trial) {
    run_chunks(trial, 1, [&](Kind, const lanecull::Counts& counts) {
        trial.at(Tally::cases) += in_chunks;
        trial.at(Tally::reached) += open(counts);
    });
}

void sparse_chunks(Trial& trial) {
    run_chunks(trial, 3, [&](Kind kind, const lanecull::Counts& counts) {
        // Of chunks of 16,384, more than a list holds and less than a third is asked for its distance.
        if (kind != Kind::sphere && kind != Kind::box && kind != Kind::centered_box) return;
        trial.at(Tally::cases) += in_chunks;
        trial.at(Tally::reached) += counts.visible() + counts[Reason::culled_distance];
    });
}

void crossing(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    for (const Projection projection : all_projections) {
        const PreparedCamera prepared = random_prepared_camera(random, projection);
        const bool has_slabs = projection != Projection::orthographic && projection != Projection::oblique &&
                               projection != Projection::sheared;
        const bool by_slabs = contents_of(prepared.view).sides.known;
        if (by_slabs && !has_slabs) {
            trial.fail(Tally::untold, "side slabs of a projection without", [&] { return prepared.camera.describe(); });
        }
        std::vector<Object> objects;
        while (objects.size() < 4'096) objects.push_back(touching_a_side(random, prepared));
        const Crowd crowd(prepared.camera, prepared.view, Kind::sphere, std::move(objects), {}, {}, trial);
        for (const lanecull::Isa isa : trial.plan.isas) {
            const lanecull::Counts counts = crowd.check(64, {.method = Method::planes, .isa = isa});
            trial.at(Tally::culled_plane) += counts[Reason::culled_plane];
            if (has_slabs) trial.at(Tally::cases) += 4'096, trial.at(Tally::reached) += by_slabs ? 4'096 : 0;
            if (trial.stopped()) return;
        }
    }
}

}  // namespace properties
