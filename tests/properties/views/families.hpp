#pragma once

#include "properties/trial.hpp"

/// Families of cull() that are more than a setting (setting.hpp).
namespace properties {

/// Views of any arguments. A failed call does not change the view. Clip planes that keep their rules make none fail. A
/// view culls no point that is in it by exact arithmetic, and one that sees nothing has no point.
void any_views(Trial& trial);
/// Objects of any kind, numbers and attributes in such views. None that is in the view by exact arithmetic is culled,
/// nor one that is no shape; each cull's certificate proves it; candidates are judged as all are.
void any_objects_in_any_views(Trial& trial);

/// Cameras of every projection, each with objects of one kind at all placements, decided by the oracle in long double.
/// No object is culled that is visible, near enough, far enough and large enough. Every object is culled that is well
/// beyond its greatest distance, well within its least one, well below its size, disabled, or on none of the view's
/// layers; and of those that are well apart and that planes leave open, nearly all are.
///
/// "Well" means by more than 2^-14 of the coordinates involved: the object's largest coordinate relative to the eye
/// (for orthographic views, the volume's centre), expansion included.
void cameras(Trial& trial);
void grown_cameras(Trial& trial);    ///< with margins, sweeps, or margins of the view
void distances(Trial& trial);        ///< with greatest distances
void least_distances(Trial& trial);  ///< with least distances
void sizes(Trial& trial);            ///< with least projected sizes
void all_attributes(Trial& trial);
void large_hulls(Trial& trial);  ///< of as many vertices as there is room for, the last of which stands out
void extremes(Trial& trial);     ///< by numbers of any size that floats have

/// Views of any family of which a call tests some of the objects. Some objects are always visible, disabled or none.
void candidates(Trial& trial);

/// Calls of several batches and views with any outputs in any room: each output is what calls of one batch and one view
/// say, and nothing else is written, whatever the memory held before.
void outputs(Trial& trial);

/// An object's verdict is the same in a batch of more than a chunk, in pieces of it, and as a candidate: where most
/// objects stay undecided, more than a list holds; and where far fewer than a third do.
void chunks(Trial& trial);
void sparse_chunks(Trial& trial);
/// Spheres that reach a side by as little as floats allow, by planes alone: stage 1 tests side slabs, and planes among
/// candidates.
void crossing(Trial& trial);
/// What is said to lie inside does, all of it, in exact arithmetic; and most of what does is said to.
void inside(Trial& trial);

/// Hulls and box instances. By each layout, stride and order of boxes: the same verdicts and bounding spheres.
void layouts(Trial& trial);
/// With a part of their translation as positions in doubles, about an origin far away: the exact sum is what counts.
void positions(Trial& trial);
/// Up to 10^6 sizes from their own origin, beside a cube: nearly all is culled that is apart by more than 2^-14,
/// and nothing that is not apart.
void far_instances(Trial& trial);
/// Settings' objects with one that is made none, left out, or given numbers that say nothing: it gets the reason that
/// this has, and the others' verdicts stay as they are.
void spoilt_objects(Trial& trial);

/// Greatest and least distances: what is culled as too far or too near is, in rationals; and of two batches of the same
/// shapes, one of which has as its least distances what the other has as its greatest ones, one shows each object.
void limits(Trial& trial);
/// Boxes that take the place of two neighbours each from some distance on, by the rule of batch.h: nothing is missing.
void proxies(Trial& trial);

}  // namespace properties
