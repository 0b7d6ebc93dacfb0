#pragma once

#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

/// glTF 2.0 files (.gltf, .glb, .vrm) as scenes and as paths of cameras.
namespace lanecull::program {

/// Reads the scene of a file: each primitive of each node's mesh is an object, or as many as EXT_mesh_gpu_instancing
/// says, at rest: morph targets have the weights of their nodes, else meshes, and joints are where their nodes are.
/// The description counts what the file has and is not read.
[[nodiscard]] Scene parse_gltf(std::span<const std::byte> bytes, const std::string& file);

/// The colliders of a file's scene that are shapes (KHR_physics_rigid_bodies, KHR_implicit_shapes), each an object in
/// the group of its kind: "spheres", "boxes", "capsules", "cylinders", "cones", "ellipsoids". What is no kind of the
/// library's, such as a cone that is cut off, becomes a larger capsule or cylinder around it, which the description
/// counts.
[[nodiscard]] Scene parse_gltf_colliders(std::span<const std::byte> bytes, const std::string& file);

/// What the lights of a file's scene reach (KHR_lights_punctual): balls, and round cones of spotlights up to 84 degrees
/// from their axes; wider ones are balls. Those without a range are left out.
[[nodiscard]] Scene parse_gltf_lit(std::span<const std::byte> bytes, const std::string& file);

/// The cameras of a file's scene as a path. If one is animated, it or a node above it: `frames`, else
/// `animated_frames`, evenly in time through the animation, of the first such camera. Else each camera is one frame, in
/// the order of the file's nodes; with `frames` that many along a curve through them. Where the file has no far plane
/// there is none. Fails if there is no camera, and as path_from_file() does.
[[nodiscard]] CameraPath path_of_gltf(const std::string& file, std::optional<std::size_t> frames,
                                      std::size_t animated_frames, const LensOptions& lens);
/// The same of its contents.
[[nodiscard]] CameraPath parse_gltf_path(std::span<const std::byte> bytes, const std::string& file,
                                         std::optional<std::size_t> frames, std::size_t animated_frames,
                                         const LensOptions& lens);

}  // namespace lanecull::program
