#include "parity.hpp"

#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/vec4.hpp>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "compare.hpp"
#include "cull/reasons.hpp"
#include "frame_lists.hpp"
#include "picture_file.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "suspects.hpp"

namespace lanecull::program {
namespace {

/// What the device drew.
struct Drawn {
    std::vector<std::uint32_t> picture;  ///< of colours, or of objects' numbers from 1
    std::vector<float> depths;
    std::vector<std::uint32_t> deepest;
};

constexpr std::uint32_t draw_camera = 1;

/// One way of culling, and what was compared of it over all frames.
struct Variant {
    Culling culling;
    Casters casters;
    std::uint64_t draws = 0, caster_draws = 0, occluders = 0, in_sets = 0, in_cells = 0, light_entries = 0, pixels = 0,
                  texels = 0, different = 0;
};

class Parity {
public:
    Parity(const Scene& scene, const SceneMeshes& meshes, const RendererOptions& sizes, FrameMaker& frames,
           Renderer& renderer, const ParityOptions& options)
        : scene_(scene),
          meshes_(meshes),
          sizes_(sizes),
          frames_(frames),
          renderer_(renderer),
          options_(options),
          lists_(meshes.draws.size()),
          other_(meshes.draws.size()) {
        std::vector<Culling> ways = {Culling::planes, Culling::exact, Culling::ordered};
        if (frames.has_occluders()) ways.push_back(Culling::occluders);
        if (frames.has_baked()) ways.push_back(Culling::visibility);
        if (options.only) ways = {*options.only};
        for (const Culling culling : ways) {
            if (!options.numbers) variants_.push_back({culling, Casters::frustum});
            variants_.push_back({culling, Casters::volume});
        }
    }

    void run(std::size_t frame, const Camera& camera) {
        where_ = fmt::format("frame {}", frame);
        // One plan for all: a map that is elsewhere has other texels.
        plan_ = frames_.plan(camera, Culling::exact);
        draw_ = {.uniforms = frames_.uniforms(plan_, camera), .lines = {}, .light_lists = {}};
        draw_everything();
        if (options_.numbers) check_numbers(camera);
        for (Variant& variant : variants_) run(variant);
        ++frames_done_;
    }

    [[nodiscard]] std::string table() const { return options_.numbers ? table_of_numbers() : table_of_colors(); }

private:
    [[nodiscard]] std::string table_of_colors() const {
        std::string text = fmt::format("{} frames, {} objects\n\n{:<10} {:<8} {:>12} {:>12} {:>14} {:>14} {:>10}\n",
                                       frames_done_, meshes_.draws.size(), "culling", "casters", "draws", "casters",
                                       "pixels", "texels", "different");
        for (const Variant& v : variants_) {
            fmt::format_to(std::back_inserter(text), "{:<10} {:<8} {:>12.1f} {:>12.1f} {:>14} {:>14} {:>10}\n",
                           name_of(v.culling), name_of(v.casters), per_frame(v.draws), per_frame(v.caster_draws),
                           v.pixels, v.texels, v.different);
        }
        fmt::format_to(std::back_inserter(text),
                       "\ndraws and casters: of a frame, of {} and {}; texels: of frustums all, of volumes those that "
                       "were read\n{}",
                       meshes_.draws.size(), meshes_.draws.size() * map_count, notes());
        return text;
    }

    [[nodiscard]] std::string table_of_numbers() const {
        std::string text =
            fmt::format("{} frames, {} objects, pictures of their numbers\n\n{:<10} {:>12} {:>14} {:>10}\n",
                        frames_done_, meshes_.draws.size(), "culling", "draws", "pixels", "different");
        for (const Variant& v : variants_) {
            fmt::format_to(std::back_inserter(text), "{:<10} {:>12.1f} {:>14} {:>10}\n", name_of(v.culling),
                           per_frame(v.draws), v.pixels, v.different);
        }
        fmt::format_to(std::back_inserter(text), "\ndraws: of a frame; {} numbers were seen, {:.1f} a frame\n{}",
                       numbers_seen_, per_frame(numbers_seen_), notes());
        return text;
    }

    [[nodiscard]] double per_frame(std::uint64_t sum) const {
        return static_cast<double>(sum) / static_cast<double>(frames_done_);
    }

