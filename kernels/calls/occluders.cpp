#include "calls/occluders.hpp"
#include "base/failure.hpp"

#include <algorithm>
#include <cmath>

#include "base/interval.hpp"

namespace lanecull {

Status check_occluders(std::span<const Occluder> occluders) noexcept {
    if (occluders.size() > max_occluders) {
        return failure("occluders: at most %zu, not %zu", max_occluders, occluders.size());
    }
    for (std::size_t k = 0; k < occluders.size(); ++k) {
        if (!is_prepared(occluders[k])) {
            return failure(StatusCode::not_ready, "occluders[%zu]: was not prepared by prepare_occluder()", k);
        }
        const float(&origin)[3] = contents_of(occluders[k]).origin;
        if (!std::equal(origin, origin + 3, contents_of(occluders[0]).origin)) {
            return failure("occluders[%zu]: seen from another viewpoint than occluders[0]", k);
        }
    }
    return {};
}

Status check_occluders(std::span<const Occluder> occluders, std::size_t counts, std::size_t v) noexcept {
    if (counts != 0 && counts != occluders.size()) {
        return failure("outputs[%zu].hidden_counts: must be none or one for each of %zu occluders, not %zu", v,
                       occluders.size(), counts);
    }
    const Status status = check_occluders(occluders);
    return status ? status : within(status, "outputs[%zu].", v);
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
