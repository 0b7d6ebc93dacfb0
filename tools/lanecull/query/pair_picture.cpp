
#include <numbers>

#include "picture/image.hpp"
#include "query/query.hpp"
#include "query/query_pair.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::vec2;

constexpr float panel = 320, row_height = 22;
constexpr int outline_points = 180, front_points = 300;
constexpr std::size_t columns = 3, most_panels = 12, legend_rows = 6;
constexpr unsigned area = 0xDDE3EA, edge = 0x7A8794, circle = 0x2A8A3A, simplex = 0xB85C00, facet = 0xE8872D,
                   newest = 0xC01818, way_ink = 0x1668B8, words = 0x333333, black = 0;

/// The picture's plane, x right and y up. In space, seen from (1, 0.7, 0.6), nearly, but with the way between the two
/// shapes in the plane, so that its length is the distance.
class Plane {
public:
    explicit Plane(const gjk::Vec2<double>&) {}
    explicit Plane(const gjk::Vec3<double>& way) {
        using Vec3 = gjk::Vec3<double>;
        const Vec3 w = gjk::unit(way);
        for (const Vec3& eye : {Vec3{1, 0.7, 0.6}, Vec3{0.6, -1, 0.7}}) {
            out_ = eye - dot(eye, w) * w;
            if (gjk::length(out_) > 0.3) break;  // not nearly along the way
        }
        out_ = gjk::unit(out_);
        right_ = gjk::unit(cross(std::abs(out_.z) < 0.95 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}, out_));
        up_ = cross(out_, right_);
    }

    [[nodiscard]] glm::dvec2 at(const gjk::Vec2<double>& p) const { return {p.x, p.y}; }
    [[nodiscard]] glm::dvec2 at(const gjk::Vec3<double>& p) const { return {dot(p, right_), dot(p, up_)}; }
    /// The direction that is (x, y) in the plane, and `out` of it.
    template <int N>
    [[nodiscard]] gjk::Vec<double, N> direction(double x, double y, double out = 0) const {
        if constexpr (N == 2)
            return {x, y};
        else
            return x * right_ + y * up_ + out * out_;
    }

private:
    gjk::Vec3<double> right_{}, up_{}, out_{};
};

std::string text_of(const gjk::Vec2<double>& p) { return fmt::format("({}, {})", p.x, p.y); }
std::string text_of(const gjk::Vec3<double>& p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }

/// How gjk::distance() goes about two shapes: a panel a step, with the difference of their cores, the origin, within
/// whose circle of the margins it must come for them to intersect, the simplex, and the way from it to the origin.
template <int N>
class PairPicture {
public:
    explicit PairPicture(const SolidPair<N>& pair) : margin_(pair.a.margin() + pair.b.margin()) {
        const gjk::MinkowskiDifference difference(pair.a.core(), pair.b.core());
        std::vector<std::pair<gjk::Simplex<Vector>, Vector>> steps;
        const auto found = pair.distance([&](const gjk::Simplex<Vector>& s, const Vector&) {
            steps.emplace_back(s, difference.unscaled(1.0) * gjk::nearest_on(s).v);
        });
        const Plane plane(found.a - found.b);
        const auto flat = [&](const gjk::SupportPoint<Vector>& p) { return plane.at(p.a - p.b); };
        for (const auto& [points, nearest] : steps) {
            Step& step = steps_.emplace_back(Step{{}, plane.at(nearest)});
            for (int i = 0; i < points.count; ++i) step.corners.push_back(flat(points.points[i]));
        }
        const auto extreme = [&](double x, double y, double out = 0) {
            return flat(difference.support(plane.template direction<N>(x, y, out)));
        };
        glm::dvec2 low(-margin_), high(margin_);
        for (int i = 0; i < outline_points; ++i) {
            const double angle = 2 * std::numbers::pi * i / outline_points;
            outline_.push_back(extreme(std::cos(angle), std::sin(angle)));
            low = glm::min(low, outline_.back()), high = glm::max(high, outline_.back());
        }
        // Of directions spread over the half of the sphere that looks out of the page.
        for (int i = 0; N == 3 && i < front_points; ++i) {
            const double z = (i + 0.5) / front_points, r = std::sqrt(1 - z * z), angle = 2.399963229728653 * i;
            front_.push_back(extreme(r * std::cos(angle), r * std::sin(angle), z));
        }
        middle_ = 0.5 * (low + high);
        scale_ = 0.84 * double{panel} / std::max({high.x - low.x, high.y - low.y, 1e-300});
        const bool apart = found.verdict == gjk::Verdict::separated;
        figures_ = fmt::format("{}, distance {}", apart ? "separated" : "intersecting", found.distance);
        closest_ = fmt::format("closest points: {} of a, {} of b", text_of(found.a), text_of(found.b));
    }

