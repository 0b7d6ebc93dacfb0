#include "fuzz/caster_views.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "fuzz/check.hpp"
#include "fuzz/view_arguments.hpp"
#include "support/written.hpp"
#include "view/prepared_view.hpp"

namespace {

using lanecull::Plane;
using lanecull::View;
using lanecull::ViewOptions;

/// A light, or none, or two of them.
struct Light {
    lanecull::Sun sun;
    lanecull::Lamp lamp;
    std::vector<Plane> sides;
    bool has_sun = false, has_lamp = false;
    double margin = 0;

    explicit Light(Input& input) {
        const std::uint32_t which = input.up_to(31);
        has_sun = which != 0 && which % 2 == 0;
        has_lamp = which % 2 == 1 || which == 2;
        if (has_sun) {
            for (double& component : sun.toward) component = input.real();
            if (input.flag()) sun.reach = input.size();
        }
        if (has_lamp) {
            for (double& coordinate : lamp.at) coordinate = input.real();
            if (input.flag()) lamp.range = input.size();
            if (input.up_to(3) == 0) sides = read_planes(input, 9);
        }
        if (input.up_to(3) == 0) margin = input.size();
    }

    /// They refer to this light.
    [[nodiscard]] ViewOptions options(std::span<const Plane> clip_planes) {
        lamp.sides = sides;
        ViewOptions options;
        options.clip_planes = clip_planes, options.margin = margin;
        if (has_sun) options.sun = &sun;
        if (has_lamp) options.lamp = &lamp;
        return options;
    }
};

/// A camera and its lights. A few are read; the others are these again, for more than one task.
struct Arguments {
    std::array<double, 16> matrix;
    lanecull::ClipSpace clip_space;
    std::vector<Plane> clip_planes, other_planes;
    std::vector<Light> lights;
    std::vector<ViewOptions> options;

    explicit Arguments(Input& input) : matrix(read_matrix(input)) {
        if (input.up_to(7) != 0) clip_space.layout = lanecull::MatrixLayout::row_major;
        if (input.flag()) clip_space.depth = lanecull::DepthRange::minus_one_to_one;
        if (input.up_to(3) == 0) clip_planes = read_planes(input, 3);
        other_planes = clip_planes;
        for (std::uint32_t n = 1 + input.up_to(3); n > 0; --n) lights.emplace_back(input);
        const std::size_t count = input.up_to(20);
        for (std::size_t i = 0; i < count; ++i) options.push_back(lights[i % lights.size()].options(clip_planes));
        if (!options.empty() && input.up_to(15) == 1) options.back().clip_planes = other_planes;
    }

    /// Whether each is by one light and has the first one's planes.
    [[nodiscard]] bool keep_the_rules() const {
        return std::ranges::all_of(options, [&](const ViewOptions& o) {
            const bool same = o.clip_planes.data() == options[0].clip_planes.data() || o.clip_planes.empty();
            return same && (o.sun != nullptr) != (o.lamp != nullptr);
        });
    }

    [[nodiscard]] std::string describe() const {
        std::string text = "matrix" + written(matrix) + "\nlayout, depth range" +
                           written(std::array{double(clip_space.layout), double(clip_space.depth)});
        const auto add_planes = [&](const char* name, std::span<const Plane> planes) {
            for (const Plane& p : planes) text += name + written(p.normal) + written(std::array{p.offset});
        };
        add_planes("\nclip", clip_planes);
        for (const ViewOptions& o : options) {
            text += "\nmargin" + written(std::array{o.margin});
            if (o.sun != nullptr) text += " sun" + written(o.sun->toward) + written(std::array{o.sun->reach});
            if (o.lamp == nullptr) continue;
            text += " lamp" + written(o.lamp->at) + written(std::array{o.lamp->range});
            add_planes(" side", o.lamp->sides);
        }
        return text;
    }
};

/// Runs tasks from the last to the first.
lanecull::Runner backwards() {
    return {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                for (std::uint32_t i = count; i > 0; --i) (*task)(i - 1);
            }};
}

}  // namespace

void check_caster_views(Input& input) {
    const Arguments of(input);
    std::vector<View> views(of.options.size()), alone(of.options.size());
    const lanecull::Runner runner = input.flag() ? backwards() : lanecull::Runner{};
    const lanecull::Status status = lanecull::prepare_caster_views(of.matrix, of.clip_space, of.options, views, runner);
    bool all = of.keep_the_rules();
    for (std::size_t i = 0; i < alone.size(); ++i) {
        all = lanecull::prepare_view(of.matrix, of.clip_space, alone[i], of.options[i]).ok() && all;
    }
    check(status.ok() == all, "many views are prepared where each of them is",
          std::string(status.message()) + "\n" + of.describe());
    for (std::size_t i = 0; i < views.size(); ++i) {
        check(views[i].prepared() == all, "all views are written, or none");
        check(!all || std::memcmp(&contents_of(views[i]), &contents_of(alone[i]), sizeof contents_of(alone[i])) == 0,
              "a view among many is the one alone", std::to_string(i) + "\n" + of.describe());
    }
    check(all || status.message()[0] != 0, "a failure says what is wrong");
}
