#include <algorithm>
#include <cmath>
#include <string>

#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "support/samples.hpp"
#include "view/prepared_view.hpp"

/// How views of ordinary numbers are prepared, and what is culled where there is no doubt.
namespace properties {
namespace {

using lanecull::View;

/// Views that are more than a camera, and what is so of all of them.
struct Maker {
    Sample (*make)(Random&);
    bool is_taken = false;  ///< never refused, as matrices are that are rounded until nothing is in their volume
    bool is_exact = false;
};
constexpr Maker makers[] = {{corners_of_a_camera, true, true},
                            {any_corners, true, true},
                            {planes_of_a_camera, true},
                            {any_polytope, true},
                            {endless_planes, true},
                            {clipped_camera},
                            {stereo_pair, false, true},
                            {directional_casters},
                            {endless_directional_casters},
                            {point_light_casters},
                            {spot_casters},
                            {casters_of_any_view}};

const Maker& any_maker(Random& random) { return makers[random.below(static_cast<int>(std::size(makers)))]; }

double any_margin(Random& random, const Sample& sample) {
    if (!sample.takes_margin || random.chance(0.5)) return 0;
    return std::max(sample.near_size, 1e-3) * random.log_range(1e-4, 1);
}

std::string text_of(const Sample& sample, double margin) {
    return sample.text + describe(sample.clip_planes) + " margin " + std::to_string(margin);
}

/// At a corner, or a point between two, three or four, or beside it.
Object object_near(Random& random, Kind kind, const Sample& sample, const HullSet& hulls) {
    const auto anchor = [&] {
        return sample.anchors[static_cast<std::size_t>(random.below(static_cast<int>(sample.anchors.size())))];
    };
    Double3 at = anchor();
    const Double3 first = at;
    for (int k = random.below(4); k > 0; --k) at = at + random.unit() * (anchor() - at);
    double scale = length(anchor() - first);
    if (!(scale > 0)) scale = sample.near_size > 0 ? sample.near_size : 1;
    const double size = scale * random.log_range(1e-3, 0.5);
    return object_at(random, kind, at + random.range(0, 2) * size * random_direction(random), size, hulls);
}

bool same_bytes(const View& a, const View& b) {
    return std::memcmp(&contents_of(a), &contents_of(b), sizeof(lanecull::PreparedView)) == 0;
}

std::optional<View> view_of(const Camera& camera) {
    View view;
    if (!camera.prepare(view)) return std::nullopt;
    return view;
}

/// The same matrix, by columns where it was by rows, and the other way.
Camera transposed(Camera camera) {
    const Camera given = camera;
    for (std::size_t k = 0; k < 16; ++k) {
        camera.matrix[k] = given.matrix[4 * (k % 4) + k / 4];
        camera.single_matrix[k] = given.single_matrix[4 * (k % 4) + k / 4];
    }
    using lanecull::MatrixLayout;
    MatrixLayout& layout = camera.clip_space.layout;
    layout = layout == MatrixLayout::row_major ? MatrixLayout::column_major : MatrixLayout::row_major;
    return camera;
}

constexpr Projection ordinary[] = {Projection::perspective, Projection::reversed,     Projection::off_centre,
                                   Projection::opengl,      Projection::orthographic, Projection::reversed_infinite};

}  // namespace

void prepared(Trial& trial) {
    Random& random = trial.random;
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n <= trial.plan.objects / 40 && !trial.stopped(); ++n) {
        const Maker& maker = any_maker(random);
        const Sample sample = maker.make(random);
        View view;
        const double margin = any_margin(random, sample);
        const lanecull::Status status = sample.prepare(view, {.clip_planes = sample.clip_planes, .margin = margin});
        ++trial.at(Tally::cases);
        trial.at(Tally::refused) += !status;
        trial.at(Tally::reached) += view.exact();
        const auto fail = [&](Tally::Count count, const char* what) {
            trial.fail(count, what, [&] { return status.message().text + text_of(sample, margin); });
        };
        if (!status) {
            if (maker.is_taken) fail(Tally::untold, "refused");
        } else if (view.sees_nothing() && !sample.volume->empty()) {
            fail(Tally::views_small, "a view sees nothing of which something is left");
        } else if (maker.is_exact && !view.exact()) {
            fail(Tally::untold, "the volume's corners are not known");
        }
    }
}