    /// The first steps, and the last.
    [[nodiscard]] std::string draw() {
        const std::size_t shown = std::min(steps_.size(), most_panels);
        const std::size_t rows = (std::max<std::size_t>(shown, 1) + columns - 1) / columns;
        const float height = panel * static_cast<float>(rows) + row_height * (legend_rows + 1);
        Image image(glm::ivec2(panel * columns, height), picture_color::paper, Image::Format::svg);
        for (std::size_t i = 0; i < shown; ++i) {
            const std::size_t step = i + 1 == shown ? steps_.size() - 1 : i;
            corner_ = panel * vec2(i % columns, i / columns);
            draw_difference(image);
            draw_step(image, steps_[step]);
            const bool last = step + 1 == steps_.size();
            image.text(13, corner_ + vec2(12, 20), fmt::format("step {}{}", step + 1, last ? ": " + figures_ : ""),
                       words);
        }
        draw_legend(image);
        return std::move(image).file();
    }

private:
    using Vector = gjk::Vec<double, N>;
    /// A simplex before it is reduced, and its point nearest to the origin, in the plane.
    struct Step {
        std::vector<glm::dvec2> corners;
        glm::dvec2 nearest;
    };

    [[nodiscard]] vec2 pixel(const glm::dvec2& p) const {
        const glm::dvec2 off = scale_ * (p - middle_);
        return corner_ + 0.5F * panel + vec2(off.x, -off.y);
    }
    [[nodiscard]] std::vector<vec2> pixels(const std::vector<glm::dvec2>& points) const {
        std::vector<vec2> all;
        for (const glm::dvec2& p : points) all.push_back(pixel(p));
        return all;
    }

    void draw_difference(Image& image) const {
        std::vector<vec2> rim = pixels(outline_);
        image.polygon(rim, area);
        rim.push_back(rim.front());
        image.line(rim, 1, edge);
        image.dots(pixels(front_), 1.6F, edge);
        const vec2 origin = pixel({0, 0}), right(6, 0), down(0, 6);
        image.ring(origin, static_cast<float>(scale_ * margin_), 1, circle);
        image.line({origin - right, origin + right}, 1, black);
        image.line({origin - down, origin + down}, 1, black);
    }

    void draw_step(Image& image, const Step& step) const {
        const std::vector<vec2> corners = pixels(step.corners);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            for (std::size_t j = i + 1; j < corners.size(); ++j) {
                for (std::size_t k = j + 1; k < corners.size(); ++k) {
                    image.polygon({corners[i], corners[j], corners[k]}, facet, 0.25F);
                }
                image.line({corners[i], corners[j]}, 1.5F, simplex);
            }
        }
        for (const vec2& corner : corners) image.disc(corner, 3, simplex);
        if (!corners.empty()) image.disc(corners.back(), 4.5F, newest);
        image.line({pixel(step.nearest), pixel({0, 0})}, 1.5F, way_ink, 1, 4);
        image.disc(pixel(step.nearest), 3, way_ink);
    }

    /// What the panels' marks mean, in their colours, and the answer.
    void draw_legend(Image& image) const {
        const bool round = margin_ > 0;
        const std::pair<std::string, unsigned> rows[legend_rows] = {
            {fmt::format("grey: all differences of a point of a{0} and one of b{0}", round ? "'s core" : ""), edge},
            {fmt::format("a and b intersect where the grey {} the origin, the cross",
                         round ? "comes within the margins' circle around" : "contains"),
             round ? circle : words},
            {"the step's simplex, corners of the grey; red: its newest corner", simplex},
            {fmt::format("from the simplex to the origin: at the last step the distance{}",
                         round ? " and the margins" : ""),
             way_ink},
            {figures_, words},
            {closest_, words}};
        vec2 base(26, static_cast<float>(image.size().y) - row_height * legend_rows);
        for (const auto& [row, ink] : rows) {
            image.text(12.5F, base, row, ink);
            base.y += row_height;
        }
    }

    double margin_;
    std::vector<Step> steps_;
    std::string figures_, closest_;            // the answer
    std::vector<glm::dvec2> outline_, front_;  // of the difference; in space, points of its front
    glm::dvec2 middle_{0};                     // of what a panel shows
    double scale_ = 1;
    vec2 corner_{0};  // of the panel
};

}  // namespace

std::string draw_pair(const std::string& line) {
    const Json query = parse_query(line);
    if (!query.is_object() || query.contains("view")) fail("--picture is of a question about two shapes");
    if (dimension_of_pair(query) == 2) return PairPicture<2>(SolidPair<2>(query)).draw();
    return PairPicture<3>(SolidPair<3>(query)).draw();
}

}  // namespace lanecull::program
