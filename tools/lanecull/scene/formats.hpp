#pragma once

#include <string_view>

#include "scene/scene.hpp"

/// The readers of formats but for glTF's (gltf/gltf_scene.hpp). Each has a function of a file's name and, but for
/// assimp's, one of its contents. Errors name the file and the place.
namespace lanecull::program {

/// A text of boxes, one a line: minx miny minz maxx maxy maxz, separated by blanks, commas or semicolons. # begins a
/// comment, empty lines do not count. The first other line may be a header, which has no number and names the columns:
/// minx or xmin, and so on; name or id; group; in any order, with others between them. Blanks, underscores and upper
/// case make no difference. A header fails unless it names each corner once: numbers under other names may mean
/// anything. Without z the boxes are those of the plane. Boxes are rounded outwards where floats do not hold them. "-"
/// is the standard input.
[[nodiscard]] Scene read_box_list(const std::string& file);
[[nodiscard]] Scene parse_box_list(std::string_view text, const std::string& file);

/// Whether the file's name says that it is a list: .txt, .csv, .tsv, or "-".
[[nodiscard]] bool is_box_list(const std::string& file);

/// Boxes of the plane, one array a component.
struct FlatBoxes {
    std::vector<float> min_x, min_y, max_x, max_y;
};

/// Whether the file is a list of boxes of the plane: its header names no z, or its first box has four numbers, minx
/// miny maxx maxy.
[[nodiscard]] bool is_flat_box_list(const std::string& file);
[[nodiscard]] FlatBoxes read_flat_box_list(const std::string& file);

/// CityJSON (1.0 to 2.0, cityjson.org). Each city object without parents is an object of the scene, together with all
/// its children, in the group of its type ("Building"), and its identifier is its name. Of several geometries of a city
/// object the most detailed counts. Coordinates are relative to `translate`, or to the least coordinates where the file
/// has none, which the description says: floats of a whole country's coordinates would be off by centimetres.
[[nodiscard]] Scene read_city_json(const std::string& file);
[[nodiscard]] Scene parse_city_json(std::string_view text, const std::string& file);

/// PLY, text or binary: one object, of the points that its faces or strips of triangles use, or of all points where it
/// has neither. Lines of the header with words that PLY does not have are skipped: some writers leave out `comment`.
/// Debian 12's assimp 5.2 takes binary data that begin with bytes of line ends for lines, ends the program with a
/// signal for some files, and reads others that are cut off in part.
///
/// Vertices without faces that have rot_0 to rot_3 and scale_0 to scale_2 are Gaussian splats: ellipsoids, each
/// half-axis so many deviations, which are powers of e in the file.
[[nodiscard]] Scene parse_ply(std::string_view text, const std::string& file, double deviations = 3);

/// With assimp: for each mesh of each node an instance of the hull of the points that its faces use. Fails if assimp
/// does, or if it logs an error that is about more than materials and other things that are not used here: it reads
/// what it can of a damaged file, and says so nowhere else.
[[nodiscard]] Scene read_with_assimp(const std::string& file);

/// Fails if the file is of a well-known format that no reader here knows, or keeps its meshes where none looks, with
/// what is read instead; or if it is shorter than its header says, or lacks the words that files of its format end
/// with. assimp reads the beginning of such files as if it were all.
void refuse_damaged(const std::string& file);

}  // namespace lanecull::program
