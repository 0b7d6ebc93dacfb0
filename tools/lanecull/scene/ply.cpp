#include "scene/ply.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "scene/hull_mesh_builder.hpp"
#include "scene/mesh_scene.hpp"
#include "scene/ply_header.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"
#include "support/mapped_file.hpp"
#include "support/output_file.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

/// The numbers behind a header, one after the other.
class Numbers {
public:
    Numbers(std::string_view data, PlyFormat format) : data_(data), format_(format) {}

    /// False: the data end before it, or have something else.
    bool next(PlyNumber type, double& number) {
        if (format_ == PlyFormat::ascii) return next_word(number);
        switch (type) {
            case PlyNumber::int8:
                return next_bytes<std::int8_t>(number);
            case PlyNumber::uint8:
                return next_bytes<std::uint8_t>(number);
            case PlyNumber::int16:
                return next_bytes<std::int16_t>(number);
            case PlyNumber::uint16:
                return next_bytes<std::uint16_t>(number);
            case PlyNumber::int32:
                return next_bytes<std::int32_t>(number);
            case PlyNumber::uint32:
                return next_bytes<std::uint32_t>(number);
            case PlyNumber::float32:
                return next_bytes<float>(number);
            case PlyNumber::float64:
                return next_bytes<double>(number);
        }
        return false;
    }

    [[nodiscard]] bool at_end() const { return data_.empty(); }

private:
    template <class T>
    bool next_bytes(double& number) {
        std::array<char, sizeof(T)> bytes;
        if (data_.size() < bytes.size()) {
            data_ = {};
            return false;
        }
        std::copy_n(data_.data(), bytes.size(), bytes.data());
        if (format_ == PlyFormat::big_endian) std::ranges::reverse(bytes);
        number = static_cast<double>(std::bit_cast<T>(bytes));
        data_.remove_prefix(bytes.size());
        return true;
    }

    bool next_word(double& number) {
        data_.remove_prefix(std::min(data_.find_first_not_of(" \t\r\n"), data_.size()));
        if (data_.starts_with('+')) data_.remove_prefix(1);
        const auto [end, error] = std::from_chars(data_.data(), data_.data() + data_.size(), number);
        if (error != std::errc()) {
            if (data_.find_first_of(" \t\r\n") == std::string_view::npos) data_ = {};  // a word that is cut off
            return false;
        }
        data_.remove_prefix(static_cast<std::size_t>(end - data_.data()));
        return data_.empty() || std::string_view(" \t\r\n").find(data_.front()) != std::string_view::npos;
    }

    std::string_view data_;
    PlyFormat format_;
};

/// The whole number that a double is; -1 for what is none of 32 bits.
std::int64_t whole(double number) {
    const bool is_whole = number >= -0x1p31 && number < 0x1p32 && number == std::floor(number);
    return is_whole ? static_cast<std::int64_t>(number) : -1;
}

class PlyReader {
public:
    PlyReader(std::string_view text, const std::string& file)
        : file_(file), header_(ply_header(text, file)), numbers_(text.substr(header_.length), header_.format) {}

    Scene scene() {
        for (const PlyElement& element : header_.elements) read(element);
        if (sizes_.empty()) {  // a cloud of points
            for (std::size_t i = 0; i < points_.size(); ++i) builder_.add_face(std::array{point(i)});
        }
        std::size_t at = 0;
        for (const std::size_t size : sizes_) {
            add_face(std::span(corners_).subspan(at, size));
            at += size;
        }
        MeshSceneBuilder scene(file_);
        for (HullMesh& mesh : builder_.take()) {
            mesh.name = "(no name)";
            scene.add_object(scene.add_mesh(std::move(mesh)), glm::dmat4(1), "", "the mesh");
        }
        return scene.finish();
    }

private:
    void read(const PlyElement& element) {
        if (element.properties.empty()) return;  // else each row has a byte
        const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
        const bool is_strip = element.name == "tristrips";
        if (is_vertex) check_coordinates(element);
        for (std::uint64_t row = 0; row < element.count; ++row) {
            glm::dvec3 position(0);
            for (const PlyProperty& property : element.properties) {
                read(property, element, row);
                const bool is_corners = property.name == "vertex_indices" || property.name == "vertex_index";
                if (is_vertex && property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z') {
                    position[property.name[0] - 'x'] = list_.empty() ? 0 : list_.front();
                } else if (is_face && is_corners) {
                    keep_face(list_);
                } else if (is_strip && is_corners) {
                    keep_strip();
                }
            }
            if (is_vertex) points_.emplace_back(position);
        }
    }

    void check_coordinates(const PlyElement& element) const {
        for (const char* name : {"x", "y", "z"}) {
            const auto found = std::ranges::find(element.properties, name, &PlyProperty::name);
            if (found == element.properties.end() || found->count_type)
                fail("{}: its vertices have no {}", file_, name);
        }
    }

    /// Fills list_ with a property's numbers.
    void read(const PlyProperty& property, const PlyElement& element, std::uint64_t row) {
        std::int64_t count = 1;
        if (property.count_type) {
            count = whole(number(*property.count_type, element, row));
            if (count < 0) fail("{}: {} {} has a list of no length", file_, printable(element.name), row);
        }
        list_.clear();
        for (; count > 0; --count) list_.push_back(number(property.type, element, row));
    }

    double number(PlyNumber type, const PlyElement& element, std::uint64_t row) {
        double result = 0;
        if (numbers_.next(type, result)) return result;
        const std::string name = printable(element.name).substr(0, 40);
        if (!numbers_.at_end()) fail("{}: {} {} has something that is not a number", file_, name, row);
        fail("{}: cut off within {} {} of {}", file_, name, grouped(row), grouped(element.count));
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
        const glm::vec3& p = points_[index];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
            fail("{}: vertex {} is not finite", file_, index);
        }
        return p;
    }

    void add_face(std::span<const std::uint32_t> corners) {
        face_.clear();
        for (const std::uint32_t corner : corners) face_.push_back(point(corner));
        builder_.add_polygon(face_);
    }

    const std::string& file_;
    const PlyHeader header_;
    Numbers numbers_;
    std::vector<double> list_;
    std::vector<glm::vec3> points_;
    std::vector<std::uint32_t> corners_;  ///< of all faces, one after the other
    std::vector<std::size_t> sizes_;      ///< how many each has
    std::vector<glm::vec3> face_;
    HullMeshBuilder builder_;
};

}  // namespace

bool is_ply(const std::string& file) { return ends_in(file, ".ply"); }

Scene read_ply(const std::string& file) {
    const MappedFile mapped(file);
    return parse_ply({reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()}, file);
}

Scene parse_ply(std::string_view text, const std::string& file) { return PlyReader(text, file).scene(); }

}  // namespace lanecull::program
