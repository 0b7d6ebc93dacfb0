#include "properties/views/instances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <lanecull/bounds.h>

#include "oracle/exact_objects.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "properties/views/setting.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"

namespace properties {

using lanecull::BoxInstances;
using lanecull::HullInstances;
using lanecull::TransformLayout;

namespace {

constexpr TransformLayout all_layouts[] = {TransformLayout::rows_3x4, TransformLayout::columns_3x4,
                                           TransformLayout::rows_4x4, TransformLayout::columns_4x4};

std::size_t number_at(TransformLayout layout, std::size_t row, std::size_t column) {
    switch (layout) {
        case TransformLayout::columns_3x4:
            return 3 * column + row;
        case TransformLayout::columns_4x4:
            return 4 * column + row;
        default:
            return 4 * row + column;
    }
}

using Bound = const float* HullInstances::*;
constexpr Bound bounding_streams[] = {&HullInstances::bounding_x, &HullInstances::bounding_y,
                                      &HullInstances::bounding_z, &HullInstances::bounding_radius};

}  // namespace

Way::Way(Random& random)
    : layout(all_layouts[random.below(4)]),
      more(static_cast<std::size_t>(random.below(2) * random.below(6))),
      by_index(random.chance(0.5)),
      bounds(random.chance(0.5)) {}

bool Way::is_4x4() const { return layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4; }

Instances::Instances(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Way& way) : way_(way) {
    batch = make_batch(kind, objects, hulls, memory_, {.bounds = way.bounds});
    write_transforms(objects);
    if (kind == Kind::box_instance) write_boxes(objects);
    set_transforms();
}

void Instances::write_transforms(std::span<const Object> objects) {
    matrices_.assign(objects.size() * stride(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < objects.size(); ++i) {
        for (std::size_t k = 0; k < (way_.is_4x4() ? 16 : 12); ++k) {
            const float last = k == 15 ? 1.0f : 0.0f;
            matrices_[i * stride() + number_at(way_.layout, k / 4, k % 4)] = k < 12 ? objects[i].fields[k] : last;
        }
    }
    transforms_.first = matrices_.data();
    transforms_.stride_bytes = way_.more == 0 ? 0 : stride() * sizeof(float);
    transforms_.layout = way_.layout;
}

void Instances::write_boxes(std::span<const Object> objects) {
    const std::size_t count = objects.size(), boxes = way_.by_index ? 2 * count : count;
    for (std::vector<float>& side : sides_) side.assign(boxes, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = way_.by_index ? 2 * (count - 1 - i) + 1 : i;
        for (std::size_t k = 0; k < 6; ++k) sides_[k][at] = objects[i].fields[12 + k];
        if (way_.by_index) index_.push_back(static_cast<std::uint32_t>(at));
    }
    const auto& s = sides_;
    BoxInstances shapes;
    shapes.local = {{s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data(),
                     static_cast<std::uint32_t>(boxes)},
                    way_.by_index ? index_.data() : nullptr};
    shapes.count = static_cast<std::uint32_t>(count);
    batch = shapes;
}

void Instances::set_transforms() {
    if (auto* const boxes = batch.get_if<BoxInstances>()) boxes->transforms = transforms_;
    if (auto* const hulls = batch.get_if<HullInstances>()) hulls->transforms = transforms_;
}

void Instances::set_positions(std::vector<double> positions, const Double3& origin) {
    positions_ = std::move(positions);
    transforms_.positions = {positions_.data()};
    for (std::size_t k = 0; k < 3; ++k) transforms_.origin[k] = origin[k];
    set_transforms();
    remove_bounds();
}

float& Instances::last_row(std::size_t i, std::size_t column) {
    return matrices_[i * stride() + number_at(way_.layout, 3, column)];
}

void Instances::set_index(std::size_t i, std::uint32_t index) {
    if (auto* const hulls = batch.get_if<HullInstances>()) {
        index_.assign(hulls->hull_index, hulls->hull_index + hulls->count);
        hulls->hull_index = index_.data();
    }
    index_[i] = index;
}

void Instances::set_bound(std::size_t i, std::size_t number, float value) {
    HullInstances& hulls = *batch.get_if<HullInstances>();
    const float*& stream = hulls.*bounding_streams[number];
    bounds_[number].assign(stream, stream + hulls.count);
    bounds_[number][i] = value;
    stream = bounds_[number].data();
}

void Instances::remove_bounds() {
    auto* const hulls = batch.get_if<HullInstances>();
    for (const Bound stream : bounding_streams) {
        if (hulls != nullptr) hulls->*stream = nullptr;
    }
}

std::vector<float> bounding_spheres_of(const lanecull::Batch& batch) {
    const std::size_t n = batch.count();
    std::vector<float> to(4 * n);
    float* const s = to.data();
    const lanecull::Status status = bounding_spheres(*batch.get_if<HullInstances>(), s, s + n, s + 2 * n, s + 3 * n);
    if (!status) throw std::runtime_error(status.message());
    return to;
}

namespace {

constexpr Kind kinds_with_transforms[] = {Kind::hull, Kind::box_instance};

std::string text_of(const Setting& setting, Kind kind, const Object& object) {
    return "view " + setting.text + "\n  object " + describe(kind, object, setting.hulls);
}

// Shapes whose own coordinates are far from zero, beside a view.

/// How they come to be there.
enum class Return {
    none,            ///< the view is there as well
    by_translation,  ///< of a transform that also turns, scales and mirrors
    by_position,     ///< in doubles, of such a transform
};

/// Small shapes beside a cube of side 2 that is the view's volume, no farther from it than some hundredths.
struct FarShapes {
    Double3 center{};  ///< of the volume
    std::vector<Object> objects;
    HullSet hulls;
    std::vector<double> positions;
    Double3 origin{};  ///< of the positions
    std::vector<exact::Solid> solids;
};

/// Any rotation, times a scale that may mirror.
std::array<Double3, 3> random_linear(Random& random) {
    const Double3 x = random_direction(random), across = cross(x, random_direction(random));
    const Double3 y = 1 / length(across) * across, z = cross(x, y);
    const double scale = random.log_range(0.1, 10);
    return {scale * x, random.log_range(0.5, 2) * scale * y, random.sign() * scale * z};
}

/// In a cube of half-size 1, or its corners.
std::vector<Double3> random_points(Random& random, Kind kind) {
    std::vector<Double3> points;
    for (int corner = 0; kind == Kind::box_instance && corner < 8; ++corner) {
        points.push_back({corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0});
    }
    // With more vertices than twice the widest registers hold, or fewer than the narrowest, too.
    for (int left = kind == Kind::hull ? 1 + random.below(random.chance(0.2) ? 60 : 20) : 0; left > 0; --left) {
        points.push_back({random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)});
    }
    return points;
}

/// The object's solid where its position puts it.
exact::Solid solid_at(Kind kind, const Object& object, const HullSet& hulls, const double* position,
                      const Double3& origin) {
    exact::Solid solid = exact_solid_of(kind, object, hulls);
    std::array<exact::Rational, 3> by;
    for (std::size_t k = 0; k < 3; ++k) by[k] = exact::rational(position[k]) - exact::rational(origin[k]);
    for (exact::Point& p : solid.points) p = {p.x + by[0], p.y + by[1], p.z + by[2]};
    return solid;
}

void add_far_shape(Random& random, Kind kind, const Double3& away, Return how, FarShapes& to) {
    std::array<Double3, 3> columns = {Double3{1, 0, 0}, Double3{0, 1, 0}, Double3{0, 0, 1}};
    if (how != Return::none) columns = random_linear(random);
    const auto transformed = [&](const Double3& p) {
        return p[0] * columns[0] + p[1] * columns[1] + p[2] * columns[2];
    };

    std::vector<Double3> points = random_points(random, kind);
    const double half = random.log_range(0.02, 0.4) / length(columns[0]);
    for (Double3& p : points) p = half * p;
    const auto axis = static_cast<std::size_t>(random.below(3));
    const double side = random.sign();
    double reached = HUGE_VAL;
    for (const Double3& p : points) reached = std::min(reached, side * transformed(p)[axis]);
    Double3 place = to.center + Double3{random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)};
    place[axis] = to.center[axis] + side * (1 + random.sign() * random.log_range(1e-6, 0.03) - reached);

    Object object;
    for (std::size_t k = 0; k < 12; ++k) object.fields[k] = k % 4 == 3 ? 0 : static_cast<float>(columns[k % 4][k / 4]);
    const Double3 translation = place - transformed(away);
    for (std::size_t k = 0; k < 3; ++k) {
        if (how == Return::by_translation) object.fields[4 * k + 3] = static_cast<float>(translation[k]);
        to.positions.push_back(to.origin[k] + (how == Return::by_position ? translation[k] : 0));
    }
    Vertices& vertices = to.hulls.emplace_back();
    for (const Double3& p : points) {
        const Double3 at = p + (how == Return::none ? place : away);
        vertices.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
    object.hull = static_cast<std::uint32_t>(to.hulls.size() - 1);
    for (std::size_t k = 0; kind == Kind::box_instance && k < 3; ++k) {
        object.fields[12 + k] = vertices.front()[k];
        object.fields[15 + k] = vertices.back()[k];
    }
    to.objects.push_back(object);
    to.solids.push_back(solid_at(kind, object, to.hulls, &to.positions.end()[-3], to.origin));
}

FarShapes far_shapes(Random& random, Kind kind, Return how, std::size_t count) {
    const double far = random.chance(0.2) ? 0 : random.log_range(1, 1e6);
    FarShapes made;
    Double3 away{};
    for (std::size_t k = 0; k < 3; ++k) {
        away[k] = random.sign() * std::round(far * random.range(0.5, 1));
        made.center[k] = how == Return::none ? away[k] : std::round(random.range(-4, 4));
        made.origin[k] = how == Return::by_position ? random.range(-1e9, 1e9) : 0;
    }
    while (made.objects.size() < count) add_far_shape(random, kind, away, how, made);
    return made;
}

/// Nearly all objects are culled that are apart by more than rounding may amount to near the volume, wherever their own
/// coordinates are; and none that is not apart. (Of hulls that are little larger than a float's step where their
/// vertices are, the centre may be taken for inside.)
void check_far_shapes(Trial& trial, Kind kind, const FarShapes& of, const lanecull::Batch& batch) {
    std::vector<lanecull::Plane> planes;
    exact::HalfSpaces half_spaces;
    for (std::size_t k = 0; k < 6; ++k) {
        const double side = k < 3 ? 1 : -1;
        lanecull::Plane plane{{0, 0, 0}, 1 - side * of.center[k % 3]};
        plane.normal[k % 3] = side;
        planes.push_back(plane);
        half_spaces.push_back(exact::half_space(plane.normal[0], plane.normal[1], plane.normal[2], plane.offset));
    }
    lanecull::View view;
    if (!lanecull::prepare_view_from_planes(planes, view)) throw std::logic_error("a cube is no view");
    const exact::Volume volume(half_spaces);
    std::vector<bool> is_apart, is_far_apart;
    for (const exact::Solid& solid : of.solids) {
        is_apart.push_back(decide(solid, volume).verdict == exact::Verdict::apart);
        is_far_apart.push_back(decide(solid, volume, exact::rational(0x1p-14)).verdict == exact::Verdict::apart);
        ++trial.at(Tally::oracle_objects);
        trial.at(Tally::oracle_visible) += !is_apart.back();
    }
    std::vector<bool> is_kept(of.solids.size());
    const auto fail = [&](Tally::Count count, std::size_t i, const Verdicts& by, const char* what) {
        trial.fail(count, std::string(what) + ", by " + lanecull::isa_name(by.isa) + ", " + method_name(by.method),
                   [&] { return describe(kind, of.objects[i], of.hulls); });
    };
    for (const Verdicts& v : all_verdicts_of(batch, view, all_methods, trial, fail)) {
        for (std::size_t i = 0; i < of.solids.size(); ++i) {
            if (!v.visible(i) && !is_apart[i]) fail(Tally::false_culls, i, v, "not apart, yet culled");
            // Planes alone keep what is beside an edge.
            if (v.visible(i) && v.method != lanecull::Method::planes) is_kept[i] = true;
            if (v.certificates[i].reason == lanecull::Reason::visible_invalid) {
                fail(Tally::untold, i, v, "taken for none");
            }
        }
    }
    for (std::size_t i = 0; i < of.solids.size(); ++i) {
        trial.at(Tally::cases) += is_far_apart[i];
        trial.at(Tally::reached) += is_far_apart[i] && is_kept[i];
    }
}

}  // namespace

void far_instances(Trial& trial) {
    trial.at(Tally::trials) = 1;
    for (const Kind kind : kinds_with_transforms) {
        for (const Return how : {Return::none, Return::by_translation, Return::by_position}) {
            const FarShapes of = far_shapes(trial.random, kind, how, std::max<std::size_t>(trial.plan.objects / 10, 1));
            Instances instances(kind, of.objects, of.hulls, Way(trial.random));
            if (how == Return::by_position) instances.set_positions(of.positions, of.origin);
            check_far_shapes(trial, kind, of, instances.batch);
            if (trial.stopped()) return;
        }
    }
}

void layouts(Trial& trial) {
    Random& random = trial.random;
    const std::optional<Setting> setting = any_setting(random, std::min<std::size_t>(trial.plan.objects, 333));
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting) return;
    for (const Kind kind : kinds_with_transforms) {
        const std::vector<Object>& objects = setting->objects[static_cast<std::size_t>(kind)];
        Way base(random), other(random);
        other.bounds = base.bounds;
        const Instances first(kind, objects, setting->hulls, base), second(kind, objects, setting->hulls, other);
        if (kind == Kind::hull && bounding_spheres_of(first.batch) != bounding_spheres_of(second.batch)) {
            trial.fail(Tally::untold, "bounding spheres differ between layouts", [&] { return setting->text; });
        }
        const auto fail = [&](Tally::Count count, std::size_t i, const Verdicts&, const char* what) {
            trial.fail(count, what, [&] { return text_of(*setting, kind, objects[i]); });
        };
        const auto a = all_verdicts_of(first.batch, setting->view, all_methods, trial, fail),
                   b = all_verdicts_of(second.batch, setting->view, all_methods, trial, fail);
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (a[k].words != b[k].words) fail(Tally::untold, 0, a[k], "verdicts differ between layouts");
            if (a[k].counts != b[k].counts) fail(Tally::untold, 0, a[k], "counts differ between layouts");
        }
        if (trial.stopped()) return;
    }
}