std::optional<Setting> well_apart(Random& random, std::size_t count) {
    const Sample sample = any_maker(random).make(random);
    View view;
    const double margin = any_margin(random, sample);
    if (!sample.prepare(view, {.clip_planes = sample.clip_planes, .margin = margin}) || !view.exact()) {
        return std::nullopt;
    }
    std::optional<Setting> setting =
        setting_of(random, sample.volume->widened(exact::rational(margin)), view, text_of(sample, margin));
    if (setting) setting->oracle_share = 8;
    return fill(
        random, std::move(setting), count / 4 + 1,
        [&](Random& r, const Setting& s, const Boundary&, Kind kind) { return object_near(r, kind, sample, s.hulls); });
}

void matrix_layouts(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n <= trial.plan.objects / 8 && !trial.stopped(); ++n) {
        const Camera camera = random_camera(trial.random);
        Camera doubled = camera;
        doubled.single = false;
        const std::optional<View> view = view_of(camera), turned = view_of(transposed(camera)),
                                  of_doubles = view_of(doubled);
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += camera.single && view;
        const auto same = [&](const std::optional<View>& other) {
            return view.has_value() == other.has_value() && (!view || same_bytes(*view, *other));
        };
        if (!same(turned) || (camera.single && !same(of_doubles))) {
            trial.fail(Tally::untold, "one matrix is two views", [&] { return camera.describe(); });
        }
    }
}

void outlines(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n <= trial.plan.objects / 4 && !trial.stopped(); ++n) {
        const Camera camera = random_camera(trial.random, ordinary[trial.random.below(6)]);
        const std::optional<View> view = view_of(camera);
        ++trial.at(Tally::cases);
        if (!view || contents_of(*view).outlines_known == 0) continue;
        ++trial.at(Tally::reached);
        const lanecull::PreparedView& prepared = contents_of(*view);
        // Along each axis a volume of six sides is seen as a polygon of four to six, or of fewer if it has no end.
        bool holds = prepared.outline_end[11] <= 3 * 6;
        trial.at(Tally::exact_checks) += prepared.outline_end[11];
        for (std::uint32_t group = 0; group < 12; ++group) {
            for (std::uint32_t k = group == 0 ? 0 : prepared.outline_end[group - 1]; k < prepared.outline_end[group];
                 ++k) {
                const auto& line = prepared.exact_outline[k];
                holds = holds && (line[0] > 0) == ((group & 1) != 0) && (line[1] > 0) == ((group & 2) != 0) &&
                        std::hypot(line[0], line[1]) < 1;
            }
        }
        if (!holds) trial.fail(Tally::untold, "an outline is none", [&] { return camera.describe(); });
    }
}

void told_by_planes(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (std::size_t n = 0; n <= trial.plan.objects / 4 && !trial.stopped(); ++n) {
        Random& random = trial.random;
        const Camera camera = random_camera(random, ordinary[random.below(5)]);
        const Double3 toward = random_direction(random), at = camera.eye + 100.0 * random_direction(random);
        lanecull::DirectionalLight directional_light{{toward[0], toward[1], toward[2]}};
        if (random.chance(0.5)) directional_light.reach = 200;
        const lanecull::PointLight point_light{{at[0], at[1], at[2]}};
        lanecull::ViewOptions options;
        if (random.chance(0.33)) {
            options.point_light = &point_light;
        } else {
            options.directional_light = &directional_light;
        }
        View view;
        if (!camera.prepare(view, options)) continue;
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += contents_of(view).planes_suffice != 0;
    }
}

}  // namespace properties
