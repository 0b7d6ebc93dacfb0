#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "properties/trial.hpp"
#include "properties/views/setting.hpp"
#include "support/random.hpp"

/// Families of casters, balls, views that see nothing, and how views are prepared.
namespace properties {

// Settings.

/// A ball as a view, some with clip planes or a margin, and objects that touch it, half of them with margins and sweeps
/// of their own.
[[nodiscard]] std::optional<Setting> balls(Random& random, std::size_t objects);
/// What casts shadows into a slice's receivers, by every kind of light. Half of the objects stand between the light and
/// a point that it lights.
[[nodiscard]] std::optional<Setting> receivers(Random& random, std::size_t objects);
/// The same of receivers whose box has no thickness along one axis at least.
[[nodiscard]] std::optional<Setting> flat_receivers(Random& random, std::size_t objects);
/// The same of level cameras and such along an axis, where planes of the slice, the box, the camera and the clip planes
/// coincide, exactly or nearly.
[[nodiscard]] std::optional<Setting> coinciding_planes(Random& random, std::size_t objects);
/// Views of these cameras, cut by clip planes that they have already, or nearly.
[[nodiscard]] std::optional<Setting> coinciding_clips(Random& random, std::size_t objects);
/// Two eyes whose volumes have 60 to 66 corners together, and a point light. There is room for 64 and the light.
[[nodiscard]] std::optional<Setting> many_corners(Random& random, std::size_t objects);

// Trials.

/// Objects about a ball: what it reaches is visible, and what is well apart from it is culled.
void balls_apart(Trial& trial);
/// What a directional light's map covers: an object that is called inside is within all four sides, the border
/// included.
void covered(Trial& trial);
/// Views of every kind, with and without a light, whose clip planes leave nothing of the volume, or next to nothing:
/// the last plane touches what the others leave, misses it or cuts it by any share from 2^-60 of the coordinates on.
/// None is refused; none sees nothing of which something is left; what has an end, no light, and is empty by 2^-20 of
/// the coordinates is found to be.
void nothing(Trial& trial);
/// A view that sees nothing culls every valid object, however large, over batches and scenes, and chooses no occluders;
/// flags and numbers that are none keep objects.
void nothing_seen(Trial& trial);
/// Volumes of which planes coincide are exact: cascades, cameras with clip planes that they have already, boxes from
/// planes given twice.
void coinciding_exact(Trial& trial);

// Of any numbers: what fails says why and writes nothing.

/// Casters into slices: a view that sees nothing has no receivers, and what stands between the light and a point that
/// it lights in the view is visible.
void casters_any(Trial& trial);
/// Views of casters for many lights, prepared together and one by one: the same bytes, and together they fail where one
/// of them does or breaks a rule of its own.
void casters_any_many(Trial& trial);
/// Shadow maps and split depths: maps have finite numbers, what is covered lies within the sides, splits are in order.
void casters_any_maps(Trial& trial);

/// Calls make(output). A failure must say why, and leave the output as it was.
template <class Output, class Make>
bool made(const Trial& trial, Output& output, const Make& make) {
    std::array<std::byte, sizeof(Output)> before;  // padding included
    std::memcpy(before.data(), &output, sizeof output);
    const lanecull::Status status = make(output);
    if (status.ok()) return true;
    const bool is_untouched = std::memcmp(before.data(), &output, sizeof output) == 0;
    if (!is_untouched || status.message()[0] == 0) {
        trial.fail(Tally::untold, "a failure says nothing, or writes its output",
                   [&] { return std::string(status.message()); });
    }
    return false;
}

// Maps and slices of ordinary numbers.

/// Maps hold what they are fitted to; their sides are those of their matrices, however an engine stores these.
void maps(Trial& trial);
/// The slices of cameras have their planes and corners where the camera's parameters say; slice_bounds() is around what
/// reaches into a slice, and around little more.
void slices(Trial& trial);

// How views are prepared.

/// Views of every kind, without objects: none is refused, none sees nothing of which something is left, and most are
/// exact.
void prepared(Trial& trial);
/// Objects at any distance from views of every kind: what is well apart is culled.
void well_apart(Trial& trial);
/// Both layouts of a matrix, and its floats as doubles, make the same bytes.
void matrix_layouts(Trial& trial);
/// Most ordinary cameras know the outlines of their volumes, which are no more than they may be.
void outlines(Trial& trial);
/// Planes tell the volumes of most ordinary cameras with a light.
void told_by_planes(Trial& trial);
/// What views are computed with contains the exact result: sums, products and solutions of vectors with one error.
void enclosing_vectors(Trial& trial);
/// The corners that half-spaces leave, parallel and degenerate ones and such that are not known well among them.
void enclosing_corners(Trial& trial);
/// Rays of pyramids of many sides stay known.
void enclosing_rays(Trial& trial);

}  // namespace properties
