/// Cells wholly inside a mesh, boxes of such cells, each grown until it touches the mesh.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "occluders/aligned_solid.hpp"
#include "occluders/merge_steps.hpp"
#include "occluders/mesh_steps.hpp"

namespace lanecull::solids {
namespace {

/// From so many cells boxes are grown, at most, spread evenly. Boxes from 1,024 cells cover 0.1 % less of a ball and of
/// a torus in 64^3 cells than boxes from all cells, which take up to 30 times as long.
constexpr std::size_t most_seeds = 2048;

/// The smallest share of all that is worth a box. Sums of volumes are rounded, so what is covered can come out above 0.
constexpr double least_gain = 1e-6;

class Chooser {
public:
    Chooser(const CellGrid& grid, const Array<std::uint8_t>& filled) : grid_(grid), filled_(filled) {}

    [[nodiscard]] bool run(std::uint32_t most, Array<Solid>& boxes) {
        if (!grow_candidates() || !open_.resize_unset(filled_.size())) return false;
        std::copy(filled_.begin(), filled_.end(), open_.begin());
        if (!sum_up_open()) return false;
        const double all = open_in({{0, 0, 0}, {grid_.cells(0), grid_.cells(1), grid_.cells(2)}});
        while (most-- > 0) {
            const CellRange* best = nullptr;
            double gain = least_gain * all;
            for (const CellRange& candidate : candidates_) {
                const double covered = open_in(candidate);
                if (covered > gain) best = &candidate, gain = covered;
            }
            if (best == nullptr) break;
            if (!boxes.push(grid_.solid_of(*best))) return false;
            close(*best);
            if (!sum_up_open()) return false;
        }
        return true;
    }

private:
    [[nodiscard]] std::size_t cell(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        return (std::size_t{i} * grid_.cells(1) + j) * grid_.cells(2) + k;
    }
    [[nodiscard]] std::size_t corner(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        return (std::size_t{i} * grid_.lines[1].size() + j) * grid_.lines[2].size() + k;
    }

    [[nodiscard]] bool grow_candidates() {
        std::size_t count = 0, seen = 0;
        for (const std::uint8_t is_filled : filled_) count += is_filled;
        const std::size_t step = count / most_seeds + 1;
        for (std::uint32_t i = 0; i < grid_.cells(0); ++i) {
            for (std::uint32_t j = 0; j < grid_.cells(1); ++j) {
                for (std::uint32_t k = 0; k < grid_.cells(2); ++k) {
                    if (filled_.data()[cell(i, j, k)] == 0 || seen++ % step != 0) continue;
                    if (!grow_from({{i, j, k}, {i + 1, j + 1, k + 1}})) return false;
                }
            }
        }
        return drop_equal();
    }

    [[nodiscard]] bool grow_from(const CellRange& seed) {
        for (const Growth& growth : all_growths) {
            if (!candidates_.push(grid_.grown(seed, growth))) return false;
        }
        return true;
    }

    [[nodiscard]] bool drop_equal() {
        std::sort(candidates_.begin(), candidates_.end(), [](const CellRange& a, const CellRange& b) {
            for (std::size_t k = 0; k < dimensions; ++k) {
                if (a.first[k] != b.first[k]) return a.first[k] < b.first[k];
                if (a.end[k] != b.end[k]) return a.end[k] < b.end[k];
            }
            return false;
        });
        const CellRange* end = std::unique(candidates_.begin(), candidates_.end());
        return candidates_.resize(static_cast<std::size_t>(end - candidates_.begin()));
    }

    void close(const CellRange& range) {
        for (std::uint32_t i = range.first[0]; i < range.end[0]; ++i) {
            for (std::uint32_t j = range.first[1]; j < range.end[1]; ++j) {
                std::fill(open_.begin() + cell(i, j, range.first[2]), open_.begin() + cell(i, j, range.end[2]),
                          std::uint8_t{0});
            }
        }
    }

    [[nodiscard]] double width(std::size_t axis, std::uint32_t i) const {
        const float* const line = grid_.lines[axis].data() + i;
        return static_cast<double>(line[1]) - static_cast<double>(line[0]);
    }

