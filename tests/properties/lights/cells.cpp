#include "properties/lights/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace properties {
namespace {

double wide(float x) { return static_cast<double>(x); }

void write(std::string& text, double number) {
    char digits[40];
    std::snprintf(digits, sizeof digits, " %a", number);
    text += digits;
}

}  // namespace

Point3 CellShape::support(const Point3& d) const {
    return *std::max_element(corners.begin(), corners.end(),
                             [&](const Point3& a, const Point3& b) { return dot(a, d) < dot(b, d); });
}
double CellShape::magnitude() const {
    double most = 0;
    for (const Point3& c : corners) most = std::max(most, std::fabs(c.x) + std::fabs(c.y) + std::fabs(c.z));
    return most;
}
Point3 CellShape::inside() const {
    Point3 sum{};
    for (const Point3& c : corners) sum = sum + 0.125 * c;
    return sum;
}

Point3 SpotShape::support(const Point3& d) const {
    const double along = dot(d, axis);
    Point3 across = d - along * axis;
    across = across - dot(across, axis) * axis;
    const double size = std::sqrt(dot(across, across)), length = std::sqrt(dot(d, d));
    if (!(tangent * size + along > 0)) return apex;
    if (!is_flat && size <= tangent * along) return apex + (range / length) * d;
    const Point3 rim = size > 1e-15 * length ? axis + (tangent / size) * across : axis;
    return apex + (is_flat ? range : range / std::sqrt(1 + tangent * tangent)) * rim;
}
double SpotShape::magnitude() const {
    return std::fabs(apex.x) + std::fabs(apex.y) + std::fabs(apex.z) + range * (1 + (is_flat ? tangent : 0));
}

void LightStreams::add_ball(const std::array<double, 3>& at, double radius) {
    for (std::size_t k = 0; k < 3; ++k) balls[k].push_back(static_cast<float>(at[k]));
    balls[3].push_back(static_cast<float>(radius));
}
void LightStreams::add_spot(const std::array<double, 3>& at, double range, const std::array<double, 3>& axis,
                            double tangent) {
    const double numbers[8] = {at[0], at[1], at[2], range, axis[0], axis[1], axis[2], tangent};
    for (std::size_t k = 0; k < 8; ++k) spots[k].push_back(static_cast<float>(numbers[k]));
}
lanecull::Lights LightStreams::lights() const {
    lanecull::Lights result;
    result.balls = {balls[0].data(), balls[1].data(), balls[2].data(), balls[3].data(),
                    static_cast<std::uint32_t>(balls[0].size())};
    result.spots = {spots[0].data(),
                    spots[1].data(),
                    spots[2].data(),
                    spots[3].data(),
                    spots[4].data(),
                    spots[5].data(),
                    spots[6].data(),
                    spots[7].data(),
                    static_cast<std::uint32_t>(spots[0].size()),
                    end};
    result.layers = layers.empty() ? nullptr : layers.data();
    return result;
}
bool LightStreams::is_invalid(std::size_t light) const {
    double sum = 0;
    const bool is_ball = light < balls[0].size();
    const std::size_t i = is_ball ? light : light - balls[0].size();
    const auto& of = is_ball ? std::vector<std::vector<float>>(balls.begin(), balls.end())
                             : std::vector<std::vector<float>>(spots.begin(), spots.end());
    for (std::size_t k = 0; k < 3; ++k) sum += std::fabs(wide(of[k][i]));
    const double size = wide(of[3][i]);
    if (!(size >= 0)) return true;
    if (is_ball) return !(sum + size <= 1e30);
    const double tangent = wide(of[7][i]), length = std::hypot(wide(of[4][i]), wide(of[5][i]), wide(of[6][i]));
    return !(tangent >= 0 && tangent <= 1e9 && length >= 1e-15 && length <= 1e15 && sum + size * (1 + tangent) <= 1e30);
}
std::string LightStreams::describe(std::size_t light) const {
    std::string text = light < balls[0].size() ? "ball" : end == lanecull::SpotEnd::flat ? "flat spot" : "spot";
    if (light < balls[0].size()) {
        for (const auto& stream : balls) write(text, wide(stream[light]));
    } else {
        for (const auto& stream : spots) write(text, wide(stream[light - balls[0].size()]));
    }
    return text;
}

lanecull::LightGrid GridCase::grid() const {
    lanecull::LightGrid result;
    result.clip_from_world = matrix.data();
    result.clip_space = clip_space;
    result.tiles_x = tiles_x, result.tiles_y = tiles_y;
    result.boundaries = boundaries;
    result.sight = sight;
    return result;
}
std::string GridCase::describe() const {
    std::string text = "grid " + std::to_string(tiles_x) + " " + std::to_string(tiles_y) + " layout " +
                       std::to_string(static_cast<unsigned>(clip_space.layout)) + " depth " +
                       std::to_string(static_cast<unsigned>(clip_space.depth)) + " sight " +
                       std::to_string(static_cast<unsigned>(sight)) + " matrix";
    for (const double m : matrix) write(text, m);
    text += " origin";
    for (const double o : clip_space.origin) write(text, o);
    text += " boundaries";
    for (const double b : boundaries) write(text, b);
    return text;
}

