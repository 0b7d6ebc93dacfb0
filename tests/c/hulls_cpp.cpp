#include "hulls.h"

#include <algorithm>
#include <cstdlib>
#include <lanecull/hulls.hpp>
#include <new>

using namespace lanecull;

namespace {

int left = -1;

void take(const ConvexHull& hull, found_hull& to) {
    to.corners = hull.count();
    to.triangles = static_cast<std::uint32_t>(hull.triangles.size());
    to.neighbors = static_cast<std::uint32_t>(hull.neighbors.size());
    to.dimension = static_cast<std::uint32_t>(hull.dimension);
    std::copy(hull.x.begin(), hull.x.end(), to.x);
    std::copy(hull.y.begin(), hull.y.end(), to.y);
    std::copy(hull.z.begin(), hull.z.end(), to.z);
    std::copy(hull.first_neighbor.begin(), hull.first_neighbor.end(), to.first_neighbor);
    std::copy(hull.neighbors.begin(), hull.neighbors.end(), to.neighbor);
    std::uint32_t* next = to.triangle;
    for (const auto& triangle : hull.triangles) next = std::copy(triangle.begin(), triangle.end(), next);
    to.volume = volume(hull);
}

}  // namespace

void* operator new(std::size_t bytes) {
    if (left == 0) throw std::bad_alloc();
    if (left > 0) --left;
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

void refuse_new_after(int count) { left = count; }

void hulls_cpp(const float* vertices, std::uint32_t count, found_hull* exact, found_hull* enclosing, double* error) {
    const Vertices all = {vertices, vertices + 1, vertices + 2, count, 3 * sizeof(float)};
    ConvexHull inner, outer;
    if (!convex_hull(all, inner) || !enclosing_hull(all, few_corners, outer)) return;  // the answer is not C's then
    take(inner, *exact);
    take(outer, *enclosing);
    *error = outward_error(outer, inner);
}
