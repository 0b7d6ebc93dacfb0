#include "calls/occluders.hpp"
#include "base/failure.hpp"

#include <algorithm>
#include <cmath>

#include "base/interval.hpp"

namespace lanecull {

Status check_occluders(std::span<const Occluder> occluders, std::size_t counts, std::size_t v) noexcept {
    if (counts != 0 && counts != occluders.size()) {
        return failure("outputs[%zu].hidden_counts: must be none or one for each of %zu occluders, not %zu", v,
                       occluders.size(), counts);
    }
    if (occluders.size() > max_occluders) {
        return failure("outputs[%zu].occluders: at most %zu, not %zu", v, max_occluders, occluders.size());
    }
    for (std::size_t k = 0; k < occluders.size(); ++k) {
        if (!is_prepared(occluders[k])) {
            return failure(StatusCode::not_ready, "outputs[%zu].occluders[%zu]: was not prepared by prepare_occluder()",
                           v, k);
        }
        const float(&origin)[3] = contents_of(occluders[k]).origin;
        if (!std::equal(origin, origin + 3, contents_of(occluders[0]).origin)) {
            return failure("outputs[%zu].occluders[%zu]: seen from another viewpoint than occluders[0]", v, k);
        }
    }
    return {};
}

void set_occluders(std::span<const Occluder> occluders, std::uint64_t counting, const double (&origin)[3],
                   RangeTask& task) {
    task.counting = counting;
    if (occluders.empty()) return;
    task.occluders = &contents_of(occluders[0]);
    task.occluder_stride = sizeof(Occluder);
    double error = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double from = static_cast<double>(task.occluders->origin[k]), place = from - origin[k];
        task.occluder_origin[k] = static_cast<float>(place);
        if (origin[k] == 0) continue;
        const double rest = std::fabs(place - static_cast<double>(task.occluder_origin[k]));
        error += rest + 0x1p-52 * (std::fabs(from) + std::fabs(origin[k])) + 1e-40;
    }
    task.occluder_error = float_up(error * (1 + 0x1p-20));
}

}  // namespace lanecull