void positions(Trial& trial) {
    Random& random = trial.random;
    const std::optional<Setting> setting = any_setting(random, std::max<std::size_t>(trial.plan.objects / 8, 1));
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting || setting->reach) return;
    const Double3 origin = random.log_range(1, 1e9) * random_direction(random);
    for (const Kind kind : kinds_with_transforms) {
        std::vector<Object> objects = setting->objects[static_cast<std::size_t>(kind)];
        std::vector<double> places;
        for (Object& object : objects) {
            object.margin = 0, object.sweep = {};
            for (std::size_t k = 0; k < 3; ++k) {
                float& t = object.fields[place_field(kind, k)];
                const auto kept = static_cast<float>(random.range(-1, 1) * static_cast<double>(t));
                places.push_back(origin[k] + static_cast<double>(t) - static_cast<double>(kept));
                t = kept;
            }
        }
        Instances instances(kind, objects, setting->hulls, Way(random));
        instances.set_positions(places, origin);
        const auto fail = [&](Tally::Count count, std::size_t i, const Verdicts&, const char* what) {
            trial.fail(count, what, [&] { return text_of(*setting, kind, objects[i]); });
        };
        std::vector<const Verdicts*> culled(objects.size());
        const auto all = all_verdicts_of(instances.batch, setting->view, all_methods, trial, fail);
        for (const Verdicts& v : all) {
            for (std::size_t i = 0; i < objects.size(); ++i) culled[i] = v.visible(i) ? culled[i] : &v;
        }
        for (std::size_t i = 0; i < objects.size(); ++i) {
            ++trial.at(Tally::cases);
            if (culled[i] == nullptr) continue;
            ++trial.at(Tally::reached);
            const exact::Solid solid = solid_at(kind, objects[i], setting->hulls, &places[3 * i], origin);
            if (decide(solid, setting->volume).verdict != exact::Verdict::visible) continue;
            fail(Tally::false_culls, i, *culled[i], "visible by its position, yet culled");
        }
        if (trial.stopped()) return;
    }
}

}  // namespace properties
