/// Computes a box around the visible objects, in doubles and object by object. What rounding takes away is added, with
/// much to spare.

#include <lanecull/cull.hpp>
#include <lanecull/shadow.hpp>

#include <bit>
#include <cmath>
#include <variant>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "layouts/every_layout.hpp"

namespace lanecull {
namespace {

class Growing {
public:
    void add(const Reach& object, const Attributes& attributes, std::uint32_t i) {
        const float* const sweeps[3] = {attributes.sweep_x, attributes.sweep_y, attributes.sweep_z};
        const double margin = attributes.margin == nullptr ? 0 : wide(attributes.margin[i]);
        double low[3], high[3];
        bool valid = margin >= 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double sweep = sweeps[k] == nullptr ? 0 : wide(sweeps[k][i]);
            const double half = object.half[k] + margin;
            const double more = Reach::slack * (std::fabs(object.center[k]) + half + std::fabs(sweep)) + 0x1p-1000;
            low[k] = object.center[k] - half + std::fmin(sweep, 0) - more;
            high[k] = object.center[k] + half + std::fmax(sweep, 0) + more;
            // A margin could make up for a size below 0, so the size is looked at alone. False for NaN.
            valid = valid && object.half[k] >= 0 && std::isfinite(low[k]) && std::isfinite(high[k]);
        }
        // Nothing tells where an invalid object is drawn, not even along the axes whose numbers are fine.
        for (std::size_t k = 0; k < 3; ++k) {
            bounds_.lower[k] = std::fmin(bounds_.lower[k], valid ? low[k] : -HUGE_VAL);
            bounds_.upper[k] = std::fmax(bounds_.upper[k], valid ? high[k] : HUGE_VAL);
        }
    }

    [[nodiscard]] const WorldBox& bounds() const { return bounds_; }

private:
    WorldBox bounds_ = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
};

void add_visible(const Batch& batch, std::span<const std::uint64_t> words, Growing& bounds) {
    std::visit(
        [&]<class Shapes>(const Shapes& shapes) {
            for (std::size_t w = 0; w < words.size(); ++w) {
                for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
                    const auto i =
                        static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left));
                    if (i < shapes.count) bounds.add(KindTraits<Shapes>::reach(shapes, i), batch.attributes, i);
                }
            }
        },
        batch.shapes);
}

}  // namespace

Status visible_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible,
                      WorldBox& bounds) noexcept {
    const FloatModes modes;
    if (Status status = check_batches(batches); !status) return status;
    const std::size_t words = visibility_words(batches);
    if (visible.size() != words) {
        return Status::failure("visible: must have %zu words (visibility_words()), not %zu", words, visible.size());
    }
    Growing growing;
    for (const Batch& batch : batches) {
        const std::size_t count = (std::size_t{batch.count()} + 63) / 64;
        add_visible(batch, visible.first(count), growing);
        visible = visible.subspan(count);
    }
    bounds = growing.bounds();
    return {};
}

}  // namespace lanecull
