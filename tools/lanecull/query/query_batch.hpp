#pragma once

#include <lanecull/batch.h>
#include <lanecull/flat.h>
#include <lanecull/occluder.h>

#include "query/given_shape.hpp"

namespace lanecull::program {

/// The shape of a query as a batch of one, over memory of its own, in space or in the plane.
///
/// Shapes are made of floats. One with a number that is none becomes one that contains it, by a larger radius, a larger
/// box or a margin, so that `culled` is as right as ever.
template <std::size_t N>
class QueryBatch {
public:
    using Batch = std::conditional_t<N == 3, lanecull::Batch, flat::Batch>;

    /// Fails, naming the member that is wrong or not supported.
    explicit QueryBatch(const Json& shape);
    QueryBatch(const QueryBatch&) = delete;
    QueryBatch& operator=(const QueryBatch&) = delete;

    [[nodiscard]] const Batch& batch() const { return batch_; }

private:
    void make_round();
    void make_box();
    void make_oriented_box();
    void make_cylinder_or_cone();
    void make_ellipsoid();
    void make_hull();
    /// The sweep and the margin, larger by `displaced_`.
    void expand();
    void add(const std::array<double, N>& point, const char* name);
    /// Of something around the points so far: larger by what they moved. A negative size stays one, however small.
    void add_size(double size, const char* name);

    GivenShape<N> given_;
    std::vector<float> numbers_;  ///< what the batch reads
    std::conditional_t<N == 3, Hull, flat::Polygon> hull_;
    std::array<float, 12> transform_ = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< of the hull
    Batch batch_;
    double moved_ = 0;      ///< no point so far is farther than this from what its numbers stand for
    double displaced_ = 0;  ///< the same of the shape, where no size makes up for it: the margin is to
    std::array<float, 3> sweep_{};
    float margin_ = 0;
};

/// The solids of a query's "occluders", prepared for the eye of its view: boxes, and hulls by their vertices. A box
/// along the axes with a number that is no float becomes one that lies in it, so that `culled` is as right as ever.
struct QueryOccluders {
    /// Fails, naming the member that is wrong; also if there are solids but no eye that they could hide from.
    explicit QueryOccluders(const Json& query);

    struct Refused {
        std::size_t place;
        std::string why;
    };
    std::vector<Occluder> prepared;
    std::vector<std::size_t> places;  ///< in the query, of what is prepared
    std::vector<Refused> refused;  ///< what cannot hide anything, and solids with axes or vertices that are no floats

private:
    void add(const Json& solid, std::size_t place, const Viewpoint& viewpoint);
};

}  // namespace lanecull::program
