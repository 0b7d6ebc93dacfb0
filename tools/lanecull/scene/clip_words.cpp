#include "scene/clip_words.hpp"

#include "support/error.hpp"

namespace lanecull::program {

DepthRange depth_range_of(JsonValue word, const std::string& what) {
    if (word == "zero_to_one") return DepthRange::zero_to_one;
    if (word == "minus_one_to_one") return DepthRange::minus_one_to_one;
    fail("{} is to be \"zero_to_one\" or \"minus_one_to_one\"", what);
}

SightDirection sight_of(JsonValue word, const std::string& what) {
    if (word == "growing_depth") return SightDirection::growing_depth;
    if (word == "shrinking_depth") return SightDirection::shrinking_depth;
    fail("{} is to be \"growing_depth\" or \"shrinking_depth\"", what);
}

}  // namespace lanecull::program
