/// Which solids are likely to hide most. Nothing here is proved: what is chosen hides by prepare_occluder()'s proof.
///
/// The largest solids in view are drawn into a small picture of numbers. Each solid in view stands for the objects near
/// it, and votes for the solid that the picture shows where its middle is.

#include <lanecull/occluder.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/occluders.hpp"
#include "calls/ranges.hpp"
#include "occluders/solid.hpp"
#include "occluders/solids_in_view.hpp"
#include "occluders/vote_kernels.hpp"

namespace lanecull {
namespace {

/// So many of the largest solids in view are drawn.
constexpr std::uint32_t max_drawn = 352;

/// Of votes, a chosen solid has more than one in so many: what hides less costs a cull more than it saves.
constexpr std::size_t votes_share = 1000;

/// Where fewer solids are in view, they say little of where objects are: those that hide no other one may be chosen.
constexpr std::size_t few_seen = 64;

/// The farthest place of a picture from its middle, where the view's own sides do not limit it: 76 degrees.
constexpr float widest_place = 4;

float dot(const float (&a)[3], const float (&b)[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

RoughView rough_view(const PreparedView& view, const PreparedViewpoint& from) {
    RoughView rough = {};
    rough.is_parallel = from.eye_count == 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double sum = rough.is_parallel ? from.direction[k][0] : 0;
        for (std::uint32_t c = 0; c < from.eye_count; ++c) sum += from.eye[c][k][0] / from.eye_count;
        rough.eye[k] = static_cast<float>(sum);
    }
    rough.plane_count = view.plane_count;
    for (std::uint32_t p = 0; p < view.plane_count; ++p) {
        rough.offset[p] = view.offset[p] + view.margin;
        for (std::size_t k = 0; k < 3; ++k) {
            rough.normal[p][k] = view.normal[p][k];
            rough.offset[p] += view.normal[p][k] * (from.origin[k] - view.frame.origin_hi[k]);
        }
    }
    return rough;
}

/// The solids in view, side by side.
struct Seen {
    float* center[3];  ///< relative to the viewpoint's origin
    float* squared_size;
    std::uint32_t* index;  ///< of the solid
    std::uint32_t* order;  ///< numbers of these arrays' elements
    std::size_t count = 0;

    /// Whole blocks, and one after the last: kernels read whole packets.
    static constexpr std::size_t room(std::size_t solids) { return (solids / RoughBoxes::most + 2) * RoughBoxes::most; }
    static constexpr std::size_t bytes(std::size_t solids) { return 6 * sizeof(float) * room(solids); }

    Seen(ScratchMemory& memory, std::size_t solids) {
        const auto column = [&]<class T>(T*& elements) {
            elements = new (memory.take<std::uint64_t>(room(solids) * sizeof(T) / sizeof(std::uint64_t)).data())
                T[room(solids)];
        };
        for (float*& coordinate : center) column(coordinate);
        column(squared_size), column(index), column(order);
    }

    void take(const RoughBoxes& boxes, const RoughSizes& sizes) {
        for (std::uint64_t rest = sizes.seen; rest != 0; rest &= rest - 1) {
            const auto b = static_cast<std::size_t>(std::countr_zero(rest));
            for (std::size_t k = 0; k < 3; ++k) center[k][count] = sizes.center[k][b];
            squared_size[count] = sizes.squared[b];
            index[count++] = boxes.index[b];
        }
    }

    /// Puts the numbers of the `most` largest first into `order`, in no order. Returns how many there are.
    std::uint32_t find_largest(std::uint32_t most) {
        const std::size_t left = list_largest(most);
        const auto larger = [this](std::uint32_t a, std::uint32_t b) {
            return squared_size[a] > squared_size[b] || (squared_size[a] == squared_size[b] && index[a] < index[b]);
        };
        if (left <= most) return static_cast<std::uint32_t>(left);
        std::nth_element(order, order + most, order + left, larger);
        return most;
    }

private:
    /// Lists the largest, and few more: those whose sizes begin with the same bits as the smallest of these. Half of
    /// the comparisons of std::nth_element() among all of them are foreseen wrongly.
    std::size_t list_largest(std::size_t most) {
        constexpr std::uint32_t dropped_bits = 21, kept_bits = 31 - dropped_bits;  // sizes are positive
        std::uint32_t counts[1U << kept_bits] = {};
        const auto first_bits = [this](std::size_t s) {
            return __builtin_bit_cast(std::uint32_t, squared_size[s]) >> dropped_bits;
        };
        for (std::size_t s = 0; s < count; ++s) ++counts[first_bits(s)];
        std::size_t larger = 0;
        std::uint32_t least = 1U << kept_bits;
        while (least > 0 && larger < most) larger += counts[--least];
        std::size_t left = 0;
        for (std::size_t s = 0; s < count; ++s) {
            order[left] = static_cast<std::uint32_t>(s);
            left += first_bits(s) >= least ? 1 : 0;
        }
        return left;
    }
};

/// Where a picture is seen from, its axes, and which places are in it.
class PictureView {
public:
    PictureView(const RoughView& view, const PreparedView& prepared, VotePicture& picture)
        : view_(view), prepared_(prepared), picture_(picture) {
        picture.is_parallel = view.is_parallel;
        for (std::size_t k = 0; k < 3; ++k) picture.eye[k] = view.is_parallel ? 0 : view.eye[k];
    }

    /// Calls `look()` for one picture of what is seen; for six, the faces of a cube, if that is on all sides of the
    /// eye.
    template <class Look>
    void for_each_picture(const Seen& seen, const Look& look) {
        float ahead[3];
        if (!find_ahead(seen, ahead)) {
            for (std::uint32_t face = 0; face < 6; ++face) {
                float forward[3] = {};
                forward[face % 3] = face < 3 ? 1.0F : -1.0F;
                turn_along(forward);
                set_range(0, -1, 1);
                set_range(1, -1, 1);
                look();
            }
            return;
        }
        turn_along(ahead);
        for (std::size_t k = 0; k < 2; ++k) find_range(seen, k);
        look();
    }

private:
    [[nodiscard]] bool is_camera() const {
        return !view_.is_parallel && prepared_.of_casters == 0 &&
               (prepared_.volume == VolumeKind::frustum || prepared_.volume == VolumeKind::edge_frustum);
    }

    /// False if what is seen lies on all sides of the eye.
    bool find_ahead(const Seen& seen, float (&ahead)[3]) const {
        const float* const forward = prepared_.frame.rotation + 6;
        for (std::size_t k = 0; k < 3; ++k) ahead[k] = view_.is_parallel ? view_.eye[k] : is_camera() ? forward[k] : 0;
        if (view_.is_parallel || is_camera()) return true;
        for (std::size_t s = 0; s < seen.count; ++s) {
            const float way[3] = {seen.center[0][s] - view_.eye[0], seen.center[1][s] - view_.eye[1],
                                  seen.center[2][s] - view_.eye[2]};
            const float length = std::sqrt(dot(way, way));
            for (std::size_t k = 0; length > 0 && k < 3; ++k) ahead[k] += way[k] / length;
        }
        return std::sqrt(dot(ahead, ahead)) > 0.5F * static_cast<float>(seen.count);
    }

    /// The picture's right axis is as near to the view's as it can be.
    void turn_along(const float (&forward)[3]) {
        float(&axis)[3][3] = picture_.axis;
        const float length = std::sqrt(dot(forward, forward));
        for (std::size_t k = 0; k < 3; ++k) axis[2][k] = forward[k] / length;
        const float* row = prepared_.frame.rotation;
        for (std::size_t tried = 0; tried < 2; ++tried, row += 3) {
            const float right[3] = {row[0], row[1], row[2]};
            const float along = dot(right, axis[2]);
            for (std::size_t k = 0; k < 3; ++k) axis[0][k] = right[k] - along * axis[2][k];
            const float left = std::sqrt(dot(axis[0], axis[0]));
            for (float& number : axis[0]) number /= left;
            if (left > 0.5F) break;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            axis[1][k] = axis[2][(k + 1) % 3] * axis[0][(k + 2) % 3] - axis[2][(k + 2) % 3] * axis[0][(k + 1) % 3];
        }
        // As the view has it, which may be left-handed: y_range counts along that.
        const float up[3] = {prepared_.frame.rotation[3], prepared_.frame.rotation[4], prepared_.frame.rotation[5]};
        if (dot(axis[1], up) < 0) {
            for (float& number : axis[1]) number = -number;
        }
    }

    void set_range(std::size_t k, float low, float high) {
        const auto cells = static_cast<float>(k == 0 ? VotePicture::columns : VotePicture::rows);
        picture_.low[k] = low;
        picture_.step[k] = std::max((high - low) / cells, std::numeric_limits<float>::min());
        if (k != 0) return;
        for (std::uint32_t c = 0; c < VotePicture::columns; ++c) {
            picture_.place[c] = low + picture_.step[0] * (static_cast<float>(c) + 0.5F);
        }
    }

    /// The view's own sides, or what is seen.
    void find_range(const Seen& seen, std::size_t k) {
        if (is_camera()) {
            const float(&range)[2] = k == 0 ? prepared_.x_range : prepared_.y_range;
            return set_range(k, range[0], range[1]);
        }
        float low = std::numeric_limits<float>::max(), high = -low;
        for (std::size_t s = 0; s < seen.count; ++s) {
            const float way[3] = {seen.center[0][s] - picture_.eye[0], seen.center[1][s] - picture_.eye[1],
                                  seen.center[2][s] - picture_.eye[2]};
            float place = dot(way, picture_.axis[k]);
            if (!view_.is_parallel) {
                const float depth = dot(way, picture_.axis[2]);
                if (!(depth > 0)) continue;
                place = std::clamp(place / depth, -widest_place, widest_place);
            }
            low = std::min(low, place);
            high = std::max(high, place);
        }
        low <= high ? set_range(k, low, high) : set_range(k, -1, 1);  // nothing is before the eye
    }

    const RoughView& view_;
    const PreparedView& prepared_;
    VotePicture& picture_;
};

/// A box in a picture.
class BoxOutline {
public:
    BoxOutline(const OwnBox& box, const VotePicture& picture) : box_(box), picture_(picture) {
        for (std::size_t k = 0; k < 3; ++k) way_[k] = box.center[k] - picture.eye[k];
        for (std::size_t k = 0; k < 3; ++k) {
            middle_[k] = dot(way_, picture.axis[k]);
            for (const float(&edge)[3] : box.edge) reach_[k] += std::fabs(dot(edge, picture.axis[k]));
        }
    }

    /// It has no cells if the box is not in the picture, or the eye is in the box.
    [[nodiscard]] DrawnBox drawn() const {
        DrawnBox drawn = {};
        if (!find_cells(0, VotePicture::columns, drawn.first_column, drawn.end_column)) return {};
        if (!find_cells(1, VotePicture::rows, drawn.first_row, drawn.end_row)) return {};
        drawn.first_column = drawn.first_column / 16 * 16;  // so that every set draws the same cells
        drawn.end_column = (drawn.end_column + 15) / 16 * 16;
        if (picture_.is_parallel) {
            find_parallel_lines(drawn);
        } else {
            find_lines(drawn);
        }
        return drawn.enter_count > 0 ? drawn : DrawnBox{};
    }

private:
    /// The cells along an axis that the box may reach.
    bool find_cells(std::size_t k, std::uint32_t cells, std::uint32_t& first, std::uint32_t& end) const {
        float low = middle_[k] - reach_[k], high = middle_[k] + reach_[k];
        if (!picture_.is_parallel) {
            const float near = middle_[2] - reach_[2], far = middle_[2] + reach_[2];
            if (!(far > 0)) return false;
            low = near > 0 ? low / (low >= 0 ? far : near) : -std::numeric_limits<float>::max();
            high = near > 0 ? high / (high >= 0 ? near : far) : std::numeric_limits<float>::max();
        }
        const auto cell = [&](float place) {  // 0 for what is not a number
            const float at = (place - picture_.low[k]) / picture_.step[k];
            return at > 0 ? std::min(at, static_cast<float>(cells)) : 0.0F;
        };
        first = static_cast<std::uint32_t>(cell(low));
        end = static_cast<std::uint32_t>(std::ceil(cell(high)));
        return first < end;
    }

    void set(float (&line)[3], const float (&row)[3], float scale, float constant) const {
        for (std::size_t k = 0; k < 3; ++k) {
            const bool is_place = k < 2 || !picture_.is_parallel;
            line[k] = (is_place ? scale * dot(row, picture_.axis[k]) : 0) + (k == 2 ? constant : 0);
        }
    }

    /// In the box's coordinates, where it is |s_k| <= 1, a line of sight goes from m along g = row . direction, which
    /// is linear in the place. It enters a slab that m is outside of after (|m| - 1) / |g| and leaves it after (|m| +
    /// 1) / |g|, if it goes towards it; closeness is one over that.
    void find_lines(DrawnBox& drawn) const {
        std::uint32_t enters = 0, leaves = DrawnBox::lines;
        for (const float(&row)[3] : box_.row) {
            const float m = -dot(row, way_), size = std::fabs(m), towards = m > 0 ? -1.0F : 1.0F;
            const bool is_outside = size > 1;
            set(is_outside ? drawn.line[enters++] : drawn.line[--leaves], row, towards / (size - 1), 0);
            set(drawn.line[--leaves], row, towards / (size + 1), 0);
        }
        drawn.enter_count = enters;
    }

    /// Where sight is parallel g is the same everywhere and m is linear: the slab is entered after -m / g - 1 / |g|,
    /// and left 2 / |g| later. Closeness is less the way.
    void find_parallel_lines(DrawnBox& drawn) const {
        constexpr float least = 1e-9F;
        for (std::size_t k = 0; k < 3; ++k) {
            const float(&row)[3] = box_.row[k];
            const float given = dot(row, picture_.axis[2]);
            const float g = std::fabs(given) > least ? given : least;
            const float at_eye = -dot(row, way_) / g, width = 1 / std::fabs(g);
            set(drawn.line[k], row, 1 / g, at_eye + width);
            set(drawn.line[3 + k], row, 1 / g, at_eye - width);
        }
        drawn.enter_count = 3;
    }

    const OwnBox& box_;
    const VotePicture& picture_;
    float way_[3], middle_[3];  ///< of the box: from the eye, along the picture's axes
    float reach_[3] = {};       ///< from there, along these axes
};

/// The closeness of cells where nothing is.
float emptiness(const VotePicture& picture) { return picture.is_parallel ? -std::numeric_limits<float>::max() : 0.0F; }

struct Tables {
    VotePicture picture;
    // Of each contender: its box in the picture, its number among what is seen, its votes, and whether a cell shows it
    // (where few are seen).
    DrawnBox drawn[max_drawn];
    std::uint32_t contender[max_drawn], votes[max_drawn];
    bool is_visible[max_drawn];
};

static_assert(alignof(Tables) <= alignof(std::uint64_t));
constexpr std::size_t table_words = (sizeof(Tables) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);

class Choice {
public:
    Choice(const SolidSet& given, const View& view, const Viewpoint& viewpoint, const ChooseOptions& options,
           const VoteTable& kernels, std::span<std::byte> scratch)
        : given_(given),
          viewpoint_(viewpoint),
          options_(options),
          kernels_(kernels),
          solids_(given, contents_of(viewpoint)),
          view_(rough_view(contents_of(view), contents_of(viewpoint))),
          memory_(scratch),
          tables_(*new (memory_.take<std::uint64_t>(table_words).data()) Tables),
          seen_(memory_, solids_.count()),
          sight_(view_, contents_of(view), tables_.picture) {}

    std::uint32_t run(std::span<Occluder> occluders, std::span<std::uint32_t> indices) {
        find_seen();
        if (seen_.count == 0) return 0;
        take_contenders();
        sight_.for_each_picture(seen_, [&] { hold_vote(); });
        return choose(occluders, indices);
    }

private:
    /// Boxes are read where they are. Of others, which come after them, boxes around them are read.
    void find_seen() {
        const SolidBox none;
        SolidBox around[RoughBoxes::most];
        RoughBoxes boxes;
        std::copy_n(contents_of(viewpoint_).origin, 3, boxes.origin);
        std::fill_n(boxes.box, RoughBoxes::most, &none);
        const auto take = [&](std::uint32_t count) {
            RoughSizes sizes;
            boxes.count = count;
            kernels_.find_sizes(view_, boxes, sizes);
            seen_.take(boxes, sizes);
        };
        std::uint32_t count = 0;  // no member of `boxes`: it stays in a register
        bool are_relative = false;
        for_each_candidate([&](std::size_t i) {
            if (i < given_.boxes.size()) {
                boxes.box[count] = &given_.boxes[i];
                __builtin_prefetch(boxes.box[count]);  // the kernel reads it once 64 are found
            } else {
                if (!are_relative) {
                    take(count);
                    count = 0;
                    std::fill_n(boxes.origin, 3, 0.0F);
                    are_relative = true;
                }
                around[count] = corners_of(solids_.box(i));
                boxes.box[count] = &around[count];
            }
            boxes.index[count] = static_cast<std::uint32_t>(i);
            if (++count < RoughBoxes::most) return;
            take(count);
            count = 0;
        });
        take(count);
    }

    [[nodiscard]] static SolidBox corners_of(const RoughBox& box) {
        SolidBox corners;
        for (std::size_t k = 0; k < 3; ++k) {
            corners.min[k] = box.center[k] - box.half[k];
            corners.max[k] = box.center[k] + box.half[k];
        }
        return corners;
    }

    template <class Do>
    void for_each_candidate(const Do& what) const {
        const std::size_t solids = solids_.count();
        if (options_.candidates.empty()) {
            for (std::size_t i = 0; i < solids; ++i) what(i);
            return;
        }
        for (std::size_t first = 0; first < solids; first += 64) {
            std::uint64_t rest = options_.candidates[first / 64];
            if (solids - first < 64) rest &= (std::uint64_t{1} << (solids - first)) - 1;
            for (; rest != 0; rest &= rest - 1) what(first + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }

    void take_contenders() {
        contenders_ = seen_.find_largest(max_drawn);
        std::copy_n(seen_.order, contenders_, tables_.contender);
        std::fill_n(tables_.votes, contenders_, 0U);
        std::fill_n(tables_.is_visible, contenders_, false);
    }

    void hold_vote() {
        VotePicture& picture = tables_.picture;
        std::fill_n(picture.closeness, VotePicture::cells, emptiness(picture));
        for (std::uint32_t c = 0; c < contenders_; ++c) {
            const OwnBox box = solids_.own_box(seen_.index[tables_.contender[c]]);
            tables_.drawn[c] = BoxOutline(box, picture).drawn();
        }
        kernels_.draw(tables_.drawn, contenders_, picture);
        kernels_.vote(picture, {seen_.center[0], seen_.center[1], seen_.center[2]}, seen_.count, tables_.contender,
                      tables_.votes);
        if (seen_.count < few_seen) note_the_visible();
    }

    void note_the_visible() {
        const VotePicture& picture = tables_.picture;
        for (std::uint32_t cell = 0; cell < VotePicture::cells; ++cell) {
            if (picture.closeness[cell] == emptiness(picture)) continue;
            tables_.is_visible[static_cast<std::uint32_t>(picture.number[cell])] = true;
        }
    }

    /// Those with most votes first; of those with as many, the largest.
    std::uint32_t choose(std::span<Occluder> occluders, std::span<std::uint32_t> indices) {
        std::uint32_t order[max_drawn] = {}, count = 0;
        for (std::uint32_t c = 0; c < contenders_; ++c) {
            order[count] = c;
            count += tables_.votes[c] > seen_.count / votes_share || tables_.is_visible[c] ? 1 : 0;
        }
        std::sort(order, order + count, [this](std::uint32_t a, std::uint32_t b) {
            if (tables_.votes[a] != tables_.votes[b]) return tables_.votes[a] > tables_.votes[b];
            const std::uint32_t at = tables_.contender[a], bt = tables_.contender[b];
            if (seen_.squared_size[at] != seen_.squared_size[bt])
                return seen_.squared_size[at] > seen_.squared_size[bt];
            return seen_.index[at] < seen_.index[bt];
        });
        std::uint32_t chosen = 0;
        for (std::uint32_t k = 0; k < count && chosen < occluders.size(); ++k) {
            const std::uint32_t index = seen_.index[tables_.contender[order[k]]];
            if (prepare(index, occluders[chosen])) indices[chosen++] = index;
        }
        return chosen;
    }

    [[nodiscard]] bool prepare(std::uint32_t index, Occluder& occluder) const {
        OccluderOptions options;
        options.drawn = given_.drawn.empty() ? nullptr : &given_.drawn[index];
        options.raster = options_.raster;
        const OccluderRefusal refusal =
            index < given_.boxes.size()  ? prepare_occluder(given_.boxes[index], viewpoint_, occluder, options)
            : solids_.is_oriented(index) ? prepare_occluder(solids_.oriented(index), viewpoint_, occluder, options)
                                         : prepare_occluder(solids_.hull(index), viewpoint_, occluder, options);
        if (refusal != OccluderRefusal::none) return false;
        occluder.owners = given_.owners.empty() ? Span<const Owner>() : given_.owners.subspan(index, 1);
        return true;
    }

    const SolidSet& given_;
    const Viewpoint& viewpoint_;
    const ChooseOptions& options_;
    const VoteTable& kernels_;
    RoughSolids solids_;
    RoughView view_;
    ScratchMemory memory_;
    Tables& tables_;
    Seen seen_;
    PictureView sight_;
    std::uint32_t contenders_ = 0;  ///< the largest solids in view
};

Status check_options(const ChooseOptions& options, std::size_t solids) {
    Status status = check_cleared(options, "options");
    if (status) status = check_span(options.candidates, "options.candidates");
    if (!status) return status;
    if (!is_valid(options.raster)) return failure("options.raster: a margin is not from 0 to 1e30");
    if (!options.candidates.empty() && options.candidates.size() < (solids + 63) / 64) {
        return failure("options.candidates: %zu words are too few for %zu solids", options.candidates.size(), solids);
    }
    return {};
}

Status choose(const SolidSet& solids, const View& view, const Viewpoint& viewpoint, const ChooseOptions& options,
              Span<Occluder> occluders, Span<std::uint32_t> indices, Scratch scratch, std::uint32_t& count) {
    const std::size_t solid_count = solids.count();
    if (!is_prepared(view)) return failure(StatusCode::not_ready, "view: was not prepared");
    if (!is_prepared(viewpoint))
        return failure(StatusCode::not_ready, "viewpoint: was not prepared by prepare_viewpoint()");
    if (Status status = check_owned_solids(solids); !status) return status;
    if (occluders.empty() || occluders.size() > max_occluders) {
        return failure("occluders: 1 to %zu, not %zu", max_occluders, occluders.size());
    }
    if (indices.size() != occluders.size()) {
        return failure("indices: %zu are not one for each of %zu occluders", indices.size(), occluders.size());
    }
    if (Status status = check_options(options, solid_count); !status) return status;
    if (scratch.size() < choose_scratch_bytes(solid_count)) {
        return failure("scratch: %zu bytes are too few, choose_scratch_bytes() asks for %zu", scratch.size(),
                       choose_scratch_bytes(solid_count));
    }
    const VoteTable* kernels = nullptr;
    if (!find_kernels(Isa::automatic, "", kernels)) kernels = &table_of<VoteTable>(Isa::automatic);
    count = Choice(solids, view, viewpoint, options, *kernels, scratch).run(occluders, indices);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

size_t lanecull_choose_scratch_bytes(size_t solids) noexcept {
    return ScratchMemory::slack + Seen::bytes(solids) + table_words * sizeof(std::uint64_t);
}

lanecull_status lanecull_choose_occluders(const lanecull_solid_set* solids, const lanecull_view* view,
                                          const lanecull_viewpoint* viewpoint, const lanecull_choose_options* options,
                                          lanecull_occluder* occluders, size_t occluder_count, uint32_t* indices,
                                          size_t index_count, void* scratch, size_t scratch_bytes,
                                          uint32_t* count) noexcept {
    const FloatModes modes;
    const Span<Occluder> chosen(occluders, occluder_count);
    const Span<std::uint32_t> numbers(indices, index_count);
    const Scratch memory(scratch, scratch_bytes);
    Status status = check_not_null(solids, "solids");
    if (status) status = check_not_null(view, "view");
    if (status) status = check_not_null(viewpoint, "viewpoint");
    if (status) status = check_span(chosen, "occluders");
    if (status) status = check_span(numbers, "indices");
    if (status) status = check_span(Span(memory.data(), memory.size()), "scratch");
    if (status) status = check_not_null(count, "count");
    if (!status) return status;
    return choose(*solids, *view, *viewpoint, or_usual(options), chosen, numbers, memory, *count);
}
