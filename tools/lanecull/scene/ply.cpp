#include "scene/formats.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <system_error>

#include "scene/mesh_scene.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

constexpr std::string_view blanks = " \t\r\n";

template <class T>
double number_in(const char* bytes) {
    T number;
    std::memcpy(&number, bytes, sizeof number);
    return static_cast<double>(number);
}

/// A type of numbers, in binary files.
struct Type {
    std::size_t bytes;
    double (*number)(const char*);
};

template <class T>
constexpr Type type_of{sizeof(T), number_in<T>};

constexpr std::pair<std::string_view, Type> types[] = {
    {"char", type_of<std::int8_t>},     {"int8", type_of<std::int8_t>},     {"uchar", type_of<std::uint8_t>},
    {"uint8", type_of<std::uint8_t>},   {"short", type_of<std::int16_t>},   {"int16", type_of<std::int16_t>},
    {"ushort", type_of<std::uint16_t>}, {"uint16", type_of<std::uint16_t>}, {"int", type_of<std::int32_t>},
    {"int32", type_of<std::int32_t>},   {"uint", type_of<std::uint32_t>},   {"uint32", type_of<std::uint32_t>},
    {"float", type_of<float>},          {"float32", type_of<float>},        {"double", type_of<double>},
    {"float64", type_of<double>}};

/// Null: there is none of that name.
const Type* type_named(std::string_view name) {
    const auto* found = std::ranges::find(types, name, &std::pair<std::string_view, Type>::first);
    return found == std::end(types) ? nullptr : &found->second;
}

/// What each row of an element has: a number, or a list of them behind their count.
struct Property {
    std::string_view name;
    Type type, count;
    bool is_list;
};

/// So many rows: "vertex", "face".
struct Element {
    std::string_view name;
    std::uint64_t rows = 0;
    std::vector<Property> properties = {};
};

struct Header {
    std::string_view format;
    std::vector<Element> elements;
    std::size_t length = 0;  ///< where the data begin
};

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty()) return words;
        words.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words.back().size());
    }
}

/// Takes a line of a header in. False: it breaks a rule.
bool read_line(const std::vector<std::string_view>& words, Header& header) {
    if (words[0] == "format") {
        if (words.size() < 2) return false;
        header.format = words[1];
        return words[1] == "ascii" || words[1] == "binary_little_endian" || words[1] == "binary_big_endian";
    }
    if (words[0] == "element") {
        if (words.size() < 3) return false;
        Element& element = header.elements.emplace_back(Element{.name = words[1]});
        const char* end = words[2].data() + words[2].size();
        const auto [at, error] = std::from_chars(words[2].data(), end, element.rows);
        return error == std::errc() && at == end;
    }
    if (words[0] == "property") {
        const bool is_list = words.size() > 1 && words[1] == "list";
        if (header.elements.empty() || words.size() < (is_list ? 5U : 3U)) return false;
        const Type *count = type_named(words[is_list ? 2 : 1]), *type = type_named(words[is_list ? 3 : 1]);
        if (count == nullptr || type == nullptr) return false;
        header.elements.back().properties.push_back({words[is_list ? 4 : 2], *type, *count, is_list});
    }
    return true;
}

Header header_of(std::string_view text, const std::string& file) {
    // Lines end as the first does: data may begin with a byte that ends lines elsewhere.
    const std::size_t first = text.substr(0, 80).find_first_of("\r\n");
    if (first == std::string_view::npos || words_of(text.substr(0, first)) != std::vector<std::string_view>{"ply"}) {
        fail("{}: not PLY: its first line is not 'ply'", file);
    }
    const std::string_view ending = text.substr(first, text.substr(first).starts_with("\r\n") ? 2 : 1);
    Header header;
    for (;;) {
        const std::size_t end = text.find(ending, header.length);
        if (end == std::string_view::npos) fail("{}: cut off within its header", file);
        const std::string_view line = text.substr(header.length, end - header.length);
        header.length = end + ending.size();
        const std::vector<std::string_view> words = words_of(line);
        if (words.empty()) continue;
        if (words[0] == "end_header") break;
        if (!read_line(words, header)) {
            fail("{}: its header has '{}', which breaks PLY's rules", file, printable(line.substr(0, 200)));
        }
    }
    if (header.format.empty()) fail("{}: its header has no format", file);
    return header;
}

/// The numbers behind a header, one after the other.
class Numbers {
public:
    Numbers(std::string_view data, std::string_view format)
        : data_(data), is_text_(format == "ascii"), is_reversed_(format == "binary_big_endian") {}

