#include "calls/occluders.hpp"

#include <algorithm>

namespace lanecull {

Status check_occluders(std::span<const Occluder> occluders, std::size_t v) noexcept {
    if (occluders.size() > max_occluders) {
        return Status::failure("outputs[%zu].occluders: at most %zu, not %zu", v, max_occluders, occluders.size());
    }
    for (std::size_t k = 0; k < occluders.size(); ++k) {
        if (!occluders[k].prepared()) {
            return Status::failure("outputs[%zu].occluders[%zu]: was not prepared by prepare_occluder()", v, k);
        }
        const float(&origin)[3] = occluders[k].contents().origin;
        if (!std::equal(origin, origin + 3, occluders[0].contents().origin)) {
            return Status::failure("outputs[%zu].occluders[%zu]: seen from another viewpoint than occluders[0]", v, k);
        }
    }
    return {};
}

}  // namespace lanecull
