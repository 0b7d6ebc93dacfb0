#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include <lanecull/bounds.h>

#include "properties/bounds/bounds.hpp"
#include "support/memory.hpp"

/// unpack_floats() writes the same bits to the right places, and nothing else: everything is between guard pages, or
/// at any alignment.
namespace properties {
namespace {

constexpr std::uint32_t sentinel = 0x77777777u;
constexpr std::size_t most_floats = 65'536 / sizeof(float);

/// Any bits, many of which are NaNs; never the sentinel's.
std::uint32_t random_bits(Random& random) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    return random.chance(0.1) ? (bits | 0x7f800000u) : bits == sentinel ? 0 : bits;
}

std::vector<std::uint32_t> bits_at(const float* numbers, std::size_t count) {
    std::vector<std::uint32_t> bits(count);
    if (count > 0) std::memcpy(bits.data(), numbers, count * sizeof(float));
    return bits;
}

class UnpackTrial : public BoundsTrial {
public:
    using BoundsTrial::BoundsTrial;

    void run() {
        const bool is_large = trial_.plan.objects > 100;
        for (std::size_t n = 0; n < (trial_.plan.objects + 3) / 4 && !trial_.stopped(); ++n) {
            choose();
            if (is_large && n == 0) floats_ = stride_ = most_floats, count_ = 17, offset_ = 1;
            if (is_large && n == 1) stride_ = floats_, count_ = 70'001;
            const GuardedMemory::Against side =
                random().chance(0.5) ? GuardedMemory::Against::start : GuardedMemory::Against::end;
            for (const lanecull::Isa isa : trial_.plan.isas) {
                GuardedMemory guarded(side);
                HeapMemory heap(offset_);
                unpack(offset_ == 0 ? static_cast<Memory&>(guarded) : heap, isa);
            }
        }
    }

private:
    void choose() {
        floats_ = 1 + static_cast<std::size_t>(random().below(17));
        stride_ = random().chance(0.05) ? most_floats : floats_ + static_cast<std::size_t>(random().below(5));
        count_ = static_cast<std::size_t>(random().below(4 * 16 + 2));
        skipped_ = random().chance(0.5) ? 0 : static_cast<std::uint32_t>(random().bits());
        offset_ = random().chance(0.5) ? 0 : static_cast<std::size_t>(random().below(4));
        seed_ = random().bits();
    }

    void unpack(Memory& memory, lanecull::Isa isa) {
        Random random(seed_);
        const std::size_t size = count_ > 0 ? (count_ - 1) * stride_ + floats_ : 0;
        std::vector<std::uint32_t> bits(size);
        for (std::uint32_t& b : bits) b = random_bits(random);
        float* const records = memory.array<float>(size);
        if (size > 0) std::memcpy(records, bits.data(), size * sizeof(float));
        std::vector<float*> streams(floats_);
        for (std::size_t k = 0; k < floats_; ++k) {
            if ((skipped_ >> k % 32 & 1) == 0) streams[k] = memory.array<float>(count_);
            if (streams[k] != nullptr) std::fill_n(streams[k], count_, std::bit_cast<float>(sentinel));
        }
        const bool is_packed = stride_ == floats_ && count_ % 2 == 0;
        const lanecull::Status status = lanecull::unpack_floats({records, is_packed ? 0 : stride_ * sizeof(float)},
                                                                static_cast<std::uint32_t>(count_), streams, isa);
        if (!status) return fail(status.message().text, isa);
        at(Tally::verdicts) += floats_;
        for (std::size_t k = 0; k < floats_; ++k) {
            if (streams[k] == nullptr) continue;
            const std::vector<std::uint32_t> got = bits_at(streams[k], count_);
            for (std::size_t i = 0; i < count_; ++i) {
                if (got[i] != bits[i * stride_ + k]) return fail("a number is another", isa);
            }
        }
        if (bits_at(records, size) != bits) fail("a record was written to", isa);
    }

    void fail(const char* what, lanecull::Isa isa) {
        trial_.fail(Tally::untold, std::string(what) + ", by " + lanecull::isa_name(isa), [&] {
            return std::to_string(count_) + " records of " + std::to_string(floats_) + " floats at " +
                   std::to_string(stride_) + ", skipping " + std::to_string(skipped_);
        });
    }

    std::size_t floats_ = 1, stride_ = 1, count_ = 0, offset_ = 0;
    std::uint32_t skipped_ = 0;  ///< bit k: stream k is null
    std::uint64_t seed_ = 0;
};

}  // namespace

void bound_unpack(Trial& trial) { UnpackTrial(trial).run(); }

}  // namespace properties
