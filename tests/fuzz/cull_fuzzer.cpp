/// Batches of any kind and any numbers, in any view, by every instruction set that runs and every method. Nothing that
/// is in the view exactly is culled, nothing that is no shape either; outputs agree with one another.

#include <lanecull/bounds.hpp>
#include <lanecull/cull.hpp>

#include "check.hpp"
#include "culling.hpp"
#include "exact_objects.hpp"
#include "view_arguments.hpp"

namespace {

struct Streams {
    std::vector<float> margin, sweep[3], max_distance, min_size;
    std::vector<std::uint32_t> flags, layers;
};

/// Objects of one kind and what they carry, as the library and as the exact oracle take them.
class Objects {
public:
    explicit Objects(Input& input) : kind_(all_kinds[input.up_to(5)]) {
        hulls_.resize(1 + input.up_to(2));
        for (Vertices& vertices : hulls_) {
            vertices.resize(1 + input.up_to(kind_ == Kind::hull ? 20 : 0));
            for (auto& vertex : vertices) vertex = {moderate_single(input), moderate_single(input), input.single()};
            for (auto& vertex : vertices) vertex[2] = std::isfinite(vertex[2]) ? vertex[2] : 0;
        }
        by_quaternion_ = kind_ == Kind::oriented_box && input.flag();
        const Format format{.bounds = input.flag(), .stride_floats = input.flag() ? 0 : 12 + input.up_to(10)};
        objects_.resize(input.up_to(12) == 0 ? 33 + input.up_to(40) : 1 + input.up_to(8));
        for (Object& object : objects_) fill(object, input);
        batch_ = make_batch(kind_, objects_, hulls_, memory_, format);
        if (by_quaternion_) turn();
        add_streams(input);
    }

    [[nodiscard]] const lanecull::Batch& batch() const { return batch_; }
    [[nodiscard]] std::size_t count() const { return objects_.size(); }

    [[nodiscard]] bool disabled(std::size_t i) const {
        return has(streams_.flags) && (streams_.flags[i] & lanecull::object_disabled) != 0;
    }
    [[nodiscard]] bool on_a_layer_of(std::uint32_t mask, std::size_t i) const {
        return !has(streams_.layers) || (streams_.layers[i] & mask) != 0;
    }
    [[nodiscard]] bool always_visible(std::size_t i) const {
        return has(streams_.flags) && (streams_.flags[i] & lanecull::object_always_visible) != 0;
    }
    /// Numbers that make no shape: visible wherever it is.
    [[nodiscard]] bool invalid(std::size_t i) const;
    [[nodiscard]] bool moderate(std::size_t i) const;
    [[nodiscard]] exact::Solid solid(std::size_t i) const;
    /// Beyond this from the eye it may go.
    [[nodiscard]] float max_distance(std::size_t i) const {
        return has(streams_.max_distance) ? streams_.max_distance[i] : HUGE_VALF;
    }
    /// When it looks smaller than this it may go.
    [[nodiscard]] float min_size(std::size_t i) const { return has(streams_.min_size) ? streams_.min_size[i] : 0; }
    [[nodiscard]] std::string describe(std::size_t i) const;

private:
    template <class Number>
    static bool has(const std::vector<Number>& stream) {
        return !stream.empty();
    }
    static float moderate_single(Input& input) {
        const float number = input.single();
        return ::moderate(number) ? number : 1;
    }
    void fill(Object& object, Input& input);
    void turn();
    void add_streams(Input& input);
    /// Fields that may not be negative: from, to.
    [[nodiscard]] std::pair<std::size_t, std::size_t> sizes() const;