GridGeometry::GridGeometry(const GridCase& of) : of_(of) {
    long double row[4][4];
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            const bool by_rows = of.clip_space.layout == lanecull::MatrixLayout::row_major;
            row[r][c] = of.matrix[by_rows ? 4 * r + c : 4 * c + r];
        }
    }
    orthographic_ = row[3][0] == 0 && row[3][1] == 0 && row[3][2] == 0;
    const long double* const a[3] = {row[0], row[1], orthographic_ ? row[2] : row[3]};
    long double determinant = 0, size = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const long double *const p = a[(k + 1) % 3], *const q = a[(k + 2) % 3];
        for (std::size_t j = 0; j < 3; ++j) {
            column_[k][j] = p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3];
        }
        size *= std::sqrt(a[k][0] * a[k][0] + a[k][1] * a[k][1] + a[k][2] * a[k][2]);
    }
    for (std::size_t j = 0; j < 3; ++j) determinant += a[0][j] * column_[0][j];
    known_ = std::fabs(determinant) > 1e-3L * size;
    if (!known_) return;
    for (auto& column : column_)
        for (long double& number : column) number /= determinant;
    const long double growth = std::sqrt(a[2][0] * a[2][0] + a[2][1] * a[2][1] + a[2][2] * a[2][2]);
    const long double turn = orthographic_ && of.sight == lanecull::SightDirection::shrinking_depth ? -1 : 1;
    w_ = orthographic_ ? row[3][3] : growth;
    const bool from_zero = of.clip_space.depth == lanecull::DepthRange::zero_to_one;
    z_[0] = turn > 0 ? (from_zero ? 0 : -w_) : w_, z_[1] = turn * growth;
    const long double at[3] = {-row[0][3], -row[1][3], orthographic_ ? z_[0] - row[2][3] : -row[3][3]};
    for (std::size_t j = 0; j < 3; ++j) {
        origin_[j] = 0;
        for (std::size_t k = 0; k < 3; ++k) origin_[j] += column_[k][j] * at[k];
        forward_[j] = turn * a[2][j] / growth;
        origin_[j] += static_cast<long double>(of.clip_space.origin[j]);
    }
    for (const double x : {-1.0, 1.0}) {
        for (const double y : {-1.0, 1.0}) {
            if (orthographic_) continue;
            const Point3 p = point(x, y, 1);
            widest_ = std::max(widest_, std::sqrt(dot(p, p)));
        }
    }
}

