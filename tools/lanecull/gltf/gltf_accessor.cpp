#include "gltf/gltf_accessor.hpp"

#include <limits>

#include "support/text.hpp"

namespace lanecull::program {
namespace {

template <class Number>
double number_at(const std::byte* bytes, bool normalized) {
    Number number;
    std::memcpy(&number, bytes, sizeof(Number));
    const auto value = static_cast<double>(number);
    if constexpr (std::is_integral_v<Number>) {
        // The least of a signed type stands for -1, as the one after it does.
        if (normalized) return std::max(value / static_cast<double>(std::numeric_limits<Number>::max()), -1.0);
    }
    return value;
}

/// From int8 on.
constexpr struct {
    std::size_t size;  ///< 0: there is none
    double (*at)(const std::byte*, bool normalized);
} kinds_of_numbers[] = {{1, number_at<std::int8_t>},
                        {1, number_at<std::uint8_t>},
                        {2, number_at<std::int16_t>},
                        {2, number_at<std::uint16_t>},
                        {0, nullptr},
                        {4, number_at<std::uint32_t>},
                        {4, number_at<float>}};

GltfRows::Component component_of(const JsonObject& source) {
    const std::uint64_t type = source.required("componentType", source.integer("componentType"));
    if (type < GltfRows::int8 || type > GltfRows::float32 || kinds_of_numbers[type - GltfRows::int8].size == 0) {
        source.reject("componentType", "is {}, which glTF 2.0 does not have", type);
    }
    return static_cast<GltfRows::Component>(type);
}

std::size_t components_of(const JsonObject& source) {
    constexpr std::pair<std::string_view, std::size_t> kinds[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                                  {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const std::string type = source.required("type", source.text("type"));
    const auto* kind = std::ranges::find(kinds, type, &std::pair<std::string_view, std::size_t>::first);
    if (kind == std::end(kinds)) {
        source.reject("type", "is {}, which glTF 2.0 does not have", printable(type.substr(0, 40)));
    }
    return kind->second;
}

/// `count` rows from a buffer view that `source` names.
void place(GltfFile& file, const JsonObject& source, std::uint64_t count, bool may_stride, GltfRows& rows) {
    const JsonArray views = file.list("bufferViews");
    const std::size_t index = source.required("bufferView", source.index("bufferView", views.size()));
    const std::size_t size = rows.bytes_a_row();
    const std::uint64_t stride = may_stride ? views[index].integer("byteStride").value_or(size) : size;
    if (stride < size || stride > 252 + size) {
        views[index].reject("byteStride", "is {}, and each element of {} has {} bytes", stride, source.place(), size);
    }
    const std::span<const std::byte> bytes = file.view(index);
    const std::uint64_t offset = source.integer("byteOffset").value_or(0);
    if (offset > bytes.size() || bytes.size() - offset < size ||
        (count - 1) > (bytes.size() - offset - size) / stride) {
        source.reject_all("is cut off: {} elements of {} bytes, {} apart, from byte {} on, and its buffer view has {}",
                          count, size, stride, offset, bytes.size());
    }
    rows.first = bytes.data() + offset;
    rows.stride = stride;
}

}  // namespace

std::size_t GltfRows::bytes_a_row() const { return components * kinds_of_numbers[type - int8].size; }

double GltfRows::at(std::size_t row, std::size_t component) const {
    if (first == nullptr) return 0;
    const auto& [size, number] = kinds_of_numbers[type - int8];
    return number(first + row * stride + component * size, normalized);
}

GltfAccessor::GltfAccessor(GltfFile& file, std::size_t index) {
    const JsonObject source = file.list("accessors")[index];
    count_ = source.required("count", source.integer("count"));
    if (count_ == 0 || count_ > std::numeric_limits<std::uint32_t>::max()) {
        source.reject("count", "is {}; 1 to 4294967295 is allowed", count_);
    }
    rows_.type = component_of(source);
    rows_.components = components_of(source);
    rows_.normalized = source.boolean("normalized");
    if (source.has("bufferView")) place(file, source, count_, true, rows_);
    if (const std::optional<JsonObject> sparse = source.object("sparse")) read_sparse(file, *sparse);
}

void GltfAccessor::read_sparse(GltfFile& file, const JsonObject& sparse) {
    const std::uint64_t count = sparse.required("count", sparse.integer("count"));
    if (count == 0 || count > count_) sparse.reject("count", "is {} of {}", count, count_);
    const JsonObject indices = sparse.required("indices", sparse.object("indices"));
    GltfRows rows{.type = component_of(indices)};
    if (rows.type == GltfRows::float32) indices.reject("componentType", "is to be one of integers");
    place(file, indices, count, false, rows);
    file.charge(count);
    sparse_rows_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double row = rows.at(i, 0);
        if (!(row >= 0 && row < static_cast<double>(count_))) indices.reject_all("names element {} of {}", row, count_);
        if (!sparse_rows_.empty() && row <= sparse_rows_.back()) indices.reject_all("does not ascend");
        sparse_rows_.push_back(static_cast<std::uint32_t>(row));
    }
    sparse_ = rows_;
    place(file, sparse.required("values", sparse.object("values")), count, false, sparse_);
}

double GltfAccessor::at(std::size_t row, std::size_t component) const {
    const auto found = std::ranges::lower_bound(sparse_rows_, row);
    if (found == sparse_rows_.end() || *found != row) return rows_.at(row, component);
    return sparse_.at(static_cast<std::size_t>(found - sparse_rows_.begin()), component);
}

bool GltfAccessor::has_integers() const {
    return !rows_.normalized &&
           (rows_.type == GltfRows::uint8 || rows_.type == GltfRows::uint16 || rows_.type == GltfRows::uint32);
}

glm::dmat4 GltfAccessor::matrix(std::size_t row) const {
    glm::dmat4 result;
    for (int k = 0; k < 16; ++k) result[k / 4][k % 4] = at(row, static_cast<std::size_t>(k));
    return result;
}

const GltfAccessor* GltfAccessors::find(const JsonObject& source, const char* member, std::size_t components) {
    const std::optional<std::size_t> index = source.index(member, file_.list("accessors").size());
    if (!index) return nullptr;
    auto entry = read_.find(*index);
    if (entry == read_.end()) entry = read_.emplace(*index, GltfAccessor(file_, *index)).first;
    if (entry->second.components() != components) {
        source.reject(member, "is to have {} numbers an element, not {}", components, entry->second.components());
    }
    return &entry->second;
}

const GltfAccessor& GltfAccessors::get(const JsonObject& source, const char* member, std::size_t components) {
    const GltfAccessor* accessor = find(source, member, components);
    if (accessor == nullptr) source.reject(member, "is missing");
    return *accessor;
}

}  // namespace lanecull::program