    Kind kind_;
    bool by_quaternion_ = false;
    HullSet hulls_;
    std::vector<Object> objects_;
    Streams streams_;
    HeapMemory memory_;
    lanecull::Batch batch_ = lanecull::Spheres{};
};

std::pair<std::size_t, std::size_t> Objects::sizes() const {
    switch (kind_) {
        case Kind::sphere:
            return {3, 4};
        case Kind::centered_box:
            return {3, 6};
        case Kind::oriented_box:
            return {12, 15};
        case Kind::capsule:
            return {6, 7};
        case Kind::quaternion_box:
            return {7, 10};
        case Kind::box:
        case Kind::hull:
            break;
    }
    return {0, 0};
}

void Objects::fill(Object& object, Input& input) {
    const auto [first, last] = sizes();
    for (std::size_t k = 0; k < field_count(kind_); ++k) {
        object.fields[k] = k >= first && k < last ? input.size() : input.single();
        if (kind_ == Kind::box && k >= 3 && input.up_to(15) != 0) {
            object.fields[k] = object.fields[k - 3] + std::fabs(object.fields[k]);
        }
    }
    // The usual axes or transform, mostly.
    const std::size_t matrix = kind_ == Kind::oriented_box ? 3 : 0, stride = kind_ == Kind::oriented_box ? 3 : 4;
    if ((kind_ == Kind::oriented_box || kind_ == Kind::hull) && input.up_to(3) != 0) {
        for (std::size_t k = 0; k < 9; ++k) object.fields[matrix + k / 3 * stride + k % 3] = k % 4 == 0 ? 1 : 0;
    }
    object.hull = input.up_to(static_cast<std::uint32_t>(hulls_.size() - 1));
}

/// The first four numbers of the axes taken for a quaternion.
void Objects::turn() {
    auto& boxes = std::get<lanecull::OrientedBoxes>(batch_.shapes);
    float* quaternions = memory_.array<float>(4 * count());
    for (std::size_t i = 0; i < count(); ++i) {
        for (std::size_t k = 0; k < 4; ++k) quaternions[4 * i + k] = objects_[i].fields[3 + k];
    }
    boxes.axes = {};
    boxes.quaternions = {quaternions};
    if (boxes.bounding_radius == nullptr) return;
    boxes.bounding_radius = nullptr;
    float* radius = memory_.array<float>(count());
    const lanecull::Status status = lanecull::bounding_radii(boxes, radius);
    check(status.ok(), "boxes have bounding radii", status.message());
    boxes.bounding_radius = radius;
}

void Objects::add_streams(Input& input) {
    lanecull::Attributes& attributes = batch_.attributes;
    const auto floats = [&](std::vector<float>& stream, bool may_be_negative) -> const float* {
        for (std::size_t i = 0; i < count(); ++i) stream.push_back(may_be_negative ? input.single() : input.size());
        return stream.data();
    };
    const auto words = [&](std::vector<std::uint32_t>& stream, std::uint32_t most) -> const std::uint32_t* {
        for (std::size_t i = 0; i < count(); ++i) stream.push_back(input.up_to(most));
        return stream.data();
    };
    const std::uint32_t which = input.up_to(3) == 0 ? input.up_to(63) : 0;
    if ((which & 1) != 0) attributes.margin = floats(streams_.margin, false);
    if ((which & 2) != 0) {
        attributes.sweep_x = floats(streams_.sweep[0], true);
        attributes.sweep_y = floats(streams_.sweep[1], true);
        attributes.sweep_z = floats(streams_.sweep[2], true);
    }
    if ((which & 4) != 0) attributes.flags = words(streams_.flags, 7);
    if ((which & 8) != 0) attributes.layers = words(streams_.layers, 15);
    if ((which & 16) != 0) attributes.max_distance = floats(streams_.max_distance, false);
    if ((which & 32) != 0) attributes.min_projected_size = floats(streams_.min_size, false);
}

bool Objects::invalid(std::size_t i) const {
    const Object& object = objects_[i];
    const std::size_t unread_first = by_quaternion_ ? 7 : 0, unread_last = by_quaternion_ ? 12 : 0;
    const auto [first, last] = sizes();
    for (std::size_t k = 0; k < field_count(kind_); ++k) {
        if (k >= unread_first && k < unread_last) continue;
        const float number = object.fields[k];
        if (!std::isfinite(number) || (k >= first && k < last && number < 0)) return true;
        if (kind_ == Kind::box && k >= 3 && number < object.fields[k - 3]) return true;
    }
    const auto is_size = [](float number) { return number >= 0; };  // and no NaN
    if (has(streams_.margin) && !(is_size(streams_.margin[i]) && std::isfinite(streams_.margin[i]))) return true;
    for (const auto& stream : streams_.sweep) {
        if (has(stream) && !std::isfinite(stream[i])) return true;
    }
    if (!by_quaternion_) return false;
    return object.fields[3] == 0 && object.fields[4] == 0 && object.fields[5] == 0 && object.fields[6] == 0;
}

bool Objects::moderate(std::size_t i) const {
    for (std::size_t k = 0; k < field_count(kind_); ++k) {
        if (!::moderate(objects_[i].fields[k])) return false;
    }
    for (const auto& vertex : hulls_[objects_[i].hull]) {
        for (const float component : vertex) {
            if (!::moderate(component)) return false;
        }
    }
    for (const auto* stream : {&streams_.margin, &streams_.sweep[0], &streams_.sweep[1], &streams_.sweep[2]}) {
        if (has(*stream) && !::moderate((*stream)[i])) return false;
    }
    return true;
}

exact::Solid Objects::solid(std::size_t i) const {
    const float* f = objects_[i].fields.data();
    exact::Solid solid =
        by_quaternion_ ? exact::rotated_box(f, f + 3, f + 12) : exact_solid_of(kind_, objects_[i], hulls_);
    if (has(streams_.sweep[0])) {
        solid = swept(std::move(solid), exact::point(streams_.sweep[0][i], streams_.sweep[1][i], streams_.sweep[2][i]));
    }
    if (has(streams_.margin)) solid = grown(std::move(solid), exact::rational(streams_.margin[i]));
    return solid;
}

std::string Objects::describe(std::size_t i) const {
    std::string text = std::string(by_quaternion_ ? "by quaternion, " : "") + ::describe(kind_, objects_[i], hulls_);
    const auto append = [&](const char* name, const std::vector<float>& stream) {
        char digits[80];
        if (has(stream)) text += (std::snprintf(digits, sizeof digits, "\n%s %a", name, double{stream[i]}), digits);
    };
    append("margin", streams_.margin);
    for (const auto& stream : streams_.sweep) append("sweep", stream);
    append("max_distance", streams_.max_distance);
    append("min_projected_size", streams_.min_size);
    return text;
}

ViewResult culled_by(const Objects& objects, const lanecull::View& view, const lanecull::Options& options) {
    const std::span<const lanecull::Batch> batches(&objects.batch(), 1);
    ViewResult result;
    result.words.resize(lanecull::visibility_words(batches));
    result.indices.resize(objects.count());
    lanecull::ViewOutput output = make_output(result.words, result.indices);
    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    const lanecull::Status status = cull(batches, {&view, 1}, {&output, 1}, scratch, options);
    check(status.ok(), "a batch is culled", status.message());

    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < objects.count(); ++i) {
        if (result.visible(i)) expected.push_back(i);
    }
    result.indices.resize(expected.size());
    check(output.visible_count == expected.size(), "visible_count counts the bits");
    check(result.indices == expected, "the indices are those of the bits");
    check(output.statistics.objects == objects.count(), "statistics count every object");
    check(output.statistics.visible() == expected.size(), "statistics count what is visible");
    return result;
}

