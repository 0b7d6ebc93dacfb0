#include "cull/kept_by_planes.hpp"

#include <algorithm>
#include <cstddef>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

/// Culls one batch after the other, so that certificates are held of one batch alone.
class BatchCuller {
public:
    BatchCuller(const View& view, const CullOptions& exact) : view_(view), exact_(exact) {}

    /// Of each object the exact method's certificate; the bits are the six-plane test's.
    void cull_batch(const Batch& batch) {
        certificates_.resize(batch.count());
        planes_.resize(visibility_words({&batch, 1}));
        scratch_.resize(scratch_bytes({&batch, 1}, 1));
        Explanation why{.certificates = certificates_};
        Output exact{.explanation = &why}, planes{.visible = planes_};
        require(cull({&batch, 1}, {&view_, 1}, {&exact, 1}, scratch_, exact_));
        require(cull({&batch, 1}, {&view_, 1}, {&planes, 1}, scratch_, {.method = Method::planes, .isa = exact_.isa}));
    }

    [[nodiscard]] const Certificate& certificate(std::uint32_t i) const { return certificates_[i]; }
    [[nodiscard]] bool is_false_positive(std::uint32_t i) const {
        return is_culled(certificates_[i].reason) && (planes_[i / 64] >> (i % 64) & 1) != 0;
    }

private:
    const View view_;
    const CullOptions exact_;
    std::vector<Certificate> certificates_;
    std::vector<std::uint64_t> planes_;
    std::vector<std::byte> scratch_;
};

}  // namespace

std::vector<KeptByPlanes> kept_by_planes(const Scene& scene, const Camera& camera, const CullOptions& exact) {
    std::vector<KeptByPlanes> kept;
    BatchCuller culler(camera.view(), exact);
    std::uint64_t first = 0;
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const std::uint32_t count = object_count(scene.groups[g].arrays);
        culler.cull_batch(std::visit([](const auto& kind) { return Batch(kind.shapes()); }, scene.groups[g].arrays));
        for (std::uint32_t i = 0; i < count; ++i) {
            if (culler.is_false_positive(i)) kept.push_back({first + i, {g, i}, culler.certificate(i)});
        }
        first += count;
    }
    std::ranges::stable_sort(kept, std::ranges::greater(), [](const KeptByPlanes& k) { return k.certificate.gap; });
    return kept;
}

}  // namespace lanecull::program