std::array<double, 3> GridGeometry::origin() const {
    return {static_cast<double>(origin_[0]), static_cast<double>(origin_[1]), static_cast<double>(origin_[2])};
}
Point3 GridGeometry::relative(const std::array<float, 3>& p) const {
    return {static_cast<double>(static_cast<long double>(p[0]) - origin_[0]),
            static_cast<double>(static_cast<long double>(p[1]) - origin_[1]),
            static_cast<double>(static_cast<long double>(p[2]) - origin_[2])};
}
double GridGeometry::depth(const Point3& p) const {
    return static_cast<double>(static_cast<long double>(p.x) * forward_[0] +
                               static_cast<long double>(p.y) * forward_[1] +
                               static_cast<long double>(p.z) * forward_[2]);
}
Point3 GridGeometry::point(double x, double y, double depth) const {
    const long double d = depth;
    const long double at[3] = {x * (orthographic_ ? w_ : d * w_), y * (orthographic_ ? w_ : d * w_),
                               orthographic_ ? d * z_[1] : d * w_};
    long double p[3];
    for (std::size_t j = 0; j < 3; ++j) p[j] = column_[0][j] * at[0] + column_[1][j] * at[1] + column_[2][j] * at[2];
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
double GridGeometry::slices_apart(std::size_t number, const Point3& at, double reach) const {
    const std::size_t k = number / of_.tiles_x / of_.tiles_y;
    return std::max(of_.boundaries[k] - depth(at), depth(at) - of_.boundaries[k + 1]) - reach;
}
CellShape GridGeometry::cell(std::size_t number, double farthest) const {
    const std::size_t i = number % of_.tiles_x, j = number / of_.tiles_x % of_.tiles_y;
    const std::size_t k = number / of_.tiles_x / of_.tiles_y;
    const auto line = [](std::size_t at, std::uint32_t n) { return 2 * static_cast<double>(at) / n - 1; };
    const double near = of_.boundaries[k], far = std::min(of_.boundaries[k + 1], std::max(near, farthest));
    CellShape shape;
    for (std::size_t c = 0; c < 8; ++c) {
        shape.corners[c] =
            point(line(i + (c & 1), of_.tiles_x), line(j + (c >> 1 & 1), of_.tiles_y), c & 4 ? far : near);
    }
    return shape;
}

Apartness measure(const GridGeometry& geometry, const LightStreams& lights, std::size_t light, std::size_t cell) {
    const auto found = [&](const auto& shape, const Point3& at, double reach) {
        const double size = std::sqrt(dot(at, at)) + reach;
        const CellShape of = geometry.cell(cell, geometry.depth(at) + reach + 1e-3 * size);
        const auto distance = lanecull::gjk::distance(shape, of);
        // Where the eye is comes out of the matrix, as well as doubles have it.
        const auto origin = geometry.origin();
        const double far = std::fabs(origin[0]) + std::fabs(origin[1]) + std::fabs(origin[2]);
        // Of a cell that is very far beyond a light's depths the search in doubles knows little.
        const double lower = std::max(distance.lower, geometry.slices_apart(cell, at, reach) - 1e-12 * size);
        return Apartness{lower, distance.upper, size + geometry.origins_apart() + 0x1p-24 * far};
    };
    const std::size_t balls = lights.balls[0].size();
    if (light < balls) {
        const Point3 at = geometry.relative({lights.balls[0][light], lights.balls[1][light], lights.balls[2][light]});
        const double radius = wide(lights.balls[3][light]);
        return found(lanecull::gjk::Sphere<double>{at, radius}, at, radius);
    }
    const std::size_t i = light - balls;
    const auto number = [&](std::size_t k) { return lights.spots[k][i]; };
    SpotShape spot;
    spot.apex = geometry.relative({number(0), number(1), number(2)});
    spot.range = wide(number(3)), spot.tangent = wide(number(7)), spot.is_flat = lights.end == lanecull::SpotEnd::flat;
    const Point3 axis{wide(number(4)), wide(number(5)), wide(number(6))};
    spot.axis = (1 / std::sqrt(dot(axis, axis))) * axis;
    return found(spot, spot.apex, spot.range * (spot.is_flat ? 1 + spot.tangent : 1.0));
}

double bound_of(const GridGeometry& geometry, const LightStreams& lights, std::size_t light) {
    const double widest = geometry.widest();
    return widest > 16 ? HUGE_VAL : 768 * 0x1p-24 * std::pow(widest, 3) * (light < lights.balls[0].size() ? 1 : 8);
}

std::string find_fault(const Apartness& apart, double bound, bool is_listed) {
    const auto in_roundoffs = [&](double distance) { return std::to_string(distance / (0x1p-24 * apart.magnitude)); };
    // Doubles are off by some 1e-13; a light that is left out is apart by 1e-7 and more.
    if (!is_listed && !(apart.lower > 1e-10 * apart.magnitude)) {
        return "a light is missing that is apart by " + in_roundoffs(apart.lower) + " to " + in_roundoffs(apart.upper) +
               " u";
    }
    if (is_listed && apart.lower > bound * apart.magnitude) {
        return "a light is listed that is apart by " + in_roundoffs(apart.lower) + " u";
    }
    return {};
}

Assigned assign(const GridCase& of, const LightStreams& lights, lanecull::Isa isa, const lanecull::Runner& runner,
                std::uint32_t hidden_layers) {
    constexpr std::uint32_t sentinel = 0x77777777;
    Assigned result;
    const std::size_t count = lights.count();
    result.offsets.assign(of.cells() + 1, sentinel);
    result.indices.assign(of.cells() * count, sentinel);
    result.words.assign(of.cells() * ((count + 31) / 32), sentinel);
    // No more than that may be written.
    std::vector<std::byte> scratch(lanecull::light_scratch_bytes(of.tiles_x, of.tiles_y, of.slices(), count));
    lanecull::LightGrid grid = of.grid();
    grid.hidden_layers = hidden_layers;
    lanecull::LightLists lists;
    lists.offsets = result.offsets, lists.indices = result.indices, lists.words = result.words;
    const lanecull::Status status =
        lanecull::assign_lights(grid, lights.lights(), lists, scratch, {.isa = isa, .runner = runner});
    if (!status) result.failure = status.message().text;
    result.entries = lists.entry_count;
    return result;
}

std::string compare_lists(const Assigned& assigned, std::size_t cells, std::size_t lights) {
    std::uint64_t place = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        if (assigned.offsets[c] != place) return "an offset is not the sum of what is before it";
        for (std::size_t light = 0; light < lights; ++light) {
            if (!assigned.reaches(c, light, lights)) continue;
            if (place >= assigned.indices.size() || assigned.indices[place] != light) return "lists and bits differ";
            ++place;
        }
    }
    if (assigned.offsets[cells] != place || assigned.entries != place) return "the entries are not counted";
    return {};
}

}  // namespace properties
