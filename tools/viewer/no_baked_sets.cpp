#include "baked_sets.hpp"
#include "support/error.hpp"

namespace lanecull::program {

// In place of baked_sets.cpp where CRoaring was not there to build with: there are no sets, so nobody reads them.

BakedSets::BakedSets(const std::string&, const Scene&, const Runner&) {
    fail(
        "this build cannot read baked sets: install libroaring-dev (Debian's name) and build again with "
        "-DLANECULL_VISIBILITY=ON");
}
BakedSets::~BakedSets() = default;
BakedSets::BakedSets(BakedSets&&) noexcept = default;
BakedSets& BakedSets::operator=(BakedSets&&) noexcept = default;

std::optional<std::uint64_t> BakedSets::cell_of(const Camera&) const { return std::nullopt; }
std::string BakedSets::misfit(const Camera&, const RasterMargin&) const { return {}; }
std::size_t BakedSets::read(std::uint64_t, std::span<std::uint64_t>) const { return 0; }
CameraPath BakedSets::random_cameras(const Scene&, std::size_t, const LensOptions&) const { return {}; }

}  // namespace lanecull::program
