#include "scene/free_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec4.hpp>
#include <iterator>
#include <utility>
#include <variant>

#include "scene/mesh_bounds.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using glm::ivec3;

constexpr double cell_count = 1 << 20;
constexpr int padding = 3;  ///< cells beyond the bounds: two of them have room
constexpr std::uint64_t most_pieces = 1U << 25;

/// Of an array with so many elements along each axis, x first: from one to the next along an axis.
std::array<std::size_t, 3> steps_of(const ivec3& count) {
    const auto x = static_cast<std::size_t>(count.x), y = static_cast<std::size_t>(count.y);
    return {1, x, x * y};
}

std::size_t at(const ivec3& place, const std::array<std::size_t, 3>& steps) {
    return static_cast<std::size_t>(place.x) + static_cast<std::size_t>(place.y) * steps[1] +
           static_cast<std::size_t>(place.z) * steps[2];
}

std::size_t size_of(const ivec3& count) { return at({0, 0, count.z}, steps_of(count)); }

constexpr ivec3 neighbours[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

}  // namespace

FreeSpace::FreeSpace(const Scene& scene, const Bounds& bounds)
    : up_axis_(scene.up.x != 0   ? 0
               : scene.up.y != 0 ? 1
                                 : 2),
      pieces_left_(most_pieces) {
    dvec3 extent = glm::max(bounds.size(), dvec3(1e-3 * std::max(glm::length(bounds.size()), 1e-3)));
    extent[up_axis_] *= 4.0 / 3;
    size_ = std::cbrt(extent.x * extent.y * extent.z / cell_count);
    for (int axis = 0; axis < 3; ++axis) {
        // A scene that is flat or long has no axis of more than a sixteenth of the cells' number.
        size_ = std::max(size_, extent[axis] * 16 / cell_count);
    }
    lower_ = bounds.lower - dvec3(padding * size_);
    count_ = ivec3(glm::ceil(extent / size_)) + 2 * padding;

    steps_ = steps_of(count_);
    changes_.assign(size_of(count_ + 1), 0);
    for (const Group& group : scene.groups) {
        if (group.stand_in) continue;
        for (std::size_t i = 0; i < program::object_count(group.arrays); ++i) mark_object(group.arrays, i);
    }
    sum_up();
    find_room(scene);
    keep_away();
}

FreeSpace::Cell FreeSpace::cell_of(const dvec3& p) const {
    const dvec3 far_beyond = dvec3(count_) + 1.0;
    return ivec3(glm::floor(glm::clamp((p - lower_) / size_, dvec3(-1), far_beyond)));
}

dvec3 FreeSpace::center_of(std::size_t index) const {
    const std::size_t x = index % steps_[1], y = index % steps_[2] / steps_[1], z = index / steps_[2];
    return lower_ + size_ * (dvec3(x, y, z) + 0.5);
}

bool FreeSpace::inside(const Cell& c) const {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < count_.x && c.y < count_.y && c.z < count_.z;
}

std::size_t FreeSpace::index_of(const Cell& c) const { return at(c, steps_); }

/// A box changes the number of boxes at its eight corners: any number of large ones costs no more than small ones.
void FreeSpace::mark(const Bounds& box) {
    const Cell low = glm::max(cell_of(box.lower), 0), high = glm::min(cell_of(box.upper), count_ - 1);
    if (low.x > high.x || low.y > high.y || low.z > high.z) return;
    const std::array<std::size_t, 3> steps = steps_of(count_ + 1);
    for (unsigned corner = 0; corner < 8; ++corner) {
        const bool x = (corner & 1) != 0, y = (corner & 2) != 0, z = (corner & 4) != 0;
        const Cell place(x ? high.x + 1 : low.x, y ? high.y + 1 : low.y, z ? high.z + 1 : low.z);
        changes_[at(place, steps)] += (x != y) != z ? -1 : 1;
    }
}

/// Halves the longest edge until a piece fits into two cells along each axis; pieces stand for the boxes around them.
void FreeSpace::mark_triangle(const dvec3& a, const dvec3& b, const dvec3& c) {
    std::vector<std::array<dvec3, 3>> open = {{a, b, c}};
    while (!open.empty()) {
        const std::array<dvec3, 3> t = open.back();
        open.pop_back();
        Bounds box;
        for (const dvec3& corner : t) box.add(corner);
        const dvec3 size = box.size();
        if (std::max({size.x, size.y, size.z}) <= size_ || pieces_left_ == 0) {
            mark(box);
            continue;
        }
        const Cell low = cell_of(box.lower), high = cell_of(box.upper);
        const Cell last = count_ - 1;
        if (high.x < 0 || high.y < 0 || high.z < 0 || low.x > last.x || low.y > last.y || low.z > last.z) continue;
        --pieces_left_;
        std::size_t longest = 0;
        for (std::size_t k = 1; k < 3; ++k) {
            if (glm::distance(t[k], t[(k + 1) % 3]) > glm::distance(t[longest], t[(longest + 1) % 3])) longest = k;
        }
        const dvec3 middle = 0.5 * (t[longest] + t[(longest + 1) % 3]), opposite = t[(longest + 2) % 3];
        open.push_back({t[longest], middle, opposite});
        open.push_back({middle, t[(longest + 1) % 3], opposite});
    }
}