/// What may not be culled, as far as exact arithmetic can tell in little time.
class Expectation {
public:
    Expectation(const ViewArguments& view, const Objects& objects) : view_(view), objects_(objects) {}

    [[nodiscard]] bool must_be_visible(std::size_t i) {
        if (objects_.always_visible(i) || objects_.invalid(i)) return true;
        if (!view_.moderate() || !objects_.moderate(i)) return false;
        if (view_.has_own_eye() || view_.size_scale != 0) {
            if (objects_.min_size(i) != 0) return false;
        }
        const exact::Solid solid = objects_.solid(i);
        return !may_be_too_far(solid, objects_.max_distance(i)) && meets_view(solid);
    }

private:
    [[nodiscard]] bool may_be_too_far(const exact::Solid& solid, float most) const {
        if (most == HUGE_VALF || (!view_.eye && !view_.has_own_eye())) return false;
        if (!view_.eye || !moderate(most) || most < 0) return true;
        const exact::Point eye[] = {exact::point((*view_.eye)[0], (*view_.eye)[1], (*view_.eye)[2])};
        const exact::Volume near = exact::Volume::hull(eye).widened(exact::rational(most));
        return decide(solid, near).verdict != exact::Verdict::visible;
    }
    [[nodiscard]] bool meets_view(const exact::Solid& solid) {
        if (!exact_view_) exact_view_.emplace(view_);
        return exact_view_->certainly_meets(solid);
    }

    const ViewArguments& view_;
    const Objects& objects_;
    std::optional<ExactView> exact_view_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const ViewArguments arguments(input);
    lanecull::View view;
    if (!arguments.prepare(view)) return 0;
    const Objects objects(input);

    std::vector<bool> culled(objects.count());  // by any
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            const ViewResult result = culled_by(objects, view, {.method = method, .isa = isa});
            for (std::size_t i = 0; i < objects.count(); ++i) {
                if (!result.visible(i)) culled[i] = true;
                const bool excluded = objects.disabled(i) || !objects.on_a_layer_of(arguments.layer_mask, i);
                check(!excluded || !result.visible(i), "what is disabled or on no layer is culled");
            }
        }
    }
    Expectation expectation(arguments, objects);
    for (std::size_t i = 0; i < objects.count(); ++i) {
        if (!culled[i] || objects.disabled(i) || !objects.on_a_layer_of(arguments.layer_mask, i)) continue;
        check(!expectation.must_be_visible(i), "what is in the view is visible",
              arguments.describe() + "\n" + objects.describe(i));
    }
    return 0;
}