    /// What is below either table.
    [[nodiscard]] std::string notes() const {
        std::string text =
            fmt::format("other instruction sets: {} frames' lists compared, {} differed and were drawn\n",
                        sets_compared_, sets_drawn_);
        for (const Variant& v : variants_) {
            if (v.casters == Casters::frustum) continue;
            if (v.culling == Culling::occluders) {
                fmt::format_to(std::back_inserter(text), "occluders: {:.1f} solid boxes a frame\n",
                               per_frame(v.occluders));
            }
            if (frames_.has_lights() && !options_.numbers) {
                fmt::format_to(std::back_inserter(text), "{}: {:.1f} lights of cells a frame\n", name_of(v.culling),
                               per_frame(v.light_entries));
            }
            if (v.culling == Culling::visibility) {
                fmt::format_to(std::back_inserter(text),
                               "visibility: eyes in cells in {} frames, whose sets have {:.1f} objects", v.in_cells,
                               v.in_cells == 0 ? 0.0 : static_cast<double>(v.in_sets) / double(v.in_cells));
                text += options_.numbers ? fmt::format("; of {} numbers seen from cells {} are in them\n", from_cells_,
                                                       found_in_sets_)
                                         : "\n";
            }
        }
        return text;
    }

    void draw_everything() {
        const Renderer::Slot slot = renderer_.begin();
        const std::uint32_t lighting = draw_.uniforms.mode.z;
        if (options_.numbers) {
            for (const DrawList& list : slot.lists) *list.count = 0;
            draw_.uniforms.sky = glm::vec4(0);
            draw_.uniforms.mode.y = 1;
            draw_.draw_all = draw_camera;
        } else {
            draw_.uniforms.mode.x = 1;
            draw_.draw_all = draw_all_views;
            if (frames_.has_lights()) draw_.uniforms.mode.z = static_cast<std::uint32_t>(Lighting::all);
        }
        renderer_.submit(draw_);
        read(expected_);
        draw_.uniforms.mode.x = 0;
        draw_.uniforms.mode.z = lighting;
        draw_.draw_all = 0;
    }

    /// Every number in the picture is in the set of the eye's cell.
    void check_numbers(const Camera& camera) {
        std::vector<std::uint32_t> seen = expected_.picture;
        std::ranges::sort(seen);
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        if (!seen.empty() && seen.front() == 0) seen.erase(seen.begin());  // the sky
        numbers_seen_ += seen.size();
        const std::optional<std::uint64_t> cell = frames_.cell_of(camera);
        if (!cell) return;
        from_cells_ += seen.size();
        frames_.prepare(Culling::visibility, Casters::volume);
        for (const std::uint32_t number : seen) {
            if (is_candidate(number - 1)) {
                ++found_in_sets_;
                continue;
            }
            const auto at =
                static_cast<std::size_t>(std::ranges::find(expected_.picture, number) - expected_.picture.begin());
            fail("{}: object {} is seen at ({}, {}), and the set of cell {} lacks it", where_, named(number - 1),
                 at % sizes_.width, at / sizes_.width, *cell);
        }
    }

    [[nodiscard]] bool is_candidate(std::uint32_t object) const {
        std::size_t word = 0;
        for (const Batch& batch : meshes_.batches) {
            if (object < batch.count()) return (frames_.candidates()[word + object / 64] >> object % 64 & 1) != 0;
            object -= batch.count();
            word += (batch.count() + 63) / 64;
        }
        return false;
    }

    void run(Variant& variant) {
        frames_.prepare(variant.culling, variant.casters);
        const CullOptions options = frames_.options(variant.culling);
        const CullResult result = cull(variant.culling, options.isa, lists_);
        variant.draws += result.frame_draws();
        variant.caster_draws += result.caster_draws();
        variant.occluders += result.occluders;
        variant.in_sets += result.in_set;
        variant.light_entries += result.light_entries;
        variant.in_cells += frames_.candidates().empty() ? 0 : 1;
        if (options_.dropped) lists_.drop(*options_.dropped);
        compare(variant, options, lists_);
        for (const Isa isa : all_isas) {
            if (isa == options.isa || !isa_runnable(isa)) continue;
            const CullOptions other{.method = options.method, .isa = isa};
            cull(variant.culling, isa, other_);
            if (options_.dropped) other_.drop(*options_.dropped);
            ++sets_compared_;
            if (other_.same_as(lists_)) continue;
            ++sets_drawn_;
            compare(variant, other, other_);
        }
    }