void FreeSpace::mark_object(const Arrays& arrays, std::size_t i) {
    const auto* hulls = std::get_if<HullInstanceArrays>(&arrays);
    if (hulls == nullptr) return mark(object_bounds(arrays, i));
    const HullMesh& mesh = hulls->meshes[hulls->hull_index[i]];
    const glm::dmat4x3 transform(transform_of(*hulls, i));
    const auto placed = [&](std::size_t v) { return transform * glm::dvec4(mesh.x[v], mesh.y[v], mesh.z[v], 1); };
    for (const auto& [a, b, c] : mesh.triangles) mark_triangle(placed(a), placed(b), placed(c));
    if (mesh.triangles.empty()) mark(object_bounds(arrays, i));
}

void FreeSpace::sum_up() {
    const Cell n = count_ + 1;
    const std::array<std::size_t, 3> steps = steps_of(n);
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t step = steps[static_cast<std::size_t>(axis)], count = static_cast<std::size_t>(n[axis]);
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            if (i / step % count != 0) changes_[i] += changes_[i - step];
        }
    }
    surface_.resize(size_of(count_));
    Cell cell;
    for (cell.z = 0; cell.z < count_.z; ++cell.z) {
        for (cell.y = 0; cell.y < count_.y; ++cell.y) {
            for (cell.x = 0; cell.x < count_.x; ++cell.x) {
                surface_[index_of(cell)] = changes_[at(cell, steps)] != 0 ? 1 : 0;
            }
        }
    }
    changes_ = {};
}

/// The surfaces, and the cells next to them.
std::vector<std::uint8_t> FreeSpace::blocked() const {
    std::vector<std::uint8_t> now = surface_, next;
    for (int axis = 0; axis < 3; ++axis) {
        next = now;
        const std::size_t step = steps_[static_cast<std::size_t>(axis)], count = static_cast<std::size_t>(count_[axis]);
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (now[i] == 0) continue;
            const std::size_t place = i / step % count;
            if (place > 0) next[i - step] = 1;
            if (place + 1 < count) next[i + step] = 1;
        }
        std::swap(now, next);
    }
    block_below_ground(now);
    return now;
}

/// Cells with a surface above them and none below: in each column what is below the lowest surface.
void FreeSpace::block_below_ground(std::vector<std::uint8_t>& blocked) const {
    const int u = (up_axis_ + 1) % 3, v = (up_axis_ + 2) % 3;
    Cell cell;
    for (cell[u] = 0; cell[u] < count_[u]; ++cell[u]) {
        for (cell[v] = 0; cell[v] < count_[v]; ++cell[v]) {
            int lowest = 0;
            for (cell[up_axis_] = 0; lowest < count_[up_axis_]; cell[up_axis_] = ++lowest) {
                if (surface_[index_of(cell)] != 0) break;
            }
            if (lowest == count_[up_axis_]) continue;  // no ground here
            for (cell[up_axis_] = 0; cell[up_axis_] < lowest; ++cell[up_axis_]) blocked[index_of(cell)] = 1;
        }
    }
}

/// Labels what is connected, from 1 on, and chooses the part that is the scene's space.
void FreeSpace::find_room(const Scene& scene) {
    const std::vector<std::uint8_t> closed = blocked();
    std::vector<std::uint32_t> label(closed.size(), 0);
    std::vector<Part> parts(1);
    for (std::size_t start = 0; start < label.size(); ++start) {
        if (closed[start] != 0 || label[start] != 0) continue;
        label[start] = static_cast<std::uint32_t>(parts.size());
        parts.push_back(fill(start, closed, label));
    }
    const std::uint32_t outside = label.back();  // of the corner that is uppermost along every axis
    const std::uint32_t room = enclosed_room(scene, outside, parts);
    enclosed_ = room != 0;
    const std::uint32_t chosen = enclosed_ ? room : outside;
    room_.resize(label.size());
    for (std::size_t i = 0; i < label.size(); ++i) room_[i] = chosen != 0 && label[i] == chosen ? 1 : 0;
    room_bounds_ = parts[chosen].bounds;
}

