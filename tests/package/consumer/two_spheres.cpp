#include <lanecull/lanecull.h>
#ifdef THREADED
#include <lanecull/tbb.hpp>
#endif

#include <array>
#include <cstddef>
#include <cstdint>

/// Culls two spheres against the cube [-1, 1]^3: one in its middle, one a unit beyond its right side. Whether the first
/// is visible and the second is not. In C++17.
static bool two_spheres_are_told_apart(const lanecull::Runner& runner) {
    const std::array<double, 16> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::View view;
    if (!lanecull::prepare_view(identity, lanecull::ClipSpace::opengl(), view)) return false;

    const std::array<float, 2> x = {0, 3};
    const std::array<float, 2> zero = {};
    const std::array<float, 2> radius = {1, 1};
    const lanecull::Batch spheres = lanecull::Spheres{x.data(), zero.data(), zero.data(), radius.data(), 2};

    std::array<std::uint64_t, 1> visible = {};
    lanecull::Output output;
    output.visible = visible;
    std::array<std::byte, 4096> scratch;
    if (scratch.size() < lanecull::scratch_bytes(spheres, 1)) return false;
    lanecull::CullOptions options;
    options.runner = runner;
    const lanecull::Status status = lanecull::cull(spheres, view, output, scratch, options);
    return status.ok() && visible[0] == 1 && output.visible_count == 1;
}

/// What a program and a plugin of an engine, which is a module, have of the library.
extern "C" int plugin() {
#ifdef THREADED
    lanecull::TbbRunner runner(2);
#else
    const lanecull::Runner runner;
#endif
    return two_spheres_are_told_apart(runner) ? 0 : 1;
}

int main() { return plugin(); }
