/// The results of solids.hpp.

#include "occluders/aligned_solid.hpp"

namespace lanecull {

SolidBoxes::SolidBoxes() noexcept = default;
SolidBoxes::SolidBoxes(SolidBoxes&&) noexcept = default;
SolidBoxes& SolidBoxes::operator=(SolidBoxes&&) noexcept = default;
SolidBoxes::~SolidBoxes() = default;

Boxes SolidBoxes::boxes() const noexcept {
    if (contents_ == nullptr || contents_->count == 0) return {};
    const std::size_t n = contents_->count;
    const float* const s = contents_->streams.data();
    return {s, s + n, s + 2 * n, s + 3 * n, s + 4 * n, s + 5 * n, contents_->count};
}

std::span<const std::uint32_t> SolidBoxes::owners(std::uint32_t i) const noexcept {
    if (contents_ == nullptr || i + std::size_t{1} >= contents_->first_owner.size()) return {};
    const std::uint64_t* const first = contents_->first_owner.data() + i;
    return {contents_->owners.data() + first[0], static_cast<std::size_t>(first[1] - first[0])};
}

bool SolidBoxes::Contents::store(const Array<solids::Solid>& boxes) noexcept {
    const std::size_t n = boxes.size();
    if (!streams.resize_unset(2 * solids::dimensions * n)) return false;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < solids::dimensions; ++k) {
            streams[k * n + i] = boxes.data()[i].lo[k];
            streams[(solids::dimensions + k) * n + i] = boxes.data()[i].hi[k];
        }
    }
    count = static_cast<std::uint32_t>(n);
    return true;
}

void SolidBoxesAccess::give(SolidBoxes& to, SolidBoxes::Contents* contents) noexcept { to.contents_ = contents; }

}  // namespace lanecull
