/// A build that LANECULL_KINDS left kinds out of refuses them: lanecull_absent_kinds. For builds with Boxes and without
/// Capsules. Prints what does not hold; the exit status is then 1.

#include <cstring>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/scene.h>

#include "report.hpp"

namespace {

lanecull::Status cull_one(const lanecull::Batch& batch, std::uint64_t& visible) {
    const double cube[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::View view;
    if (!lanecull::prepare_view(cube, {.layout = lanecull::MatrixLayout::row_major}, view)) return {};
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output{.visible = {&visible, 1}};
    return lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch);
}

}  // namespace

int main() {
    const float low = 0.25f, high = 0.5f, away = 7;
    std::uint64_t visible = 0;
    expect(cull_one(lanecull::Boxes{&low, &low, &low, &high, &high, &high, 1}, visible).ok(), "boxes are culled");
    expect(visible == 1, "a box in the view is visible");
    expect(cull_one(lanecull::Boxes{&away, &low, &low, &away, &high, &high, 1}, visible).ok(), "boxes are culled");
    expect(visible == 0, "a box beside the view is not");

    constexpr const char* message = "batches[0].shapes: Capsules: this build has no kernels for them (LANECULL_KINDS)";
    const lanecull::Batch capsule(lanecull::Capsules{&low, &low, &low, &high, &high, &high, &low, 1});
    visible = 5;
    expect(std::strcmp(cull_one(capsule, visible).message(), message) == 0, message);
    expect(cull_one(capsule, visible).code == lanecull::StatusCode::unsupported, "its code is unsupported");
    expect(visible == 5, "a refused call writes nothing");
    lanecull::Scene scene;
    lanecull::Handle handle = 0;
    expect(std::strcmp(scene.add({&capsule, 1}, {&handle, 1}).message(), message) == 0, "scenes refuse them too");
    return hold ? 0 : 1;
}
