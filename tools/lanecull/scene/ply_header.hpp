#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanecull::program {

/// The types of numbers that PLY has.
enum class PlyNumber : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// What each row of an element has: a number, or a list of them behind their count.
struct PlyProperty {
    std::string name;
    PlyNumber type{};
    std::optional<PlyNumber> count_type;  ///< of a list
};

/// So many rows: "vertex", "face".
struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;
};

enum class PlyFormat : std::uint8_t { ascii, little_endian, big_endian };

struct PlyHeader {
    PlyFormat format{};
    std::vector<PlyElement> elements;
    std::size_t length = 0;  ///< where the data begin
};

/// The header that a PLY file begins with. Fails, for `file`, if it has none, or one that breaks a rule. Lines with
/// words that PLY does not have are skipped: some writers leave out `comment`.
[[nodiscard]] PlyHeader ply_header(std::string_view text, const std::string& file);

}  // namespace lanecull::program
