#include "solids/merging.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/random.hpp"

namespace merging {

BoxList::BoxList(const std::vector<GivenBox>& boxes) {
    for (const GivenBox& box : boxes) add(box);
}

BoxList::BoxList(const lanecull::Boxes& b) {
    for (std::uint32_t i = 0; i < b.count; ++i) {
        add({{b.min_x[i], b.min_y[i], b.min_z[i]}, {b.max_x[i], b.max_y[i], b.max_z[i]}});
    }
}

void BoxList::add(const GivenBox& box) {
    for (std::size_t k = 0; k < 3; ++k) {
        streams_[k].push_back(box.lo[k]);
        streams_[3 + k].push_back(box.hi[k]);
    }
}

GivenBox BoxList::operator[](std::size_t i) const {
    return {{streams_[0][i], streams_[1][i], streams_[2][i]}, {streams_[3][i], streams_[4][i], streams_[5][i]}};
}

lanecull::Boxes BoxList::boxes() const {
    lanecull::Boxes boxes{.count = static_cast<std::uint32_t>(size())};
    boxes.min_x = streams_[0].data(), boxes.min_y = streams_[1].data(), boxes.min_z = streams_[2].data();
    boxes.max_x = streams_[3].data(), boxes.max_y = streams_[4].data(), boxes.max_z = streams_[5].data();
    return boxes;
}

std::string BoxList::describe() const {
    std::string text;
    for (std::size_t i = 0; i < size(); ++i) {
        text += written((*this)[i].lo) + written((*this)[i].hi) + '\n';
    }
    return text;
}

bool is_solid(const GivenBox& box) {
    long double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(box.lo[k]) || !std::isfinite(box.hi[k]) || box.lo[k] >= box.hi[k]) return false;
        sum += std::fabs(static_cast<long double>(box.lo[k])) + std::fabs(static_cast<long double>(box.hi[k]));
    }
    return sum < 1e37L;
}

bool contains(const GivenBox& outer, const GivenBox& inner) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (inner.lo[k] < outer.lo[k] || inner.hi[k] > outer.hi[k]) return false;
    }
    return true;
}

/// The faces of all solids cut the box into cells. None has a face within it, so it is filled if it lies in one solid.
bool in_union(const std::vector<GivenBox>& given, const GivenBox& box) {
    std::array<std::vector<float>, 3> cuts;
    std::vector<GivenBox> solids;
    for (const GivenBox& solid : given) {
        if (is_solid(solid)) solids.push_back(solid);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        cuts[k] = {box.lo[k], box.hi[k]};
        for (const GivenBox& solid : solids) {
            for (const float face : {solid.lo[k], solid.hi[k]}) {
                if (face > box.lo[k] && face < box.hi[k]) cuts[k].push_back(face);
            }
        }
        std::sort(cuts[k].begin(), cuts[k].end());
        cuts[k].erase(std::unique(cuts[k].begin(), cuts[k].end()), cuts[k].end());
    }
    const std::size_t cells[3] = {cuts[0].size() - 1, cuts[1].size() - 1, cuts[2].size() - 1};
    for (std::size_t c = 0; c < cells[0] * cells[1] * cells[2]; ++c) {
        const std::size_t at[3] = {c % cells[0], c / cells[0] % cells[1], c / (cells[0] * cells[1])};
        GivenBox cell;
        for (std::size_t k = 0; k < 3; ++k) cell.lo[k] = cuts[k][at[k]], cell.hi[k] = cuts[k][at[k] + 1];
        const auto holds_it = [&](const GivenBox& solid) { return contains(solid, cell); };
        if (std::none_of(solids.begin(), solids.end(), holds_it)) return false;
    }
    return true;
}

std::string what_is_wrong(const BoxList& given, const lanecull::SolidBoxes& merged, bool all) {
    const BoxList results(merged.boxes());
    for (std::size_t r = 0; r < results.size(); ++r) {
        const std::string which = "result " + std::to_string(r);
        if (!is_solid(results[r])) return which + " is no solid";
        const auto owners = merged.owners(static_cast<std::uint32_t>(r));
        std::vector<GivenBox> covers;
        for (std::size_t o = 0; o < owners.size(); ++o) {
            if (owners[o] >= given.size()) return which + " has an owner that does not exist";
            if (o > 0 && owners[o] <= owners[o - 1]) return which + "'s owners are not ascending";
            covers.push_back(given[owners[o]]);
            if (!is_solid(covers.back())) return which + " has an owner that is no solid";
        }
        if (!in_union(covers, results[r])) return which + " does not lie in the union of its owners";
        const auto holds_it = [&](const GivenBox& one) { return contains(one, results[r]); };
        if (covers.size() > 1 && std::any_of(covers.begin(), covers.end(), holds_it)) {
            return which + " has further owners than one that contains it";
        }
    }
    for (std::size_t i = 0; all && i < given.size(); ++i) {
        if (!is_solid(given[i])) continue;
        bool covered = false;
        for (std::size_t r = 0; r < results.size() && !covered; ++r) covered = contains(results[r], given[i]);
        if (!covered) return "box " + std::to_string(i) + " lies in no result";
    }
    return {};
}

