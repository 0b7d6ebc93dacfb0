#pragma once

#include <lanecull/batch.h>
#include <array>
#include <vector>

#include "support/json.hpp"

namespace lanecull::program {

/// The shape of a query as a batch of one, over memory of its own.
///
/// Shapes are made of floats. One with a number that is none becomes one that contains it, by a larger radius, a larger
/// box or a margin, so that `culled` is as right as ever.
class QueryShape {
public:
    /// Reads "shape". Fails, naming the member that is wrong or not supported.
    explicit QueryShape(JsonValue shape);
    QueryShape(const QueryShape&) = delete;
    QueryShape& operator=(const QueryShape&) = delete;

    [[nodiscard]] const Batch& batch() const { return batch_; }

private:
    void read_ball(JsonValue shape, const char* centre, const char* radius);
    void read_capsule(JsonValue shape, const char* radius);
    void read_box(JsonValue shape);
    void read_oriented_box(JsonValue shape);
    void read_hull(JsonValue shape);
    /// Puts a hull's own coordinates where its first vertex is, if the others' differences from it are floats. Bounds
    /// on roundings grow with an instance's coordinates, which are its hull's too.
    void place_hull(const std::vector<float>& vertices);

    /// The sweep and the margin, larger by `displaced_`.
    void read_expansion(JsonValue shape);

    /// Three floats; returns how far from them the point is, or more.
    double add_point(const std::array<double, 3>& point, const char* name);
    /// Of something around the points so far: larger by what they moved.
    void add_size(double size, const char* name);

    std::vector<float> numbers_;  ///< what the batch reads
    Hull hull_;
    std::array<float, 12> transform_ = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< of the hull
    Batch batch_ = Spheres{};
    double moved_ = 0;      ///< no point of the shape is farther than this from what the numbers so far stand for
    double displaced_ = 0;  ///< the same of what no size makes up for: the margin is to
    std::array<float, 3> sweep_{};
    float margin_ = 0;
};

}  // namespace lanecull::program