    /// Lists in the order in which everything is drawn: of two things at one depth the first is seen.
    CullResult cull(Culling culling, Isa isa, FrameLists& lists) {
        const CullResult result = frames_.cull(culling, isa, lists.outputs());
        if (culling == Culling::ordered) lists.sort();
        if (options_.numbers) lists.keep_camera();
        const std::span<const std::uint32_t> lights = frames_.light_lists();
        lists.lights.assign(lights.begin(), lights.end());
        if (options_.dropped_light && !lists.lights.empty()) drop_light(lists.lights, *options_.dropped_light);
        return result;
    }

    /// Draws the lists and compares what comes of it with what came of everything.
    void compare(Variant& variant, const CullOptions& options, const FrameLists& lists) {
        const auto variant_name = [&] {
            return fmt::format("{}, culling {} ({}), casters by {}", where_, name_of(variant.culling),
                               isa_name(options.isa), name_of(variant.casters));
        };
        lists.write_to(renderer_.begin());
        draw_.light_lists = lists.lights;
        renderer_.submit(draw_);
        read(found_);
        if (!options_.numbers) {
            const bool everywhere = variant.casters == Casters::frustum;
            const Differences maps = everywhere
                                         ? compare_depths(expected_.depths, found_.depths)
                                         : compare_read_depths(expected_.depths, found_.depths, expected_.deepest);
            variant.texels += maps.compared;
            variant.different += maps.count;
            if (maps.count != 0) fail_at_map(variant_name(), maps, options, lists);
        }
        const Differences pixels = compare_colors(expected_.picture, found_.picture);
        variant.pixels += pixels.compared;
        variant.different += pixels.count;
        if (pixels.count != 0) fail_at_picture(variant_name(), pixels, options, lists);
    }

    void read(Drawn& drawn) {
        renderer_.finish();
        const auto copy = [](auto from, auto& to) { to.assign(from.begin(), from.end()); };
        copy(renderer_.picture(), drawn.picture);
        if (options_.numbers) return;
        copy(renderer_.map_depths(), drawn.depths);
        if (draw_.uniforms.mode.x != 0) copy(renderer_.deepest(), drawn.deepest);
    }

    [[noreturn]] void fail_at_picture(const std::string& name, const Differences& found, const CullOptions& options,
                                      const FrameLists& lists) {
        const auto at = static_cast<std::uint32_t>(found.first);
        const Pixel pixel{at % sizes_.width, at / sizes_.width, sizes_.width, sizes_.height};
        const std::string pictures =
            leave(png_of(expected_.picture, sizes_.width), png_of(found_.picture, sizes_.width));
        const std::uint32_t number = options_.numbers ? expected_.picture[found.first] : 0;
        const std::string missing = number != 0 ? fmt::format("object {} is missing", reason(number - 1, 0, options))
                                                : suspects(pixel, 0, options, lists);
        fail("{}: {} of {} pixels differ, the first at ({}, {}): {}{}", name, found.count, found.compared, pixel.x,
             pixel.y, missing, pictures);
    }

    [[noreturn]] void fail_at_map(const std::string& name, const Differences& found, const CullOptions& options,
                                  const FrameLists& lists) {
        // Cascades come first, then the faces of the cube.
        std::uint32_t width = sizes_.directional_texels;
        std::size_t texel = found.first, map = 0, first = 0;
        for (std::size_t layer = std::size_t{width} * width; texel - first >= layer; ++map) {
            first += layer;
            if (map + 1 == cascade_count) {
                width = sizes_.point_light_texels;
                layer = std::size_t{width} * width;
            }
        }
        texel -= first;
        const Pixel pixel{static_cast<std::uint32_t>(texel % width), static_cast<std::uint32_t>(texel / width), width,
                          width};
        const auto layer = [&](const Drawn& drawn) {
            return png_of_depths(std::span(drawn.depths).subspan(first, std::size_t{width} * width), width);
        };
        const std::string pictures = leave(layer(expected_), layer(found_));
        fail("{}: {} of {} depths of shadow maps differ, the first in the {} at ({}, {}): {}{}", name, found.count,
             found.compared, view_name(1 + map), pixel.x, pixel.y, suspects(pixel, 1 + map, options, lists), pictures);
    }

