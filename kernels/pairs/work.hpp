#pragma once

/// What a kernel of pairs gets. Pairs that its floats leave open are settled in doubles, one at a time, by
/// <lanecull/gjk.hpp>.

#include <lanecull/library.h>
#include <lanecull/pairs.h>

#include <cstddef>
#include <cstdint>

#include "calls/kernel_table.hpp"
#include "calls/kinds.hpp"

namespace lanecull::pairs {

/// One of the two batches.
struct Side {
    std::uint8_t kind;  ///< its place among Kinds
    std::uint32_t count;
    const void* shapes;  ///< Spheres, Boxes, ...
};

/// Pairs first .. first + count - 1 of a call; `first` is a multiple of 64. This is all that a kernel works on; it
/// touches nothing else.
struct PairRange {
    Side a, b;
    PairIndices indices;
    std::size_t first = 0;
    std::uint32_t count = 0;
    /// Bit i: floats leave pair first + i open, and doubles settle it. All are 0 before the kernel runs.
    std::uint64_t* open = nullptr;
};

struct SeparateWork : PairRange {
    std::uint64_t* separated;  ///< the call's own
};

struct DistanceWork : PairRange {
    PairDistances to;  ///< the call's own
    float limit, relative;
};
struct SignedWork : PairRange {
    PairSignedDistances to;  ///< the call's own
    float limit, relative;
};
struct ContactWork : PairRange {
    PairContacts to;  ///< the call's own
    float tolerance;
};
struct CastWork : PairRange {
    PairMotions motions;  ///< the call's own, as is `to`
    PairCasts to;
    float width;
    /// Of each pair of the range the time before which floats prove that there is no contact. All are 0 before.
    float* reached = nullptr;
};

using SeparateKernel = void(const SeparateWork&);
using DistanceKernel = void(const DistanceWork&);
using SignedKernel = void(const SignedWork&);
using ContactKernel = void(const ContactWork&);
using CastKernel = void(const CastWork&);

/// What the object files of one instruction set define (kernels.cpp), as lanecull::Kernels has it.
template <Isa isa>
struct Kernels {
    static SeparateKernel separate;
    static DistanceKernel measure;
    static SignedKernel measure_signed;
    static ContactKernel find_contacts;
    static CastKernel cast;
};

/// Those of one set, chosen at run time.
struct KernelTable {
    SeparateKernel* separate;
    DistanceKernel* measure;
    SignedKernel* measure_signed;
    ContactKernel* find_contacts;
    CastKernel* cast;

    template <Isa isa>
    static constexpr KernelTable of() {
        return {Kernels<isa>::separate, Kernels<isa>::measure, Kernels<isa>::measure_signed,
                Kernels<isa>::find_contacts, Kernels<isa>::cast};
    }
};

/// Writes what the call wants to know of pair i, both of whose objects exist and are valid.
void settle(const SeparateWork& work, std::size_t i);
void settle(const DistanceWork& work, std::size_t i);
void settle(const SignedWork& work, std::size_t i);
void settle(const ContactWork& work, std::size_t i);
void settle(const CastWork& work, std::size_t i);

}  // namespace lanecull::pairs