    /// At each corner: the volume of the open cells below it, along all axes.
    [[nodiscard]] bool sum_up_open() {
        const std::size_t corners = grid_.lines[0].size() * grid_.lines[1].size() * grid_.lines[2].size();
        if (!open_below_.resize_unset(corners)) return false;
        std::fill(open_below_.begin(), open_below_.end(), 0.0);
        for (std::uint32_t i = 0; i < grid_.cells(0); ++i) {
            for (std::uint32_t j = 0; j < grid_.cells(1); ++j) {
                double in_row = 0;
                const double face = width(0, i) * width(1, j);
                for (std::uint32_t k = 0; k < grid_.cells(2); ++k) {
                    if (open_[cell(i, j, k)] != 0) in_row += face * width(2, k);
                    open_below_[corner(i + 1, j + 1, k + 1)] = in_row + open_below_[corner(i, j + 1, k + 1)] +
                                                               open_below_[corner(i + 1, j, k + 1)] -
                                                               open_below_[corner(i, j, k + 1)];
                }
            }
        }
        return true;
    }

    [[nodiscard]] double open_in(const CellRange& r) const {
        const auto row = [&](std::uint32_t i, std::uint32_t j) {
            return open_below_.data()[corner(i, j, r.end[2])] - open_below_.data()[corner(i, j, r.first[2])];
        };
        return row(r.end[0], r.end[1]) - row(r.end[0], r.first[1]) - row(r.first[0], r.end[1]) +
               row(r.first[0], r.first[1]);
    }

    const CellGrid& grid_;
    const Array<std::uint8_t>& filled_;
    Array<CellRange> candidates_;
    Array<std::uint8_t> open_;  ///< filled cells that no box covers yet
    Array<double> open_below_;
};

}  // namespace

bool choose_boxes(const CellGrid& grid, const Array<std::uint8_t>& filled, std::uint32_t most, Array<Solid>& boxes) {
    return Chooser(grid, filled).run(most, boxes);
}

/// Between two neighbouring faces across the first two axes the boxes make a column, of intervals along the third.
bool find_volume(const Array<Solid>& boxes, double& volume) {
    volume = 0;
    Array<float> lines[dimensions];
    Array<Solid> by_low;
    if (!find_lines(boxes.begin(), boxes.size(), lines) || !by_low.resize_unset(boxes.size())) return false;
    std::copy(boxes.begin(), boxes.end(), by_low.begin());
    std::sort(by_low.begin(), by_low.end(), [](const Solid& a, const Solid& b) { return a.lo[2] < b.lo[2]; });
    const auto width = [&](std::size_t axis, std::size_t i) {
        return static_cast<double>(lines[axis][i + 1]) - static_cast<double>(lines[axis][i]);
    };
    for (std::size_t i = 0; i + 1 < lines[0].size(); ++i) {
        for (std::size_t j = 0; j + 1 < lines[1].size(); ++j) {
            double length = 0;
            float reached = lines[2][0];
            for (const Solid& box : by_low) {
                const bool in_column = box.lo[0] <= lines[0][i] && lines[0][i] < box.hi[0] &&
                                       box.lo[1] <= lines[1][j] && lines[1][j] < box.hi[1];
                if (!in_column || box.hi[2] <= reached) continue;
                length += static_cast<double>(box.hi[2]) - static_cast<double>(std::max(reached, box.lo[2]));
                reached = box.hi[2];
            }
            volume += length * width(0, i) * width(1, j);
        }
    }
    return true;
}

namespace {

/// Floats in their order as whole numbers: neighbours differ by 1.
std::int64_t number_of(float x) {
    const auto bits = __builtin_bit_cast(std::int32_t, x);
    return bits < 0 ? -std::int64_t{bits & 0x7fffffff} : std::int64_t{bits};
}
float float_of(std::int64_t number) {
    const auto bits = static_cast<std::uint32_t>(number < 0 ? -number : number);
    return __builtin_bit_cast(float, number < 0 ? bits | 0x80000000U : bits);
}

/// One face of a box, on its way outward.
class Face {
public:
    Face(const Solid& box, std::size_t axis, bool up) : box_(box), axis_(axis), up_(up) {}