    /// Which objects are behind the pixel and yet not in the list, and why the first of them is not.
    std::string suspects(const Pixel& pixel, std::size_t view, const CullOptions& options, const FrameLists& lists) {
        const bool camera = view == 0;
        const ClipSpace& space = camera ? plan_.camera.clip_space : plan_.maps[view - 1].clip_space;
        const auto clip = camera ? std::span<const double, 16>(plan_.camera.clip_from_world)
                                 : std::span<const double, 16>(plan_.maps[view - 1].clip_from_world);
        const bool directional_light = !camera && view <= cascade_count;
        // There, or else within two pixels: what is drawn is rounded.
        std::vector<std::uint32_t> missing;
        for (const double border : {0.05, 2.0}) {
            const Pixel wider{pixel.x, pixel.y, pixel.width, pixel.height, border};
            missing =
                missing_from(meshes_.batches, matrix_of(wider, clip), space,
                             directional_light ? &plan_.directional_light.directional_light : nullptr, lists.of(view));
            if (!missing.empty()) break;
        }
        if (missing.empty()) {
            return fmt::format("no object that could be there is missing from its list{}",
                               frames_.has_lights() ? "; a light may be missing from its cells" : "");
        }
        return fmt::format("{} of the objects there {} missing, object {}", missing.size(),
                           missing.size() == 1 ? "is" : "are", reason(missing.front(), view, options));
    }

    std::string reason(std::uint32_t object, std::size_t v, const CullOptions& options) {
        const View& view = frames_.view(v);
        if (!view.prepared()) return fmt::format("{}, as the lamp lights nothing that is seen", object);
        std::vector<Certificate> certificates(meshes_.draws.size());
        std::vector<std::byte> scratch(scratch_bytes(meshes_.batches, 1));
        Explanation why{.certificates = certificates};
        Output output{.explanation = &why};
        if (v == 0) output.occluders = frames_.occluders();
        if (v == 0) output.candidates = frames_.candidates();
        require(lanecull::cull(meshes_.batches, {&view, 1}, {&output, 1}, scratch, options));
        const Certificate& c = certificates[object];
        const ReasonWords& words = words_of(c.reason);
        std::string text = fmt::format("{}; certificate: {}, {}", named(object), words.key, words.sentence);
        if (!is_culled(c.reason)) text += "; so the lamp as a whole does not reach it";
        if (c.reason == Reason::culled_gjk) {
            text += fmt::format(": direction ({:.6g}, {:.6g}, {:.6g}), gap {:.6g}, far {:.6g}", c.direction[0],
                                c.direction[1], c.direction[2], c.gap, c.far_depth);
        }
        return text;
    }

    /// "1234 (cars 17)"
    [[nodiscard]] std::string named(std::uint32_t object) const {
        std::size_t group = 0;
        std::uint32_t index = object;
        while (index >= meshes_.batches[group].count()) index -= meshes_.batches[group++].count();
        return fmt::format("{} ({} {})", object, scene_.groups[group].name, index);
    }

    /// Both pictures beside each other in the folder; a note of where.
    std::string leave(const std::string& expected, const std::string& found) const {
        if (!options_.folder) return "";
        const std::filesystem::path folder(*options_.folder);
        const std::string names[] = {(folder / "parity_off.png").string(), (folder / "parity_culled.png").string()};
        OutputFile(names[0]).commit(expected);
        OutputFile(names[1]).commit(found);
        return fmt::format("; see {} and {}", names[0], names[1]);
    }

    const Scene& scene_;
    const SceneMeshes& meshes_;
    const RendererOptions& sizes_;
    FrameMaker& frames_;
    Renderer& renderer_;
    const ParityOptions& options_;
    std::vector<Variant> variants_;
    FrameLists lists_, other_;
    FramePlan plan_;
    FrameDraw draw_;
    Drawn expected_, found_;
    std::string where_;
    std::uint64_t frames_done_ = 0, sets_compared_ = 0, sets_drawn_ = 0, numbers_seen_ = 0;
    std::uint64_t from_cells_ = 0, found_in_sets_ = 0;  // of these numbers
};

}  // namespace

std::string check_parity(const Scene& scene, const SceneMeshes& meshes, const CameraPath& path,
                         const RendererOptions& sizes, FrameMaker& frames, Renderer& renderer,
                         const ParityOptions& options) {
    Parity parity(scene, meshes, sizes, frames, renderer, options);
    Progress progress("comparing pictures", path.size(), options.quiet);
    for (std::size_t frame = 0; frame < path.size(); ++frame) {
        parity.run(frame, path[frame]);
        progress.done(frame + 1);
    }
    return parity.table();
}

}  // namespace lanecull::program
