/// The results of solids.h.

#include <new>

#include "base/given.hpp"
#include "occluders/aligned_solid.hpp"

using namespace lanecull;

bool lanecull_solid_boxes::store(const Array<solids::Solid>& boxes) noexcept {
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

lanecull_solid_boxes* lanecull_create_solid_boxes() noexcept { return new (std::nothrow) lanecull_solid_boxes; }

void lanecull_destroy_solid_boxes(lanecull_solid_boxes* solids) noexcept { delete solids; }

uint32_t lanecull_solid_box_count(const lanecull_solid_boxes* solids) noexcept {
    return solids != nullptr ? solids->count : 0;
}

void lanecull_solid_box_streams(const lanecull_solid_boxes* solids, lanecull_boxes* boxes) noexcept {
    if (boxes == nullptr) return;
    *boxes = {};
    const std::size_t n = lanecull_solid_box_count(solids);
    if (n == 0) return;
    const float* const s = solids->streams.data();
    *boxes = {s, s + n, s + 2 * n, s + 3 * n, s + 4 * n, s + 5 * n, solids->count};
}

lanecull_status lanecull_solid_box_owners(const lanecull_solid_boxes* solids, uint32_t i,
                                          lanecull_const_indices* owners) noexcept {
    if (Status status = check_not_null(owners, "owners"); !status) return status;
    const std::uint32_t count = lanecull_solid_box_count(solids);
    if (i >= count) return failure("i: %u is not below %u, the count of solids", i, count);
    *owners = {};
    if (solids->first_owner.empty()) return {};
    const std::uint64_t* const first = solids->first_owner.data() + i;
    *owners = {solids->owners.data() + first[0], static_cast<std::size_t>(first[1] - first[0])};
    return {};
}
