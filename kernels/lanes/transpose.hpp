#pragma once

/// Transposes records into registers. Four floats of each of W records become four registers of W: 4x4 floats are
/// transposed in every 16-byte part of a register. Three floats of each of W records without gaps become three
/// registers.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

template <std::uint32_t N>
struct VectorOf {
    using type __attribute__((vector_size(4 * N))) = float;
    using unaligned __attribute__((aligned(4), may_alias)) = type;
};

/// The first `Floats` floats at `from`, as a vector of four; three come as 0, 1, 1, 2. Nothing beyond them is read.
template <std::size_t Floats>
LANE_INLINE VectorOf<4>::type load_part(const float* from) {
    static_assert(Floats == 3 || Floats == 4);
    if constexpr (Floats == 4) {
        return *reinterpret_cast<const VectorOf<4>::unaligned*>(from);
    } else {
        return __builtin_shufflevector(*reinterpret_cast<const VectorOf<2>::unaligned*>(from),
                                       *reinterpret_cast<const VectorOf<2>::unaligned*>(from + 1), 0, 1, 2, 3);
    }
}

/// record(first), record(first + 4), ..., each in a 16-byte part of the register.
template <std::uint32_t N, class Record>
LANE_INLINE typename VectorOf<N>::type join_parts(const Record& record, std::size_t first) {
    if constexpr (N == 4) {
        return record(first);
    } else if constexpr (N == 8) {
        return __builtin_shufflevector(join_parts<4>(record, first), join_parts<4>(record, first + 4),  //
                                       0, 1, 2, 3, 4, 5, 6, 7);
    } else {
        return __builtin_shufflevector(join_parts<8>(record, first), join_parts<8>(record, first + 8),  //
                                       0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
}

/// In every part, floats A, B, C, D of the 8 that a and b have there (b's are 4 to 7).
template <int A, int B, int C, int D, class Vector>
LANE_INLINE Vector shuffle_parts(Vector a, Vector b) {
    constexpr int n = sizeof(Vector) / sizeof(float);
    constexpr auto at = [](int part, int k) { return 4 * part + (k < 4 ? k : k - 4 + n); };
    if constexpr (n == 4) {
        return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D));
    } else if constexpr (n == 8) {
        return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D),  //
                                       at(1, A), at(1, B), at(1, C), at(1, D));
    } else {
        return __builtin_shufflevector(a, b, at(0, A), at(0, B), at(0, C), at(0, D),  //
                                       at(1, A), at(1, B), at(1, C), at(1, D),        //
                                       at(2, A), at(2, B), at(2, C), at(2, D),        //
                                       at(3, A), at(3, B), at(3, C), at(3, D));
    }
}

/// Moves float k of record(lane) to lane `lane` of column[k].
template <std::uint32_t W, class Record>
LANE_INLINE void transpose_parts(const Record& record, typename VectorOf<W>::type (&column)[4]) {
    using Vector = typename VectorOf<W>::type;
    Vector a = join_parts<W>(record, 0), b = join_parts<W>(record, 1),  //
        c = join_parts<W>(record, 2), d = join_parts<W>(record, 3);
    Vector ab_low = shuffle_parts<0, 4, 1, 5>(a, b), ab_high = shuffle_parts<2, 6, 3, 7>(a, b),
           cd_low = shuffle_parts<0, 4, 1, 5>(c, d), cd_high = shuffle_parts<2, 6, 3, 7>(c, d);
    column[0] = shuffle_parts<0, 1, 4, 5>(ab_low, cd_low);
    column[1] = shuffle_parts<2, 3, 6, 7>(ab_low, cd_low);
    column[2] = shuffle_parts<0, 1, 4, 5>(ab_high, cd_high);
    column[3] = shuffle_parts<2, 3, 6, 7>(ab_high, cd_high);
}

/// Numbers the floats of three registers of W, one register after the other. In one of the registers the float at
/// `place` has a number that is `Remainder` modulo 3: returns which register.
template <int W, int Remainder>
constexpr int with_remainder(int place) {
    int which = 0;
    while ((W * which + place) % 3 != Remainder) ++which;
    return which;
}
/// Moves float 3 i + Remainder of the three registers to lane i. 3 and W have no divisor in common, so these floats are
/// at different places of their registers.
template <int Remainder, class Vector, int... Places>
LANE_INLINE Vector every_third(Vector a, Vector b, Vector c, std::integer_sequence<int, Places...>) {
    constexpr int n = sizeof...(Places);
    Vector ab = __builtin_shufflevector(a, b, (with_remainder<n, Remainder>(Places) == 1 ? n + Places : Places)...);
    Vector all = __builtin_shufflevector(ab, c, (with_remainder<n, Remainder>(Places) == 2 ? n + Places : Places)...);
    return __builtin_shufflevector(all, all, ((3 * Places + Remainder) % n)...);
}
template <std::uint32_t W, class Vector>
LANE_INLINE void split_threes(Vector& a, Vector& b, Vector& c) {
    const std::make_integer_sequence<int, static_cast<int>(W)> places;
    Vector first = every_third<0>(a, b, c, places), second = every_third<1>(a, b, c, places);
    c = every_third<2>(a, b, c, places);
    a = first, b = second;
}

}  // namespace
}  // namespace lanecull
