#include "occluders/owners.hpp"

#include <algorithm>
#include <cstddef>

namespace lanecull::solids {
namespace {

constexpr std::uint32_t leaf_solids = 8;

constexpr std::uint32_t none = ~std::uint32_t{0};

void enclose(Solid& bounds, const Solid& solid) {
    for (std::size_t k = 0; k < dimensions; ++k) {
        bounds.lo[k] = std::min(bounds.lo[k], solid.lo[k]);
        bounds.hi[k] = std::max(bounds.hi[k], solid.hi[k]);
    }
}

}  // namespace

bool OwnerSearch::prepare(const Array<Solid>& solids) {
    solids_ = &solids;
    const auto count = static_cast<std::uint32_t>(solids.size());
    if (!order_.resize_unset(count) || !chosen_in_.resize(count)) return false;
    for (std::uint32_t i = 0; i < count; ++i) order_[i] = i;
    return count == 0 || build(0, count);
}

/// Halves by the centres along the widest axis.
bool OwnerSearch::build(std::uint32_t begin, std::uint32_t end) {
    const Array<Solid>& solids = *solids_;
    Solid bounds = solids.data()[order_[begin]];
    for (std::uint32_t i = begin + 1; i < end; ++i) enclose(bounds, solids.data()[order_[i]]);
    const std::size_t node = nodes_.size();
    if (!nodes_.push({bounds, begin, end, 0})) return false;
    if (end - begin <= leaf_solids) return true;
    std::size_t axis = 0;
    const auto width = [&](std::size_t k) {
        return static_cast<double>(bounds.hi[k]) - static_cast<double>(bounds.lo[k]);
    };
    for (std::size_t k = 1; k < dimensions; ++k) {
        if (width(k) > width(axis)) axis = k;
    }
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                         const Solid &of_a = solids.data()[a], &of_b = solids.data()[b];
                         const double at_a = static_cast<double>(of_a.lo[axis]) + static_cast<double>(of_a.hi[axis]);
                         const double at_b = static_cast<double>(of_b.lo[axis]) + static_cast<double>(of_b.hi[axis]);
                         return at_a != at_b ? at_a < at_b : a < b;
                     });
    if (!build(begin, middle)) return false;
    nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
    return build(middle, end);
}

/// Calls take(solid) for the solids of leaves, where may_have(bounds) says that they are worth it, until it returns
/// true. False: no memory.
template <class MayHave, class Take>
bool OwnerSearch::walk(const MayHave& may_have, const Take& take) {
    if (!pending_.resize(0) || (!nodes_.empty() && !pending_.push(0))) return false;
    while (!pending_.empty()) {
        const std::uint32_t n = pending_[pending_.size() - 1];
        const Node& node = nodes_[n];
        if (!pending_.resize(pending_.size() - 1)) return false;
        if (!may_have(node.bounds)) continue;
        if (node.right != 0) {
            if (!pending_.push(node.right) || !pending_.push(n + 1)) return false;
            continue;
        }
        for (std::uint32_t i = node.begin; i < node.end; ++i) {
            if (take(order_[i])) return true;
        }
    }
    return true;
}

/// One solid that contains the box; `none` if none does. Many boxes have one, and where many solids overlap, this is
/// far quicker than to read all of them.
bool OwnerSearch::find_container(const Solid& box, std::uint32_t& container) {
    container = none;
    const auto contains_it = [&](const Solid& solid) { return contains(solid, box); };
    return walk(contains_it, [&](std::uint32_t solid) {
        if (!contains_it(solids_->data()[solid])) return false;
        container = solid;
        return true;
    });
}

/// Puts all solids that overlap the box into candidates_.
bool OwnerSearch::collect(const Solid& box) {
    bool enough = candidates_.resize(0);
    const auto overlaps_it = [&](const Solid& solid) { return overlap(solid, box); };
    const bool walked = walk(overlaps_it, [&](std::uint32_t solid) {
        enough = enough && (!overlaps_it(solids_->data()[solid]) || candidates_.push(solid));
        return !enough;
    });
    return walked && enough;
}

