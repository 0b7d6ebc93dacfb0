#include "cull/occluder_choice.hpp"

#include "support/error.hpp"

namespace lanecull::program {

RasterMargin pixel_margin(const Camera& camera, double pixels) {
    if (pixels == 0) return {};
    constexpr std::uint32_t rows = 1080;
    Camera square = camera;  // as pixels are, whatever the picture's aspect
    square.aspect = 1;
    RasterMargin result;
    require(raster_margin(square.rasterization(rows, rows), result));
    result.per_distance *= 64 * pixels;  // it is that of a 64th of a pixel
    return result;
}

SolidsInView::SolidsInView(const SceneSolids& solids) : bits_((solids.count() + 63) / 64) {
    std::vector<float> corner[6];
    for (const SolidBox& box : solids.drawn) {
        for (int k = 0; k < 3; ++k) {
            corner[k].push_back(box.min[k]);
            corner[3 + k].push_back(box.max[k]);
        }
    }
    const auto count = static_cast<std::uint32_t>(solids.count());
    const Batch batch{Boxes{corner[0].data(), corner[1].data(), corner[2].data(), corner[3].data(), corner[4].data(),
                            corner[5].data(), count}};
    std::vector<Handle> handles(count);
    require(scene_.add({&batch, 1}, handles));
    solid_of_.resize(count == 0 ? 0 : *std::max_element(handles.begin(), handles.end()) + std::size_t{1});
    for (std::uint32_t i = 0; i < count; ++i) solid_of_[handles[i]] = i;
    visible_.resize(count);
    scratch_.resize(scratch_bytes(scene_, 1));
}

std::span<const std::uint64_t> SolidsInView::find(const View& view) {
    SceneOutput found{.handles = visible_};
    Output output{.scene = &found};
    require(cull(scene_, {&view, 1}, {&output, 1}, scratch_));
    std::fill(bits_.begin(), bits_.end(), 0);
    for (const Handle handle : std::span(visible_).first(output.visible_count)) {
        const std::uint32_t solid = solid_of_[handle];
        bits_[solid / 64] |= std::uint64_t{1} << solid % 64;
    }
    return bits_;
}

OccluderChoice::OccluderChoice(const Scene& scene, const OccluderSettings& settings)
    : OccluderChoice(SceneSolids(scene, settings.inset), settings) {
    if (solids_.count() == 0) fail("--occluders: nothing in {} is solid; --solid names what is", scene.name);
}

OccluderChoice::OccluderChoice(SceneSolids solids, const OccluderSettings& settings)
    : solids_(std::move(solids)),
      in_view_(solids_),
      settings_(settings),
      prepared_(settings.most),
      chosen_(settings.most),
      hidden_(settings.most),
      scratch_(choose_scratch_bytes(solids_.count())) {}

std::span<const Occluder> OccluderChoice::prepare(const View& view, const Viewpoint& viewpoint, ChooseOptions options) {
    options.candidates = in_view_.find(view);
    require(choose_occluders(solids_.set(), view, viewpoint, prepared_, chosen_, scratch_, count_, options));
    return std::span(prepared_).first(count_);
}

std::span<const Occluder> OccluderChoice::choose(const Camera& camera, const View& view) {
    return choose(view, camera.viewpoint(), margin(camera));
}

std::span<const Occluder> OccluderChoice::choose(const View& view, const Viewpoint& viewpoint,
                                                 const RasterMargin& raster) {
    return prepare(view, viewpoint, {.raster = raster});
}

std::span<const Occluder> OccluderChoice::choose_casters(const Viewpoint& light, const View& view) {
    return prepare(view, light, {});
}

std::vector<Occluder> OccluderChoice::all(const Camera& camera) const {
    const Viewpoint viewpoint = camera.viewpoint();
    OccluderOptions options{.raster = margin(camera)};
    std::vector<Occluder> prepared;
    for (std::size_t i = 0; i < solids_.count(); ++i) {
        options.drawn = &solids_.drawn[i];
        Occluder occluder;
        const OccluderRefusal refusal =
            solids_.visit(i, [&](const auto& box) { return prepare_occluder(box, viewpoint, occluder, options); });
        if (refusal == OccluderRefusal::none) prepared.push_back(occluder);
    }
    return prepared;
}

}  // namespace lanecull::program
