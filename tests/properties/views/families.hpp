#pragma once

#include "properties/trial.hpp"
#include "properties/views/setting.hpp"

/// Families of cull(), of casters, and of how views are prepared, that are more than a setting, and settings that are
/// made in files of their own.
namespace properties {

// Settings.

/// What has a transform has its points far from its own origin, and the transform brings them back.
[[nodiscard]] std::optional<Setting> far_points(Random& random, std::size_t objects);
/// Objects at any distance from views of every kind whose corners are known: what is well apart is culled.
[[nodiscard]] std::optional<Setting> well_apart(Random& random, std::size_t objects);
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

// Any numbers.

/// Views of any arguments, cascades and lights among them. A failed call does not change the view. Clip planes that
/// keep their rules make none fail. A view culls no point that is in it by exact arithmetic, nor what stands between a
/// light and such a point, and one that sees nothing has no point.
void any_views(Trial& trial);
/// Objects of any kind, numbers and attributes in such views. None that is in the view by exact arithmetic is culled,
/// nor one that is no shape; each cull's certificate proves it; candidates are judged as all are.
void any_objects_in_any_views(Trial& trial);
/// Views of casters for many lights, prepared together and one by one: the same bytes, and together they fail where one
/// of them does or breaks a rule of its own.
void many_lights(Trial& trial);
/// Shadow maps and split depths: maps have finite numbers, what is covered lies within the sides, splits are in order.
void maps_of_any_numbers(Trial& trial);

// Attributes of objects in cameras' views, decided by the exact oracle. No object is culled that is visible,
// near enough, far enough and large enough. Every object is culled that is well beyond its greatest distance, well
// within its least one, well below its size, disabled, or on none of the view's layers. "Well" means by more than 2^-14
// of the coordinates involved: the object's largest coordinate relative to the eye (for orthographic views, the
// volume's centre), expansion included.

void distances(Trial& trial);        ///< with greatest distances
void least_distances(Trial& trial);  ///< with least distances
void sizes(Trial& trial);            ///< with least projected sizes
void all_attributes(Trial& trial);
/// Greatest and least distances: what is culled as too far or too near is, in rationals; and of two batches of the same
/// shapes, one of which has as its least distances what the other has as its greatest ones, one shows each object.
void limits(Trial& trial);
/// Boxes that take the place of two neighbours each from some distance on, by the rule of batch.h: nothing is missing.
void proxies(Trial& trial);

// Calls.

/// Calls of several batches and views with any outputs in any room: each output is what calls of one batch and one view
/// say, and nothing else is written, whatever the memory held before.
void outputs(Trial& trial);
/// Lists in every order, of batches and scenes of any numbers in any views: what is visible, sorted by depth or key,
/// and the first of it where there is less room.
void ordered(Trial& trial);
/// Views of any family of which a call tests some of the objects. Some objects are always visible, disabled or none.
void candidates(Trial& trial);
/// Spheres, boxes and box instances of any family by the kernels of the core for JavaScript: nothing that is visible is
/// culled, and most of what others cull is.
void core(Trial& trial);
/// An object's verdict is the same in a batch of more than a chunk, in pieces of it, and as a candidate: where most
/// objects stay undecided, more than a list holds; and where far fewer than a third do.
void chunks(Trial& trial);
void sparse_chunks(Trial& trial);
/// Spheres that reach a side by as little as floats allow, by planes alone: stage 1 tests side slabs, and planes among
/// candidates.
void crossing(Trial& trial);
/// What is said to lie inside of a camera's volume does, all of it, in exact arithmetic; and most of what does is said
/// to.
void inside(Trial& trial);
/// The same of what a directional light's map covers: an object that is called inside is within all four sides, the
/// border included.
void covered(Trial& trial);

/// Hulls and box instances. By each layout, stride and order of boxes: the same verdicts and bounding spheres.
void layouts(Trial& trial);
/// With a part of their translation as positions in doubles, about an origin far away: the exact sum is what counts,
/// and nearly all is culled that is apart by more than 2^-14 of what is seen, wherever shapes are from their origins.
void positions(Trial& trial);
/// Settings' objects with one that is made none, left out, or given numbers that say nothing: it gets the reason that
/// this has, and the others' verdicts stay as they are.
void spoilt_objects(Trial& trial);

// Shadow maps, slices, and how views are prepared.

/// Maps hold what they are fitted to; their sides are those of their matrices, however an engine stores these.
void maps(Trial& trial);
/// The slices of cameras have their planes and corners where the camera's parameters say; slice_bounds() is around what
/// reaches into a slice, and around little more.
void slices(Trial& trial);
/// Views of every kind, with and without a light, whose clip planes leave nothing of the volume, or next to nothing:
/// the last plane touches what the others leave, misses it or cuts it by any share from 2^-60 of the coordinates on.
/// None is refused; none sees nothing of which something is left; what has an end, no light, and is empty by 2^-20 of
/// the coordinates is found to be.
void nothing(Trial& trial);
/// The same of two planes with a gap between them. A view that sees nothing culls every valid object, however large,
/// over batches and scenes, and chooses no occluders; flags and numbers that are none keep objects.
void nothing_seen(Trial& trial);
/// Volumes of which planes coincide are exact: cascades, cameras with clip planes that they have already, boxes from
/// planes given twice.
void coinciding_exact(Trial& trial);
/// Views of every kind, without objects: none is refused, none sees nothing of which something is left, and most are
/// exact.
void prepared(Trial& trial);
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
