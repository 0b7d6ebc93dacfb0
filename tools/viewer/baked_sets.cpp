#include "baked_sets.hpp"

#include <fmt/core.h>

#include <lanecull/scene.h>
#include <lanecull/visibility.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "cull/occluder_choice.hpp"
#include "scene/random.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

/// A slot of the baked scene that nothing is drawn for.
constexpr std::uint64_t not_drawn = ~std::uint64_t{0};

/// Which bit of the words of the batches that are drawn each slot is: every batch begins with a new word.
std::vector<std::uint64_t> bits_of_slots(const Scene& scene, const lanecull::Scene& ordered,
                                         std::span<const Handle> handles) {
    std::vector<std::uint64_t> bits(ordered.slot_count(), not_drawn);
    std::size_t object = 0;
    std::uint64_t word = 0;
    for (const Group& group : scene.groups) {
        const std::uint32_t count = object_count(group.arrays);
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t slot = 0;
            require(ordered.slot_of(handles[object++], slot));
            bits[slot] = 64 * word + i;
        }
        word += (count + 63) / 64;
    }
    return bits;
}

/// Whether solids that are smaller by `baked` are as small as `wanted` has them, at any distance from `nearest` on.
bool is_enough(const RasterMargin& baked, const RasterMargin& wanted, double nearest) {
    const double per_square = baked.depth_per_square - wanted.depth_per_square;
    return baked.per_distance >= wanted.per_distance && per_square >= 0 &&
           baked.depth_per_distance + per_square * nearest >= wanted.depth_per_distance;
}

glm::dvec3 random_direction(Random& random) {
    const double height = random.between(-1, 1), bearing = random.between(0, 2 * std::numbers::pi);
    const double across = std::sqrt(1 - height * height);
    return {across * std::cos(bearing), across * std::sin(bearing), height};
}

}  // namespace

struct BakedSets::Contents {
    std::string file;
    Visibility sets;
    std::vector<std::uint64_t> bit_of_slot;
    std::uint64_t words = 0;                   ///< of the batches that were baked and are drawn
    mutable std::vector<std::uint64_t> slots;  ///< a set, as it is read
};

BakedSets::BakedSets(const std::string& file, const Scene& scene, const Runner& runner)
    : contents_(std::make_unique<Contents>()) {
    Contents& contents = *contents_;
    contents.file = file;
    require(Visibility::open(file.c_str(), contents.sets), file);
    if (contents.sets.grid().cell_count() == 0) fail("{}: its cells are no grid", file);
    lanecull::Scene ordered;
    std::vector<Handle> handles(scene.object_count());
    require(ordered.add(scene.batches(), handles, {}, runner));
    ordered.refit(Refit::tight, runner);
    const VisibilityHeader header = contents.sets.header();
    if (header.objects != ordered.slot_count() || header.fingerprint != slot_fingerprint(ordered)) {
        fail("{}: was baked for another scene than {}", file, scene.name);
    }
    contents.bit_of_slot = bits_of_slots(scene, ordered, handles);
    for (const Group& group : scene.groups) {
        contents.words += (object_count(group.arrays) + std::uint64_t{63}) / 64;
    }
    contents.slots.resize(contents.sets.visibility_words());
}

BakedSets::~BakedSets() = default;
BakedSets::BakedSets(BakedSets&&) noexcept = default;
BakedSets& BakedSets::operator=(BakedSets&&) noexcept = default;

std::optional<std::uint64_t> BakedSets::cell_of(const Camera& camera) const {
    const double eye[3] = {camera.eye.x, camera.eye.y, camera.eye.z};
    std::uint64_t cell = 0;
    return find_cell(contents_->sets.grid(), eye, cell) ? std::optional(cell) : std::nullopt;
}

std::string BakedSets::misfit(const Camera& camera, const RasterMargin& margin) const {
    const BakeOptions baked = contents_->sets.header().options;
    const std::string& file = contents_->file;
    const double to_corner = camera.corner_distance();
    if (camera.near * to_corner > baked.near_reach) {
        return fmt::format("{}: its sets hold for near planes up to {:.6g}, not {:g}", file,
                           baked.near_reach / to_corner, camera.near);
    }
    if (camera.far * to_corner > baked.distance) {
        return fmt::format("{}: its sets hold for far planes up to {:.6g}, not {:g}", file, baked.distance / to_corner,
                           camera.far);
    }
    if (!is_enough(baked.raster, margin, baked.near_reach)) {
        return fmt::format("{}: its walls are too large for a rasteriser that rounds; bake with --margin-pixels {:.2g}",
                           file, 1.01 * margin.per_distance / pixel_margin(camera, 1).per_distance);
    }
    return {};
}

std::size_t BakedSets::read(std::uint64_t cell, std::span<std::uint64_t> words) const {
    const Contents& contents = *contents_;
    if (words.size() < contents.words) fail("{}: more was baked than is drawn", contents.file);
    require(contents.sets.read(cell, contents.slots), contents.file);
    const auto baked = words.first(static_cast<std::size_t>(contents.words));
    std::fill(baked.begin(), baked.end(), std::uint64_t{0});
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(baked.size()), words.end(), ~std::uint64_t{0});
    std::size_t count = 0;
    for (std::size_t w = 0; w < contents.slots.size(); ++w) {
        for (std::uint64_t rest = contents.slots[w]; rest != 0; rest &= rest - 1, ++count) {
            const std::uint64_t bit = contents.bit_of_slot[64 * w + static_cast<std::size_t>(std::countr_zero(rest))];
            if (bit != not_drawn) words[bit / 64] |= std::uint64_t{1} << bit % 64;
        }
    }
    return count;
}

CameraPath BakedSets::random_cameras(const Scene& scene, std::size_t count, const LensOptions& lens) const {
    const Visibility& sets = contents_->sets;
    const BakeOptions options = sets.header().options;
    LensOptions angles = lens;
    angles.near = angles.far = std::nullopt;
    Camera camera = fitted_camera(scene.bounds(), scene.up, angles);
    const double reach = camera.corner_distance() * (1 + 1e-12);
    camera.near = lens.near.value_or(options.near_reach / reach);
    camera.far = lens.far.value_or(std::min(2 * glm::length(scene.bounds().size()), options.distance / reach));
    check_camera(camera, contents_->file);
    Random random(1);
    CameraPath path;
    while (path.size() < count) {
        const auto cells = static_cast<double>(sets.cell_count());
        ConvexCell cell;
        require(lanecull::cell_of(sets.grid(), static_cast<std::uint64_t>(cells * random.unit()), cell));
        for (int k = 0; k < 3; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            camera.eye[k] = random.between(cell.corner[0][axis], cell.corner[7][axis]);
        }
        camera.forward = random_direction(random);
        if (std::abs(glm::dot(camera.forward, camera.up)) < 0.999) path.push_back(camera);
    }
    return path;
}

}  // namespace lanecull::program
