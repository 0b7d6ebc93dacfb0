#include "peers/masked_depth_buffer.hpp"

#include <MaskedOcclusionCulling.h>
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>

namespace bench {
namespace {

/// The camera's clip coordinates in floats: x and y are -w to w on the screen. Rows of (x, y, z, 1).
struct Clip {
    float x[4], y[4], w[4];

    explicit Clip(const Camera& camera) {
        row(camera.right() / camera.tan_x, camera.eye, x);
        row(camera.up() / camera.tan_y, camera.eye, y);
        row(camera.forward(), camera.eye, w);
    }

private:
    static void row(const glm::dvec3& along, const glm::dvec3& eye, float (&to)[4]) {
        double constant = 0;
        for (int k = 0; k < 3; ++k) {
            to[k] = static_cast<float>(along[k]);
            constant -= along[k] * eye[k];
        }
        to[3] = static_cast<float>(constant);
    }
};

/// One coordinate of a box's eight corners: those of the bits of the lane's number.
struct Corners {
    __m256 x, y, z;

    Corners(const float (&low)[3], const float (&high)[3])
        : x(_mm256_blend_ps(_mm256_set1_ps(low[0]), _mm256_set1_ps(high[0]), 0xaa)),
          y(_mm256_blend_ps(_mm256_set1_ps(low[1]), _mm256_set1_ps(high[1]), 0xcc)),
          z(_mm256_blend_ps(_mm256_set1_ps(low[2]), _mm256_set1_ps(high[2]), 0xf0)) {}

    [[nodiscard]] __m256 along(const float (&row)[4]) const {
        return _mm256_fmadd_ps(_mm256_set1_ps(row[2]), z,
                               _mm256_fmadd_ps(_mm256_set1_ps(row[1]), y,
                                               _mm256_fmadd_ps(_mm256_set1_ps(row[0]), x, _mm256_set1_ps(row[3]))));
    }
};

float least_of(__m256 a) {
    __m128 b = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_min_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_min_ss(b, _mm_movehdup_ps(b)));
}
float greatest_of(__m256 a) { return -least_of(_mm256_sub_ps(_mm256_setzero_ps(), a)); }

/// Two triangles for each face, counterclockwise as seen from outside.
constexpr std::array<unsigned, 36> triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                                2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

}  // namespace

struct MaskedDepthBuffer::Buffer {
    MaskedOcclusionCulling* of = MaskedOcclusionCulling::Create();
    ~Buffer() {
        if (of != nullptr) MaskedOcclusionCulling::Destroy(of);
    }
};

MaskedDepthBuffer::MaskedDepthBuffer(std::uint32_t width, std::uint32_t height) : buffer_(std::make_unique<Buffer>()) {
    if (buffer_->of == nullptr) throw std::runtime_error("no masked depth buffer for this processor");
    buffer_->of->SetResolution(width, height);
}
MaskedDepthBuffer::~MaskedDepthBuffer() = default;

const char* MaskedDepthBuffer::set() const {
    static constexpr const char* names[] = {"sse2", "sse4.1", "avx2", "avx512"};
    return names[buffer_->of->GetImplementation()];
}

void MaskedDepthBuffer::draw(const Camera& camera, std::span<const lanecull::SolidBox> boxes) {
    const Clip clip(camera);
    buffer_->of->SetNearClipPlane(static_cast<float>(camera.near_depth));
    buffer_->of->ClearBuffer();
    for (const lanecull::SolidBox& box : boxes) {
        const Corners corners(box.min, box.max);
        alignas(32) float x[8], y[8], w[8], vertex[8][4];
        _mm256_store_ps(x, corners.along(clip.x));
        _mm256_store_ps(y, corners.along(clip.y));
        _mm256_store_ps(w, corners.along(clip.w));
        for (std::size_t c = 0; c < 8; ++c) {
            vertex[c][0] = x[c], vertex[c][1] = y[c];
            vertex[c][2] = vertex[c][3] = w[c];
        }
        buffer_->of->RenderTriangles(vertex[0], triangles.data(), 12);
    }
}

std::uint64_t MaskedDepthBuffer::ask(const Camera& camera, const BoxStreams& boxes,
                                     std::span<const std::uint64_t> asked, std::span<std::uint64_t> visible) const {
    const Clip clip(camera);
    const auto near = static_cast<float>(camera.near_depth);
    const auto& s = boxes.streams;
    std::uint64_t count = 0;
    for (std::size_t word = 0; word < asked.size(); ++word) {
        std::uint64_t kept = 0;
        for (std::uint64_t rest = asked[word]; rest != 0; rest &= rest - 1) {
            const std::size_t i = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
            const Corners corners({s[0][i], s[1][i], s[2][i]}, {s[3][i], s[4][i], s[5][i]});
            const __m256 w = corners.along(clip.w);
            const float least = least_of(w);
            bool is_hidden = false;
            if (least > near) {
                const __m256 x = _mm256_div_ps(corners.along(clip.x), w), y = _mm256_div_ps(corners.along(clip.y), w);
                is_hidden = buffer_->of->TestRect(least_of(x), least_of(y), greatest_of(x), greatest_of(y), least) ==
                            MaskedOcclusionCulling::OCCLUDED;
            }
            if (!is_hidden) kept |= rest & (~rest + 1);
        }
        visible[word] = kept;
        count += static_cast<std::uint64_t>(std::popcount(kept));
    }
    return count;
}

}  // namespace bench