    /// False: the data end before it, or have something else.
    bool next(const Type& type, double& number) {
        if (is_text_) return next_word(number);
        std::array<char, 8> bytes;
        if (data_.size() < type.bytes) data_ = {};
        if (data_.empty()) return false;
        std::copy_n(data_.data(), type.bytes, bytes.data());
        if (is_reversed_) std::reverse(bytes.data(), bytes.data() + type.bytes);
        number = type.number(bytes.data());
        data_.remove_prefix(type.bytes);
        return true;
    }

    [[nodiscard]] bool at_end() const { return data_.empty(); }

private:
    bool next_word(double& number) {
        data_.remove_prefix(std::min(data_.find_first_not_of(blanks), data_.size()));
        if (data_.starts_with('+')) data_.remove_prefix(1);
        const auto [end, error] = std::from_chars(data_.data(), data_.data() + data_.size(), number);
        if (error != std::errc()) {
            if (data_.find_first_of(blanks) == std::string_view::npos) data_ = {};  // a word that is cut off
            return false;
        }
        data_.remove_prefix(static_cast<std::size_t>(end - data_.data()));
        return data_.empty() || blanks.find(data_.front()) != std::string_view::npos;
    }

    std::string_view data_;
    bool is_text_, is_reversed_;
};

/// The whole number that a double is; -1 for what is none of 32 bits.
std::int64_t whole(double number) {
    const bool is_whole = number >= -0x1p31 && number < 0x1p32 && number == std::floor(number);
    return is_whole ? static_cast<std::int64_t>(number) : -1;
}

/// The numbers of a vertex that are read, and of a splat.
constexpr std::string_view names_of_numbers[] = {"x",     "y",     "z",       "rot_1",   "rot_2",
                                                 "rot_3", "rot_0", "scale_0", "scale_1", "scale_2"};
constexpr std::size_t coordinates = 3, numbers_of_splat = std::size(names_of_numbers);

class PlyReader {
public:
    PlyReader(std::string_view text, const std::string& file, double deviations)
        : file_(file),
          header_(header_of(text, file)),
          numbers_(text.substr(header_.length), header_.format),
          deviations_(deviations),
          has_splats_(std::ranges::any_of(header_.elements, has_numbers_of_splats) &&
                      std::ranges::none_of(header_.elements, has_corners)) {}

    Scene scene() {
        for (const Element& element : header_.elements) read(element);
        if (has_splats_) return scene_of_splats();
        if (sizes_.empty()) {  // a cloud of points
            for (std::size_t i = 0; i < points_.size(); ++i) builder_.add_face(std::array{point(i)});
        }
        std::vector<glm::vec3> face;
        auto corner = corners_.begin();
        for (const std::size_t size : sizes_) {
            face.clear();
            while (face.size() < size) face.push_back(point(*corner++));
            builder_.add_polygon(face);
        }
        MeshSceneBuilder scene(file_);
        for (HullMesh& mesh : builder_.take()) {
            mesh.name = "(no name)";
            scene.add_object(scene.add_mesh(std::move(mesh)), glm::dmat4(1), "", "the mesh");
        }
        return scene.finish();
    }

private:
    void read(const Element& element) {
        if (element.properties.empty()) return;  // else each row has a byte
        const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
        const bool is_strip = element.name == "tristrips";
        if (is_vertex) check_coordinates(element);
        std::vector<std::size_t> places;  // of each property among a vertex's numbers
        for (const Property& property : element.properties) {
            const auto* const found = std::ranges::find(names_of_numbers, property.name);
            places.push_back(static_cast<std::size_t>(found - std::begin(names_of_numbers)));
        }
        for (std::uint64_t row = 0; row < element.rows; ++row) {
            std::array<double, numbers_of_splat> vertex{};
            for (std::size_t k = 0; k < element.properties.size(); ++k) {
                const Property& property = element.properties[k];
                read(property, element, row);
                const bool is_corners = property.name == "vertex_indices" || property.name == "vertex_index";
                if (is_vertex && places[k] < vertex.size()) {
                    vertex[places[k]] = list_.empty() ? 0 : list_.front();
                } else if (is_face && is_corners) {
                    keep_face(list_);
                } else if (is_strip && is_corners) {
                    keep_strip();
                }
            }
            if (is_vertex && has_splats_) {
                add_splat(vertex, row);
            } else if (is_vertex) {
                points_.emplace_back(vertex[0], vertex[1], vertex[2]);
            }
        }
    }