std::string what_could_grow(const BoxList& given, const lanecull::SolidBoxes& merged) {
    std::vector<GivenBox> all;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (is_solid(given[i])) all.push_back(given[i]);
    }
    const BoxList results(merged.boxes());
    for (std::size_t r = 0; r < results.size(); ++r) {
        for (std::size_t side = 0; side < 6; ++side) {
            const std::size_t k = side / 2;
            const bool up = side % 2 == 1;
            GivenBox larger = results[r];
            float next = up ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
            for (const GivenBox& box : all) {
                for (const float face : {box.lo[k], box.hi[k]}) {
                    if (up && face > larger.hi[k]) next = std::min(next, face);
                    if (!up && face < larger.lo[k]) next = std::max(next, face);
                }
            }
            if (!std::isfinite(next)) continue;
            (up ? larger.hi : larger.lo)[k] = next;
            if (in_union(all, larger)) return "result " + std::to_string(r) + " could grow";
        }
    }
    return {};
}

const char* name(Family family) {
    constexpr const char* names[] = {"lattice", "modules", "mixed"};
    return names[static_cast<std::size_t>(family)];
}

namespace {

/// Turns whole numbers from -64 to 64 into floats, in the same order.
class Lines {
public:
    explicit Lines(Random& random) : way_(random.below(6)), base_(static_cast<float>(random.range(-1e7, 1e7))) {
        for (float& line : any_) {
            line = static_cast<float>(random.sign() * std::exp2(random.range(-140, 118)));
        }
        std::sort(any_.begin(), any_.end());
    }

    float operator()(int number, Random& random) const {
        if (number == 0 && way_ != 2 && way_ != 3) return random.chance(0.5) ? -0.0f : 0.0f;
        switch (way_) {
            case 0:
                return std::ldexp(static_cast<float>(number), -149);
            case 1:
                return std::ldexp(static_cast<float>(number), 110);
            case 2: {
                float at = base_;
                for (int i = 0; i < std::abs(number); ++i) at = std::nextafter(at, number > 0 ? 1e30f : -1e30f);
                return at;
            }
            case 3:
                return any_[static_cast<std::size_t>(number + 64)];
            default:
                return static_cast<float>(number);
        }
    }

private:
    int way_;
    float base_;
    std::array<float, 129> any_{};
};

using AxisLines = std::array<Lines, 3>;
using Whole = std::array<int, 3>;

GivenBox box_between(const AxisLines& lines, const Whole& lo, const Whole& hi, Random& random) {
    GivenBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.lo[k] = lines[k](lo[k], random);
        box.hi[k] = lines[k](hi[k], random);
    }
    return box;
}

void add_lattice(BoxList& list, const AxisLines& lines, Random& random, int span) {
    const int count = 1 + random.below(40);
    const int longest = 1 + random.below(span);
    for (int i = 0; i < count; ++i) {
        Whole lo{}, hi{};
        for (std::size_t k = 0; k < 3; ++k) {
            lo[k] = random.below(span) - span / 2;
            hi[k] = std::min(lo[k] + 1 + random.below(longest), 64);
        }
        const int times = random.chance(0.1) ? 2 : 1;
        for (int t = 0; t < times; ++t) list.add(box_between(lines, lo, hi, random));
    }
}

/// A grid whose lines are some steps apart. A module may be missing, or end a step before its neighbour begins.
void add_modules(BoxList& list, const AxisLines& lines, Random& random) {
    std::array<std::vector<int>, 3> at;
    for (auto& axis : at) {
        int line = -40 + random.below(20);
        const int n = 1 + random.below(6);
        for (int i = 0; i <= n; ++i) axis.push_back(line), line += 2 + random.below(4);
    }
    const double missing = random.chance(0.3) ? 0 : random.range(0, 0.3), short_of = random.chance(0.7) ? 0 : 0.1;
    const std::size_t n[3] = {at[0].size() - 1, at[1].size() - 1, at[2].size() - 1};
    for (std::size_t i = 0; i < n[0] * n[1] * n[2]; ++i) {
        const std::size_t cell[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        if (random.chance(missing)) continue;
        Whole lo{}, hi{};
        for (std::size_t k = 0; k < 3; ++k) lo[k] = at[k][cell[k]], hi[k] = at[k][cell[k] + 1];
        if (random.chance(short_of)) --hi[static_cast<std::size_t>(random.below(3))];
        list.add(box_between(lines, lo, hi, random));
    }
}

BoxList with_others(const BoxList& solids, Random& random) {
    BoxList all;
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float odd[] = {nan, infinity, -infinity, 3e38f, -3e38f};
    for (std::size_t i = 0; i < solids.size(); ++i) {
        if (random.chance(0.3)) {
            GivenBox box = solids[i];
            const auto k = static_cast<std::size_t>(random.below(3));
            const int what = random.below(4);
            if (what == 0) std::swap(box.lo[k], box.hi[k]);
            if (what == 1) box.hi[k] = box.lo[k];
            if (what >= 2) (random.chance(0.5) ? box.lo : box.hi)[k] = odd[random.below(5)];
            all.add(box);
        }
        all.add(solids[i]);
    }
    return all;
}

}  // namespace

BoxList random_boxes(Random& random, Family family) {
    const AxisLines lines = {Lines(random), Lines(random), Lines(random)};
    BoxList list;
    if (family == Family::modules || (family == Family::mixed && random.chance(0.5))) {
        add_modules(list, lines, random);
    } else {
        add_lattice(list, lines, random, random.chance(0.3) ? 128 : 4 + random.below(12));
    }
    return family == Family::mixed ? with_others(list, random) : list;
}

}  // namespace merging