/// Leaves room only where surfaces are so far away that the camera is not about to touch them.
void FreeSpace::keep_away() {
    clearance_ = size_;
    if (room_bounds_.empty()) return;
    const dvec3 space = enclosed_ ? room_bounds_.size() : size_ * dvec3(count_ - 2 * padding);
    const double width = std::min(space[(up_axis_ + 1) % 3], space[(up_axis_ + 2) % 3]);
    const double wanted = std::min({0.1 * width / size_, 0.25 * space[up_axis_] / size_, 30.0});
    if (!(wanted >= 2)) return;
    const auto most = static_cast<std::uint8_t>(wanted);
    const std::vector<std::uint8_t> steps = steps_to_surfaces(most);
    for (std::uint8_t least = most; least >= 2; --least) {
        if (keep_away(steps, least)) return;
    }
}

/// How many cells it is to the nearest surface, along the axis where it is most; `most` if it is more.
std::vector<std::uint8_t> FreeSpace::steps_to_surfaces(std::uint8_t most) const {
    std::vector<std::uint8_t> now(surface_.size());
    std::ranges::transform(surface_, now.begin(), [&](std::uint8_t surface) { return surface != 0 ? 0 : most; });
    std::vector<std::uint8_t> line;
    for (int axis = 0; axis < 3; ++axis) {  // min over the axis of max(distance along it, what the axes before found)
        const std::size_t step = steps_[static_cast<std::size_t>(axis)], count = static_cast<std::size_t>(count_[axis]);
        for (std::size_t first = 0; first < now.size(); ++first) {
            if (first / step % count != 0) continue;
            line.resize(count);
            for (std::size_t i = 0; i < count; ++i) line[i] = now[first + i * step];
            for (std::size_t i = 0; i < count; ++i) {
                int least = line[i];
                for (int away = 1; away < least; ++away) {
                    const auto side = static_cast<std::size_t>(away);
                    if (i >= side) least = std::min(least, std::max<int>(away, line[i - side]));
                    if (i + side < count) least = std::min(least, std::max<int>(away, line[i + side]));
                }
                now[first + i * step] = static_cast<std::uint8_t>(least);
            }
        }
    }
    return now;
}

/// Whether most of the room that is so many steps away from surfaces is connected; then that is the room.
bool FreeSpace::keep_away(const std::vector<std::uint8_t>& steps, std::uint8_t least) {
    std::vector<std::uint8_t> closed(room_.size());
    std::size_t open = 0;
    for (std::size_t i = 0; i < room_.size(); ++i) {
        closed[i] = room_[i] == 0 || steps[i] < least ? 1 : 0;
        open += closed[i] == 0 ? 1 : 0;
    }
    std::vector<std::uint32_t> label(closed.size(), 0);
    for (std::size_t start = 0, parts = 0; start < label.size(); ++start) {
        if (closed[start] != 0 || label[start] != 0) continue;
        label[start] = static_cast<std::uint32_t>(++parts);
        const Part part = fill(start, closed, label);
        if (10 * part.cells < 9 * open) continue;
        for (std::size_t i = 0; i < room_.size(); ++i) room_[i] = label[i] == label[start] ? 1 : 0;
        room_bounds_ = part.bounds;
        clearance_ = size_ * least;
        return true;
    }
    return false;
}

/// Gives all that is connected with a cell the cell's label.
FreeSpace::Part FreeSpace::fill(std::size_t start, const std::vector<std::uint8_t>& closed,
                                std::vector<std::uint32_t>& label) const {
    Part part;
    std::vector<std::size_t> open = {start};
    while (!open.empty()) {
        const dvec3 center = center_of(open.back());
        open.pop_back();
        ++part.cells;
        part.bounds.add(center);
        const Cell cell = cell_of(center);
        for (const ivec3& step : neighbours) {
            if (!inside(cell + step)) continue;
            const std::size_t next = index_of(cell + step);
            if (closed[next] != 0 || label[next] != 0) continue;
            label[next] = label[start];
            open.push_back(next);
        }
    }
    return part;
}

/// The part, not the outside, that takes a tenth of the grid and has most objects within its bounds, if these are half
/// of all and at least eight; else 0.
std::uint32_t FreeSpace::enclosed_room(const Scene& scene, std::uint32_t outside, std::vector<Part>& parts) const {
    std::vector<std::uint32_t> large;
    for (std::uint32_t k = 1; k < parts.size(); ++k) {
        if (k != outside && parts[k].cells * 10 >= surface_.size()) large.push_back(k);
    }
    if (large.empty()) return 0;
    std::size_t objects = 0;
    for (const Group& group : scene.groups) {
        for (std::size_t i = 0; !group.stand_in && i < program::object_count(group.arrays); ++i) {
            const dvec3 center = object_bounds(group.arrays, i).center();
            ++objects;
            for (const std::uint32_t k : large) {
                const Bounds& b = parts[k].bounds;
                parts[k].objects += glm::clamp(center, b.lower - 2 * size_, b.upper + 2 * size_) == center ? 1 : 0;
            }
        }
    }
    const std::uint32_t best = *std::ranges::max_element(large, {}, [&](std::uint32_t k) { return parts[k].objects; });
    return parts[best].objects >= 8 && 2 * parts[best].objects >= objects ? best : 0;
}