    void check_coordinates(const Element& element) const {
        for (const std::string_view name : std::span(names_of_numbers).first(coordinates)) {
            const auto found = std::ranges::find(element.properties, name, &Property::name);
            if (found == element.properties.end() || found->is_list) fail("{}: its vertices have no {}", file_, name);
        }
    }

    static bool has_numbers_of_splats(const Element& element) {
        return element.name == "vertex" && std::ranges::all_of(names_of_numbers, [&](std::string_view name) {
                   return std::ranges::any_of(element.properties, [&](const Property& property) {
                       return property.name == name && !property.is_list;
                   });
               });
    }

    static bool has_corners(const Element& element) {
        return element.rows != 0 && (element.name == "face" || element.name == "tristrips");
    }

    void add_splat(const std::array<double, numbers_of_splat>& v, std::uint64_t row) {
        const glm::dvec3 center(v[0], v[1], v[2]), half = deviations_ * glm::exp(glm::dvec3(v[7], v[8], v[9]));
        const glm::dvec4 turn(v[3], v[4], v[5], v[6]);
        const double length = glm::length(turn);
        if (!is_finite(glm::vec3(center))) fail("{}: vertex {} is not finite", file_, row);
        if (!(length > 1e-15 && length < max_coordinate)) fail("{}: vertex {} has no rotation", file_, row);
        if (!(std::max({half.x, half.y, half.z}) < max_coordinate) || !is_finite(half)) {
            fail("{}: vertex {} has a scale beyond {:g}", file_, row, max_coordinate);
        }
        splats_.add(center, turn / length, half);
    }

    Scene scene_of_splats() {
        if (splats_.x.empty()) fail("{}: no splats in it", file_);
        Scene scene;
        scene.name = std::filesystem::path(file_).filename().string();
        scene.description =
            fmt::format("{}, half-axes of {:g} deviations", counted(splats_.x.size(), "splat"), deviations_);
        scene.up = {0, 1, 0};
        scene.add("splats", std::move(splats_));
        return scene;
    }

    /// Fills list_ with a property's numbers.
    void read(const Property& property, const Element& element, std::uint64_t row) {
        const std::int64_t count = property.is_list ? whole(number(property.count, element, row)) : 1;
        if (count < 0) fail("{}: {} {} has a list of no length", file_, printable(element.name), row);
        list_.clear();
        for (std::int64_t i = 0; i < count; ++i) list_.push_back(number(property.type, element, row));
    }

    double number(const Type& type, const Element& element, std::uint64_t row) {
        double result = 0;
        if (numbers_.next(type, result)) return result;
        const std::string name = printable(element.name).substr(0, 40);
        if (!numbers_.at_end()) fail("{}: {} {} has something that is not a number", file_, name, row);
        fail("{}: cut off within {} {} of {}", file_, name, grouped(row), grouped(element.rows));
    }

    void keep_face(std::span<const double> corners) {
        for (const double corner : corners) {
            const std::int64_t index = whole(corner);
            if (index < 0) fail("{}: a face names vertex {:g}", file_, corner);
            corners_.push_back(static_cast<std::uint32_t>(index));
        }
        sizes_.push_back(corners.size());
    }

    /// Three corners in a row are a triangle; -1 begins a new strip.
    void keep_strip() {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < list_.size(); ++i) {
            if (list_[i] == -1) begin = i + 1;
            if (i >= begin + 2) keep_face(std::span(list_).subspan(i - 2, 3));
        }
    }

    [[nodiscard]] const glm::vec3& point(std::size_t index) const {
        if (index >= points_.size()) fail("{}: a face names vertex {} of {}", file_, index, points_.size());
        if (!is_finite(points_[index])) fail("{}: vertex {} is not finite", file_, index);
        return points_[index];
    }

    const std::string& file_;
    const Header header_;
    Numbers numbers_;
    std::vector<double> list_;
    std::vector<glm::vec3> points_;
    std::vector<std::uint32_t> corners_;  ///< of all faces, one after the other
    std::vector<std::size_t> sizes_;      ///< how many each has
    HullMeshBuilder builder_;
    const double deviations_;
    const bool has_splats_;
    EllipsoidArrays splats_;
};

}  // namespace

Scene parse_ply(std::string_view text, const std::string& file, double deviations) {
    return PlyReader(text, file, deviations).scene();
}

}  // namespace lanecull::program
