#include <cmath>
#include <limits>
#include <numbers>

#include "properties/candidates.hpp"
#include "properties/family.hpp"
#include "properties/figures/figures.hpp"

namespace properties {
namespace {

using namespace flat_tests;
using flat_tests::all_kinds;
using flat_tests::Kind;
using flat_tests::Object;

ViewKind any_kind(Random& random) { return all_views[static_cast<std::size_t>(random.below(std::size(all_views)))]; }

/// Of any kind, no farther than that from the origin along each axis.
TestView view_within(Random& random, double far, double size, double other) {
    const double x = random.range(-far, far), y = random.range(-far, far);
    return random_view(random, any_kind(random), x, y, size, other);
}

/// `make` makes one figure of a kind; all touch or nearly touch the view, as random_object() has it.
template <class Make>
std::optional<FigureSetting> fill(Random& random, const TestView& view, std::size_t count, const Make& make) {
    if (!view.view.prepared()) return std::nullopt;
    FigureSetting setting{view, random_polygon(random), {}};
    for (const Kind kind : all_kinds) {
        std::vector<Object>& objects = setting.objects.emplace_back();
        while (objects.size() < count) objects.push_back(make(kind, setting));
    }
    return setting;
}

/// Figures of sizes between these multiples of the view's.
std::optional<FigureSetting> fill(Random& random, const TestView& view, std::size_t count, double smallest,
                                  double largest, Gap gap) {
    return fill(random, view, count, [&](Kind kind, const FigureSetting& setting) {
        const double size = view.size * random.log_range(smallest, largest);
        return random_object(random, kind, view, setting.polygon, size, gap);
    });
}

std::optional<FigureSetting> figures(Random& random, std::size_t count) {
    const TestView view = random_view(random, any_kind(random));
    return fill(random, view, count, [&](Kind kind, const FigureSetting& setting) {
        return random_object(random, kind, view, setting.polygon);
    });
}

/// At edges and corners, apart or not by a few ulps.
std::optional<FigureSetting> grazing_figures(Random& random, std::size_t count) {
    return fill(random, random_view(random, any_kind(random)), count, 0.01, 10, Gap::ulps);
}

/// Rectangles turned by whole multiples of 15 degrees, and by next to nothing more.
std::optional<FigureSetting> turned_figures(Random& random, std::size_t count) {
    const double little = random.chance(0.5) ? 0 : random.sign() * random.log_range(1e-9, 1e-2);
    const double angle = random.below(24) * std::numbers::pi / 12 + little, size = random.log_range(1e-3, 1e5);
    const double far = random.chance(0.5) ? 0 : size * random.log_range(1, 1e4);
    const TestView view = make_view(ViewKind::turned,
                                    {random.range(-far, far), random.range(-far, far), size,
                                     size * random.log_range(1e-2, 1), std::cos(angle), std::sin(angle)},
                                    size);
    return fill(random, view, count, 1e-3, 1e3, random.chance(0.5) ? Gap::ulps : Gap::any);
}

/// Needles and slivers as views; figures that are, too, now and then.
std::optional<FigureSetting> thin_figures(Random& random, std::size_t count) {
    const double size = random.log_range(1e-3, 1e6), other = size * random.log_range(1e-7, 1e-2);
    const double far = random.chance(0.5) ? 0 : size;
    return fill(random, view_within(random, far, size, other), count, 1e-6, 1e2,
                random.chance(0.5) ? Gap::ulps : Gap::any);
}

/// Views of points within rounding of a line, but for some: rounding leaves most of them on either chain of the hull.
std::optional<FigureSetting> figures_in_line(Random& random, std::size_t count) {
    const double size = random.log_range(1e-3, 1e6), off = size * random.log_range(1e-18, 1e-12);
    const double angle = random.range(0, 7), x = random.range(-size, size), y = random.range(-size, size);
    std::vector<double> points;
    while (points.size() < 32) {
        const double along = random.range(-size, size),
                     across = random.range(-off, off) * (random.chance(0.1) ? 1e4 : 1);
        points.push_back(x + std::cos(angle) * along - std::sin(angle) * across);
        points.push_back(y + std::sin(angle) * along + std::cos(angle) * across);
    }
    const TestView view = make_view(ViewKind::polygon, points, size);
    return fill(random, view, count, 1e-6, 1e2, random.chance(0.5) ? Gap::ulps : Gap::any);
}

/// Views 10^3 to 10^7 times their size from the origin.
std::optional<FigureSetting> far_figures(Random& random, std::size_t count) {
    const double size = random.log_range(1e-2, 1e3), far = size * random.log_range(1e3, 1e7);
    return fill(random, view_within(random, far, size, size * random.range(0.1, 1)), count, 1e-2, 10, Gap::any);
}

/// Figures far larger and smaller than the view, and views of any size: squares overflow, and underflow.
std::optional<FigureSetting> huge_figures(Random& random, std::size_t count) {
    const double size = random.log_range(1e-17, 1e28);
    const TestView view = view_within(random, 0, size, size * random.range(0.1, 1));
    return fill(random, view, count, 1e-12, std::fmin(1e12, 1e36 / size), random.chance(0.3) ? Gap::ulps : Gap::any);
}

std::optional<FigureSetting> not_finite_figures(Random& random, std::size_t count) {
    const TestView view = random_view(random, any_kind(random));
    return fill(random, view, count, [&](Kind kind, const FigureSetting& made) {
        Object object = random_object(random, kind, view, made.polygon);
        constexpr float numbers[] = {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                                     std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
        object.fields[static_cast<std::size_t>(random.below(static_cast<int>(field_count(kind))))] =
            numbers[random.below(std::size(numbers))];
        return object;
    });
}

// Any numbers, also those that make no shape or no view.

std::vector<double> any_view_numbers(Random& random, ViewKind kind) {
    const int most_points = 18;  // of which a view takes 16
    std::vector<double> numbers(kind == ViewKind::rectangle ? 4
                                : kind == ViewKind::polygon
                                    ? 2 + 2 * static_cast<std::size_t>(random.below(most_points))
                                    : 6);
    for (double& number : numbers) number = random.any_double();
    if (kind == ViewKind::rectangle && random.below(16) != 0) {
        for (const std::size_t k : {2u, 3u}) numbers[k] = numbers[k - 2] + std::fabs(numbers[k]);
    }
    return numbers;
}

lanecull::flat::Polygon any_polygon(Random& random) {
    float x[8], y[8];
    const int count = 1 + random.below(8);
    for (int k = 0; k < count; ++k) x[k] = random.any_float(), y[k] = random.any_float();
    lanecull::flat::Polygon polygon;
    if (prepare_polygon(x, y, static_cast<std::uint32_t>(count), polygon)) return polygon;
    constexpr float corner_x[] = {0, 1, 0}, corner_y[] = {0, 0, 1};
    static_cast<void>(prepare_polygon(corner_x, corner_y, 3, polygon));
    return polygon;
}

Object any_object(Random& random, Kind kind) {
    Object object;
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        object.fields[k] = is_size(kind, k) ? random.any_size() : random.any_float();
        if (kind == Kind::box && k >= 2 && random.below(16) != 0) {
            object.fields[k] = object.fields[k - 2] + std::fabs(object.fields[k]);
        }
    }
    return object;
}

std::optional<FigureSetting> any_figures(Random& random, std::size_t count) {
    TestView view;
    for (int tries = 0; tries < 4 && !view.view.prepared(); ++tries) {
        const ViewKind kind = any_kind(random);
        view = make_view(kind, any_view_numbers(random, kind), 1);
    }
    if (!view.view.prepared()) return std::nullopt;
    FigureSetting setting{view, any_polygon(random), {}, true};
    for (const Kind of : all_kinds) {
        std::vector<Object>& objects = setting.objects.emplace_back();
        while (objects.size() < count) objects.push_back(any_object(random, of));
    }
    return setting;
}

/// Views of any of these families of which a call tests some of the figures. Some figures are none.
void figures_candidates(Trial& trial) {
    constexpr MakeFigures makes[] = {figures, grazing_figures, turned_figures, thin_figures, far_figures, huge_figures};
    constexpr lanecull::Method methods[] = {lanecull::Method::automatic, lanecull::Method::planes};
    Random& random = trial.random;
    const std::optional<FigureSetting> setting = makes[random.below(std::size(makes))](random, trial.plan.objects);
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting) return;
    for (const Kind kind : all_kinds) {
        std::vector<Object> parts[2];
        for (const Object& object : setting->objects[static_cast<std::size_t>(kind)]) {
            Object& taken = parts[random.below(2)].emplace_back(object);
            if (random.chance(0.1)) taken.fields[0] = std::numeric_limits<float>::quiet_NaN();
        }
        HeapMemory memory;
        const lanecull::flat::Batch batches[] = {make_batch(kind, parts[0], setting->polygon, memory),
                                                 make_batch(kind, parts[1], setting->polygon, memory)};
        check_candidates(
            std::span<const lanecull::flat::Batch>(batches), setting->view.view, methods, trial,
            [](std::size_t, std::size_t) { return true; },
            [&](std::size_t b, std::size_t i) {
                return "view " + setting->view.text + "\n  object " + describe(kind, parts[b][i]);
            });
        if (trial.stopped()) return;
    }
}

/// Some are seen, some are inside, and every stage decides some: of several views.
constexpr Rate mixed[] = {{Tally::oracle_visible, Tally::oracle_objects, 0.1, 0.9, 150},
                          {Tally::culled_plane, Tally::verdicts, 0.1, 0.9, 50'000},
                          {Tally::culled_gjk, Tally::verdicts, 1e-3, 1, 50'000},
                          {Tally::reached, Tally::cases, 1e-3, 1, 20'000}};
constexpr Rate any_rates[] = {{Tally::culled_plane, Tally::verdicts, 0.1, 0.9, 50'000},
                              {Tally::culled_gjk, Tally::verdicts, 1e-5, 1, 50'000},
                              {Tally::reached, Tally::cases, 1e-4, 1, 20'000}};
constexpr Rate outputs_rates[] = {{Tally::reached, Tally::cases, 0.1, 0.9}};
constexpr Rate corners_rates[] = {{Tally::reached, Tally::cases, 0.01}};

template <MakeFigures make>
constexpr Family family(const char* name, std::span<const Rate> rates = {}) {
    return {name, "figures", run_made<make>, rates, true};
}

constexpr Family all_families[] = {family<figures>("figures", mixed),
                                   family<grazing_figures>("figures_grazing", mixed),
                                   family<turned_figures>("figures_turned", mixed),
                                   family<thin_figures>("figures_thin"),
                                   family<figures_in_line>("figures_in_line"),
                                   family<far_figures>("figures_far"),
                                   family<huge_figures>("figures_huge"),
                                   family<not_finite_figures>("figures_none"),
                                   {"figures_candidates", "figures", figures_candidates, {}, true},
                                   family<any_figures>("figures_any", any_rates),
                                   {"figures_outputs", "figures", figure_outputs, outputs_rates, true},
                                   {"figures_corners", "figures", figure_corners, corners_rates}};

}  // namespace

std::span<const Family> figure_families() { return all_families; }

}  // namespace properties
