#pragma once

#include <lanecull/occluder.h>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/json.hpp"

namespace lanecull::program {

/// The solids of a query's "occluders", prepared for the eye of its view: boxes, and hulls by their vertices. Those
/// that cannot hide anything are left out and remembered.
///
/// Solids are made of floats. A box along the axes with a number that is none becomes one that lies in it, so that
/// `culled` is as right as ever. A box with axes of its own and a hull are left out.
class QueryOccluders {
public:
    /// Fails, naming the member that is wrong; also if there are boxes but no eye that they could hide from.
    explicit QueryOccluders(JsonValue query);

    [[nodiscard]] std::span<const Occluder> prepared() const { return prepared_; }
    /// Which of the query's boxes, from 0, is prepared()[k].
    [[nodiscard]] std::size_t place_of(std::size_t k) const { return places_.at(k); }
    /// Which of the query's boxes do not count, and why, as a list.
    [[nodiscard]] bool some_refused() const { return !refused_.empty(); }
    [[nodiscard]] Json refused() const;

private:
    struct Refused {
        std::size_t place;
        std::string why;
    };

    void add(JsonValue box, std::size_t place, const Viewpoint& viewpoint);
    template <class Solid>
    void take(const Solid& solid, std::size_t place, const Viewpoint& viewpoint);
    void refuse(std::size_t place, const char* why) { refused_.push_back({place, why}); }

    std::vector<Occluder> prepared_;
    std::vector<std::size_t> places_;  ///< in the query, of what is prepared
    std::vector<Refused> refused_;
};

}  // namespace lanecull::program