bool OwnerSearch::choose(std::uint32_t solid) {
    chosen_in_[solid] = search_;
    return chosen_.push(solid);
}

/// Cuts the region at the median of the faces that lie inside it, along the axis that most of them lie across.
bool OwnerSearch::split(const Solid& region, std::size_t first, Solid (&halves)[2]) {
    std::size_t axis = 0, most = 0;
    const auto each_face = [&](std::size_t k, const auto& take) {
        for (std::size_t c = first; c < candidates_.size(); ++c) {
            const Solid& solid = solids_->data()[candidates_[c]];
            for (const float face : {solid.lo[k], solid.hi[k]}) {
                if (region.lo[k] < face && face < region.hi[k]) take(face);
            }
        }
    };
    for (std::size_t k = 0; k < dimensions; ++k) {
        std::size_t count = 0;
        each_face(k, [&](float) { ++count; });
        if (count > most) axis = k, most = count;
    }
    if (!faces_.resize_unset(most)) return false;
    std::size_t next = 0;
    each_face(axis, [&](float face) { faces_[next++] = face; });
    std::nth_element(faces_.begin(), faces_.begin() + most / 2, faces_.end());
    halves[0] = halves[1] = region;
    halves[0].hi[axis] = halves[1].lo[axis] = faces_[most / 2];
    return true;
}

/// Chooses solids that cover the region, among candidates_ from `first` on, all of which overlap it. If one contains
/// it, that does. If not, each has a face inside the region; the region is cut at one, and both halves, which have
/// fewer such faces, are covered.
OwnerSearch::Answer OwnerSearch::cover(const Solid& region, std::size_t first) {
    const std::size_t end = candidates_.size();
    if (first == end) return Answer::not_covered;
    std::uint32_t best = none;
    for (std::size_t c = first; c < end; ++c) {
        const std::uint32_t candidate = candidates_[c];
        if (!contains(solids_->data()[candidate], region)) continue;
        if (chosen_in_[candidate] == search_) return Answer::covered;
        if (best == none || is_larger(solids_->data()[candidate], solids_->data()[best])) best = candidate;
    }
    if (best != none) return choose(best) ? Answer::covered : Answer::no_memory;

    // Without time for more: all of them, for the box was proved to lie in their union when it was merged.
    if (work_left_ < end - first) {
        for (std::size_t c = first; c < end; ++c) {
            if (chosen_in_[candidates_[c]] != search_ && !choose(candidates_[c])) return Answer::no_memory;
        }
        return Answer::covered;
    }
    work_left_ -= end - first;
    Solid halves[2];
    if (!split(region, first, halves)) return Answer::no_memory;
    for (const Solid& half : halves) {
        for (std::size_t c = first; c < end; ++c) {
            const std::uint32_t candidate = candidates_[c];
            if (overlap(solids_->data()[candidate], half) && !candidates_.push(candidate)) return Answer::no_memory;
        }
        const Answer answer = cover(half, end);
        if (answer != Answer::covered || !candidates_.resize(end)) return answer;
    }
    return Answer::covered;
}

OwnerSearch::Answer OwnerSearch::find(const Solid& box, Array<std::uint32_t>& owners) {
    ++search_;
    std::uint32_t container;
    if (!find_container(box, container)) return Answer::no_memory;
    if (container != none) return owners.push(container) ? Answer::covered : Answer::no_memory;
    if (!collect(box) || !chosen_.resize(0)) return Answer::no_memory;
    work_left_ = most_work_.of_a_solid * candidates_.size() + most_work_.least;
    const Answer answer = cover(box, 0);
    if (answer != Answer::covered) return answer;
    std::sort(chosen_.begin(), chosen_.end());
    for (const std::uint32_t solid : chosen_) {
        if (!owners.push(solid)) return Answer::no_memory;
    }
    return answer;
}

}  // namespace lanecull::solids