    [[nodiscard]] float at() const { return up_ ? box_.hi[axis_] : box_.lo[axis_]; }
    [[nodiscard]] Solid moved_to(float to) const {
        Solid moved = box_;
        (up_ ? moved.hi : moved.lo)[axis_] = to;
        return moved;
    }
    /// How far towards `end` the face may go for this triangle, which it may not meet where it is.
    [[nodiscard]] float limit(const Triangle& triangle, float end) const {
        if (proved_apart(triangle, moved_to(end))) return end;
        std::int64_t good = number_of(at()), bad = number_of(end);
        while ((up_ ? bad - good : good - bad) > 1) {
            const std::int64_t middle = (good + bad) / 2;
            (proved_apart(triangle, moved_to(float_of(middle))) ? good : bad) = middle;
        }
        return float_of(good);
    }

private:
    const Solid& box_;
    std::size_t axis_;
    bool up_;
};

}  // namespace

void extend(const Array<Triangle>& triangles, Solid& box) {
    Solid bounds = box;
    for (const Triangle& t : triangles) {
        if (!proved_apart(t, box)) return;
        for (std::size_t k = 0; k < dimensions; ++k) {
            bounds.lo[k] = std::min(bounds.lo[k], t.low(k));
            bounds.hi[k] = std::max(bounds.hi[k], t.high(k));
        }
    }
    for (std::size_t k = 0; k < dimensions; ++k) {
        for (const bool up : {false, true}) {
            const Face face(box, k, up);
            float end = up ? bounds.hi[k] : bounds.lo[k];
            for (const Triangle& t : triangles) {
                if (end == face.at()) break;
                end = face.limit(t, end);
            }
            box = face.moved_to(end);
        }
    }
}

}  // namespace lanecull::solids

namespace lanecull {
namespace {

using solids::Triangle;

/// Fills in what is left to the library.
MeshSolidOptions usual(const MeshSolidOptions& given) {
    MeshSolidOptions options = given;
    if (options.resolution == 0) options.resolution = 32;
    if (options.max_boxes == 0) options.max_boxes = 16;
    return options;
}

Status check(const MeshSolidOptions& options) {
    if (Status status = check_cleared(options, "options"); !status) return status;
    if (options.resolution > max_solid_resolution) {
        return failure("options.resolution: %u is not from 1 to %u", options.resolution, max_solid_resolution);
    }
    if (options.max_boxes > max_mesh_solids) {
        return failure("options.max_boxes: %u is not from 1 to %u", options.max_boxes, max_mesh_solids);
    }
    return {};
}

/// Large boxes first, without those that another contains.
[[nodiscard]] bool put_in_order(Array<solids::Solid>& boxes) {
    std::sort(boxes.begin(), boxes.end(), solids::is_larger);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto contains_it = [&](const solids::Solid& larger) { return contains(larger, boxes[i]); };
        if (std::none_of(boxes.begin(), boxes.begin() + kept, contains_it)) boxes[kept++] = boxes[i];
    }
    return boxes.resize(kept);
}

[[nodiscard]] bool find_boxes(const Array<Triangle>& triangles, int sign, const MeshSolidOptions& options,
                              Array<solids::Solid>& boxes) {
    solids::CellGrid grid;
    if (!solids::lay_lines(triangles, options.resolution, grid)) return false;
    if (grid.cells() == 0) return true;  // the mesh is flat
    Array<std::uint8_t> inside;
    if (!solids::find_inside(triangles, sign, grid, inside) || !grid.fill(inside)) return false;
    if (!solids::choose_boxes(grid, inside, options.max_boxes, boxes)) return false;
    if (options.is_ungrown == 0) {
        for (solids::Solid& box : boxes) solids::extend(triangles, box);
    }
    return put_in_order(boxes);
}

Status find_in_mesh(const TriangleMesh& mesh, const MeshSolidOptions& options, lanecull_solid_boxes& solids,
                    MeshVolumes* volumes) {
    if (Status status = check(options); !status) return status;
    Array<Triangle> triangles;
    if (Status status = solids::read_closed_mesh(mesh, triangles); !status) return status;
    const double volume = solids::signed_volume(triangles);
    Array<solids::Solid> results;
    if (triangles.size() > 0 && !find_boxes(triangles, volume < 0 ? -1 : 1, options, results))
        return solids::no_memory();
    MeshVolumes of_all;
    of_all.mesh = std::fabs(volume);
    lanecull_solid_boxes found;
    if (!solids::find_volume(results, of_all.boxes) || !found.store(results)) return solids::no_memory();
    solids = std::move(found);
    if (volumes != nullptr) *volumes = of_all;
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_find_mesh_solids(const lanecull_triangle_mesh* mesh,
                                          const lanecull_mesh_solid_options* options, lanecull_solid_boxes* solids,
                                          lanecull_mesh_volumes* volumes) noexcept {
    const FloatModes modes;
    Status status = check_not_null(mesh, "mesh");
    if (status) status = check_made(solids, "solids");
    return status ? find_in_mesh(*mesh, usual(or_usual(options)), *solids, volumes) : status;
}
