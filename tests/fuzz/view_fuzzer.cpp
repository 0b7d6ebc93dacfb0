/// Views from any numbers. A failed call does not change the view. Clip planes that keep their rules make none fail. A
/// prepared view culls no point that is in it by exact arithmetic, and one that sees nothing has no point.

#include <cstring>
#include <string_view>

#include <lanecull/cull.h>

#include "cull/kernel_work.hpp"
#include "fuzz/check.hpp"
#include "fuzz/view_arguments.hpp"

namespace {

using lanecull::View;

View some_view() {
    constexpr double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
    View view;
    check(lanecull::prepare_view(matrix, {}, view).ok(), "the usual camera is a view");
    return view;
}

bool same_bytes(const View& a, const View& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

struct Points {
    std::vector<float> x, y, z, radius;

    void add(const Double3& p) {
        x.push_back(static_cast<float>(p[0]));
        y.push_back(static_cast<float>(p[1]));
        z.push_back(static_cast<float>(p[2]));
        radius.push_back(0);
    }
};

/// Some in the middle of others: inside, then.
Points make_points(const ViewArguments& arguments, Input& input) {
    Points points;
    for (std::uint32_t i = input.up_to(3); i > 0; --i) points.add({input.real(), input.real(), input.real()});
    for (std::uint32_t i = input.up_to(4); i > 0; --i) {
        const Double3 a = arguments.corner(input), b = arguments.corner(input);
        points.add(a);
        const double share = 0.125 * input.up_to(8);
        points.add({a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])});
    }
    return points;
}

std::uint64_t visible_points(const Points& points, const View& view, lanecull::Method method) {
    const auto count = static_cast<std::uint32_t>(points.x.size());
    const lanecull::Batch batch =
        lanecull::Spheres{points.x.data(), points.y.data(), points.z.data(), points.radius.data(), count};
    std::uint64_t bits = 0;
    lanecull::Output output{.visible = {&bits, lanecull::visibility_words({&batch, 1})}};
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch,
                                                   {.method = method, .isa = lanecull::Isa::scalar});
    check(status.ok(), "points are culled", status.message().text);
    return bits;
}

/// Whether the view fails though the clip planes keep their rules, and it does not without them.
bool fails_by_what_is_left(const ViewArguments& arguments, const lanecull::Status& status) {
    const lanecull::Message sentence = status.message();
    const std::string_view message = sentence.text;
    if (arguments.clip_planes.empty() || message.starts_with("options") || message.starts_with("planes: at most")) {
        return false;
    }
    ViewArguments whole = arguments;
    whole.clip_planes.clear();
    View view;
    return whole.prepare(view).ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const View before = some_view();
    Input input(data, size);
    const ViewArguments arguments(input);
    View view = before;
    const lanecull::Status status = arguments.prepare(view);
    if (!status) {
        check(same_bytes(view, before), "a failure leaves the view untouched", arguments.describe());
        check(status.message()[0] != 0, "a failure says what is wrong", arguments.describe());
        check(!fails_by_what_is_left(arguments, status), "clip planes are no reason to fail", arguments.describe());
        return 0;
    }
    check(view.prepared(), "what succeeds is prepared", arguments.describe());

    const Points points = make_points(arguments, input);
    std::uint64_t culled = 0;
    for (const auto method : {lanecull::Method::automatic, lanecull::gjk_alone}) {
        culled |= ~visible_points(points, view, method);
    }
    std::optional<ExactView> exact_view;
    if (view.sees_nothing() && arguments.moderate()) {
        exact_view.emplace(arguments);
        check(!exact_view->certainly_has_a_point(), "a view that sees nothing has no point", arguments.describe());
    }
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        const float point[] = {points.x[i], points.y[i], points.z[i]};
        if ((culled >> i & 1) == 0 || !arguments.moderate()) continue;
        if (!moderate(point[0]) || !moderate(point[1]) || !moderate(point[2])) continue;
        if (!exact_view) exact_view.emplace(arguments);
        const exact::Solid solid = exact::sphere(point, 0);
        check(!exact_view->certainly_meets(solid), "a point in the view is visible", arguments.describe());
    }
    return 0;
}
