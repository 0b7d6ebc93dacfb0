#pragma once

#include <lanecull/batch.hpp>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace lanecull::program {

/// The shape of a query as a batch of one, over memory of its own.
///
/// Shapes are made of floats. One with a number that is none becomes one that contains it, by a larger radius or a
/// larger box, so that `culled` is as right as ever. Oriented boxes and hulls have nothing to enlarge: they are
/// refused.
class QueryShape {
public:
    /// Reads "shape". Fails, naming the member that is wrong or not supported.
    explicit QueryShape(const nlohmann::json& shape);
    QueryShape(const QueryShape&) = delete;
    QueryShape& operator=(const QueryShape&) = delete;

    [[nodiscard]] const Batch& batch() const { return batch_; }

private:
    void read_ball(const nlohmann::json& shape, const char* centre, const char* radius);
    void read_capsule(const nlohmann::json& shape, const char* radius);
    void read_box(const nlohmann::json& shape);
    void read_oriented_box(const nlohmann::json& shape);
    void read_hull(const nlohmann::json& shape);

    void add_point(const nlohmann::json& value, const char* name);
    void add_size(double size, const char* name);
    void require_floats(const char* kind) const;

    std::vector<float> numbers_;  ///< what the batch reads
    Hull hull_;
    Batch batch_ = Spheres{};
    double moved_ = 0;  ///< no point of the shape is farther than this from what the numbers so far stand for
};

}  // namespace lanecull::program
