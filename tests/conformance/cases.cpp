#include "objects.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>

namespace {

/// Takes numbers from the front of a file.
class Words {
public:
    explicit Words(const char* path) {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rb"), std::fclose);
        std::uint32_t word = 0;
        while (file != nullptr && std::fread(&word, sizeof word, 1, file.get()) == 1) words_.push_back(word);
    }
    std::uint32_t take() { return at_ < words_.size() ? words_[at_++] : (short_ = true, 0); }
    std::vector<float> take_floats(std::size_t count) {
        std::vector<float> floats(std::min(count, words_.size()));
        for (float& number : floats) {
            const std::uint32_t word = take();
            std::memcpy(&number, &word, sizeof number);
        }
        return floats;
    }
    [[nodiscard]] bool all_taken() const { return !short_ && at_ == words_.size(); }

private:
    std::vector<std::uint32_t> words_;
    std::size_t at_ = 0;
    bool short_ = false;
};

LabelledCase take_case(Words& from) {
    constexpr std::size_t shape_numbers[] = {4, 6, 6, 15, 7}, light_numbers[] = {0, 4, 3};
    LabelledCase taken;
    taken.expect = LabelledCase::Expect{from.take()};
    taken.shape_kind = from.take();
    taken.view_kind = from.take();
    taken.light_kind = std::min(from.take(), 2u);
    taken.vertices = from.take();
    taken.view = from.take_floats(taken.view_kind == 2 ? 24 : 16);
    taken.light = from.take_floats(light_numbers[taken.light_kind]);
    taken.sweep = from.take_floats(3);
    taken.shape = from.take_floats(taken.shape_kind < 5 ? shape_numbers[taken.shape_kind] : 3 * taken.vertices);
    return taken;
}

}  // namespace

lanecull::Status LabelledCase::prepare(lanecull::View& to) const {
    lanecull::DirectionalLight directional_light;
    lanecull::PointLight point_light;
    lanecull::ViewOptions options;
    if (light_kind == 1) {
        std::copy_n(light.begin(), 3, directional_light.toward);
        directional_light.reach = static_cast<double>(light[3]);
        options.directional_light = &directional_light;
    } else if (light_kind == 2) {
        std::copy_n(light.begin(), 3, point_light.at);
        options.point_light = &point_light;
    }
    std::array<double, 24> numbers{};
    std::copy(view.begin(), view.end(), numbers.begin());
    if (view_kind == 2) return lanecull::prepare_view_from_corners(numbers, to, options);
    lanecull::ClipSpace clip_space{.layout = lanecull::MatrixLayout::row_major};
    if (view_kind == 1) clip_space.depth = lanecull::DepthRange::minus_one_to_one;
    return lanecull::prepare_view(std::span(numbers).first<16>(), clip_space, to, options);
}

lanecull::Status LabelledCase::ask(const lanecull::View& in, const lanecull::CullOptions& options, bool& visible,
                                   lanecull::Certificate& certificate) const {
    static constexpr float in_place[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const float* stream[18] = {};
    for (std::size_t k = 0; k < std::min(std::size(stream), shape.size()); ++k) stream[k] = &shape[k];
    NumbersOfBatch numbers{.stream = stream, .records = {stream[3], stream[12]}};
    if (std::any_of(sweep.begin(), sweep.end(), [](float x) { return x != 0; })) {
        lanecull::Attributes& also = numbers.attributes;
        also.sweep_x = &sweep[0], also.sweep_y = &sweep[1], also.sweep_z = &sweep[2];
    }
    std::vector<float> axis[3];
    lanecull::Hull hull;
    if (shape_kind == 5) {
        for (std::size_t i = 0; i < shape.size(); ++i) axis[i % 3].push_back(shape[i]);
        lanecull::Status status =
            lanecull::prepare_hull(axis[0].data(), axis[1].data(), axis[2].data(), vertices, hull);
        if (!status) return status;
        numbers.records[0] = in_place, numbers.hull = &hull;
    }
    const lanecull::Batch batch = batch_of(shape_kind, numbers);
    std::uint64_t word = 0;
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    // The verdict is that of a call without certificates, which takes the closed forms.
    lanecull::Output output{.visible = {&word, 1}};
    lanecull::Status status = lanecull::cull({&batch, 1}, {&in, 1}, {&output, 1}, scratch, options);
    visible = word != 0;
    if (!status) return status;
    lanecull::Explanation why{.certificates = {&certificate, 1}};
    output.explanation = &why;
    return lanecull::cull({&batch, 1}, {&in, 1}, {&output, 1}, scratch, options);
}

std::vector<LabelledCase> read_cases(const char* path) {
    Words words(path);
    std::vector<LabelledCase> cases(std::min(words.take(), 1'000'000u));
    for (LabelledCase& one : cases) one = take_case(words);
    if (!words.all_taken()) cases.clear();
    return cases;
}
