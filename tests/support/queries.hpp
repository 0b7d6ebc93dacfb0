#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/batch.h>
#include <lanecull/occluder.h>
#include <lanecull/view.h>

#include "oracle/exact.hpp"
#include "support/memory.hpp"
#include "support/objects.hpp"

/// A case of a file in tests/data, with its label. tests/data/README.md describes the format.
struct Query {
    enum class Expect { visible, culled, either };

    std::string id;
    std::string category;  ///< projection/placement/kind
    std::array<double, 16> matrix{};
    lanecull::ClipSpace clip_space;
    std::vector<double> corners;          ///< if not empty: 24 numbers that replace the matrix
    std::vector<lanecull::Plane> planes;  ///< if not empty, likewise
    Kind kind = Kind::sphere;
    Object object;
    HullSet hulls;
    std::optional<lanecull::DirectionalLight>
        directional_light;  ///< with a light (one of the two) the question is whether the shadow is in the view
    std::optional<lanecull::PointLight> point_light;
    std::vector<lanecull::SolidBox> boxes;  ///< that may hide the object
    lanecull::SightDirection sight = lanecull::SightDirection::growing_depth;
    Expect expect = Expect::either;

    [[nodiscard]] bool by_corners() const { return !corners.empty(); }
    [[nodiscard]] bool swept() const { return object.sweep != std::array<float, 3>{}; }

    [[nodiscard]] lanecull::Status prepare(lanecull::View& view) const;
    /// The boxes that hide in the view.
    [[nodiscard]] std::vector<lanecull::Occluder> occluders() const;
    /// The batch is valid while the query and the memory live.
    [[nodiscard]] lanecull::Batch batch(Memory& memory) const;
    /// The view's volume; with a light, the volume of what casts shadows into the view.
    [[nodiscard]] exact::Volume exact_volume() const;
    [[nodiscard]] exact::Solid exact_solid() const;
};

/// A pair in space, with its label.
struct PairQuery {
    std::string id;
    Kind kind_a = Kind::sphere, kind_b = Kind::sphere;
    Object a, b;
    HullSet hulls;
    double signed_distance = 0;  ///< minus the depth, if that is known, of what shares a point
    bool has_depth = false;
    double size = 0;  ///< the largest number of the two
};

/// Those of a file that have two shapes.
[[nodiscard]] std::vector<PairQuery> read_pair_queries(const char* file);

/// Those of a file that have a view.
[[nodiscard]] std::vector<Query> read_queries(const char* file = "views.jsonl");

/// The largest number anywhere in a query's shapes, as JSON. Tests measure errors relative to it.
template <class Json>
[[nodiscard]] double size_of(const Json& value) {
    if (value.is_number()) return std::fabs(value.template get<double>());
    double size = 0;
    if (value.is_structured()) {
        for (const Json& item : value) size = std::max(size, size_of(item));
    }
    return size;
}