bool FreeSpace::has_room(const dvec3& p) const {
    const Cell cell = cell_of(p);
    return inside(cell) ? room_[index_of(cell)] != 0 : !enclosed_;
}

bool FreeSpace::has_ground(const dvec3& p, double depth) const {
    Cell cell = cell_of(p);
    const int lowest = cell[up_axis_] - static_cast<int>(std::ceil(depth / size_));
    for (; cell[up_axis_] >= std::max(lowest, 0); --cell[up_axis_]) {
        if (inside(cell) && surface_[index_of(cell)] != 0) return true;
    }
    return false;
}

std::optional<dvec3> FreeSpace::nearest_room(const dvec3& p, std::optional<double> depth) const {
    std::optional<dvec3> best;
    double least = 1e300;
    for (std::size_t i = 0; i < room_.size(); ++i) {
        if (room_[i] == 0) continue;
        const dvec3 center = center_of(i);
        const double distance = glm::dot(center - p, center - p);
        if (distance < least && (!depth || has_ground(center, *depth))) least = distance, best = center;
    }
    return best;
}

bool FreeSpace::sees(const dvec3& a, const dvec3& b) const {
    const int steps = static_cast<int>(std::ceil(2 * glm::distance(a, b) / size_));
    for (int k = 0; k <= steps; ++k) {
        if (!has_room(glm::mix(a, b, steps == 0 ? 0.0 : static_cast<double>(k) / steps))) return false;
    }
    return true;
}

std::vector<dvec3> FreeSpace::way(const dvec3& a, const dvec3& b) const {
    if (sees(a, b)) return {a, b};
    const std::vector<dvec3> cells = cells_between(a, b);
    std::vector<dvec3> corners;  // each sees the next: the farthest found by doubling and halving
    for (std::size_t at = 0; at < cells.size();) {
        corners.push_back(cells[at]);
        std::size_t step = 1;
        while (at + 2 * step < cells.size() && sees(cells[at], cells[at + 2 * step])) step *= 2;
        for (std::size_t more = step / 2; more > 0; more /= 2) {
            if (at + step + more < cells.size() && sees(cells[at], cells[at + step + more])) step += more;
        }
        at += step;
    }
    return corners;
}

/// a, the centres of cells from there to b, each beside the next, and b; nothing if there is no way.
std::vector<dvec3> FreeSpace::cells_between(const dvec3& a, const dvec3& b) const {
    const Cell from = cell_of(a), to = cell_of(b);
    if (!inside(from) || !inside(to)) return {};
    // Breadth first from the end, so that the way is read from its beginning.
    std::vector<std::uint8_t> step_from(room_.size(), 0);  // 1 + the neighbour that leads to b
    std::vector<std::size_t> open = {index_of(to)};
    step_from[open[0]] = std::size(neighbours) + 1;
    for (std::size_t next = 0; next < open.size() && step_from[index_of(from)] == 0; ++next) {
        const Cell cell = cell_of(center_of(open[next]));
        for (std::uint8_t k = 0; k < std::size(neighbours); ++k) {
            const Cell there = cell - neighbours[k];
            if (!inside(there) || room_[index_of(there)] == 0 || step_from[index_of(there)] != 0) continue;
            step_from[index_of(there)] = k + 1;
            open.push_back(index_of(there));
        }
    }
    if (step_from[index_of(from)] == 0) return {};
    std::vector<dvec3> cells = {a};
    for (Cell cell = from; cell != to;) {
        cell += neighbours[step_from[index_of(cell)] - 1];
        cells.push_back(center_of(index_of(cell)));
    }
    cells.push_back(b);
    return cells;
}

std::optional<double> FreeSpace::distance(const dvec3& eye, const dvec3& direction, double limit) const {
    double from = 0, to = limit;  // of the ray's part in the grid: no more steps than cells along two diagonals
    for (int axis = 0; axis < 3; ++axis) {
        const double low = lower_[axis] - eye[axis], high = low + size_ * count_[axis];
        if (direction[axis] == 0) {
            if (low > 0 || high < 0) return {};
            continue;
        }
        const double a = low / direction[axis], b = high / direction[axis];
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    }
    const int most = 2 * (count_.x + count_.y + count_.z) + 2;
    for (int step = 0; step < most; ++step) {
        const double t = from + 0.5 * size_ * step;
        if (!(t <= to)) break;
        const Cell cell = cell_of(eye + t * direction);
        if (inside(cell) && surface_[index_of(cell)] != 0) return t;
    }
    return {};
}

}  // namespace lanecull::program
