#include "api/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

#include "calls/kernel_table.hpp"
#include "conformance/caller_modes.hpp"
#include "support/culling.hpp"

namespace modes {
namespace {

/// The modes that are being tested.
std::uint64_t tested_modes = 0;

/// The call's answer under the modes, on the set that LANECULL_ISA names.
Answer answer_under(std::uint64_t modes, const PublicCall& call) {
    Answer answer;
    bool kept = false;
    tested_modes = modes;
    {
        const WithCallerModes with(modes);
        call.run(answer);
        kept = with.kept();
    }
    EXPECT_TRUE(kept) << "modes changed";
    return answer;
}

std::uint64_t taken = 0;

class CountingHooks : public testing::Environment {
    void SetUp() override {
        const lanecull::MemoryHooks hooks = {
            nullptr, [](void*, std::size_t bytes) { return ++taken, std::malloc(bytes); },
            [](void*, void* memory, std::size_t bytes) { return ++taken, std::realloc(memory, bytes); },
            [](void*, void* memory) { std::free(memory); }};
        ASSERT_TRUE(lanecull::set_memory_hooks(hooks));
    }
};
const testing::Environment* const counting_hooks = testing::AddGlobalTestEnvironment(new CountingHooks);

const std::filesystem::path header_folder = std::filesystem::path(LANECULL_TEST_DATA) / "../../include/lanecull";

/// The functions that a header declares, but those that create and destroy. Without std::regex, which took clang half
/// of this file's time.
std::vector<std::string> declared_functions(const std::string& header) {
    std::ifstream file(header_folder / header);
    EXPECT_TRUE(file) << header;
    const std::string text(std::istreambuf_iterator<char>(file), {});
    constexpr std::string_view api = "\nLANECULL_API", between = " \n*&";
    std::vector<std::string> names;
    for (std::size_t at = text.find(api); at != std::string::npos; at = text.find(api, at + 1)) {
        const std::size_t end = text.find_first_of("(;", at), begin = text.find_last_of(between, end) + 1;
        const std::string name = text.substr(begin, end - begin);
        const auto begins = [&](std::string_view with) { return name.starts_with(with); };
        if (!begins("lanecull_create_") && !begins("lanecull_destroy_")) names.push_back(name);
    }
    return names;
}

std::vector<PublicCall>& all_registered() {
    static std::vector<PublicCall> all;
    return all;
}

}  // namespace

std::uint64_t allocations() { return taken; }

void Answer::add_one(const lanecull::Status& status) {
    const lanecull::Message message = status.message();
    add_bytes(message.text, std::strlen(message.text) + 1);
}

void Answer::add_one(const lanecull::Certificate& c) { add(c.reason, c.steps, c.far_depth, c.gap, c.direction); }

void Answer::add_one(const lanecull::SolidHull& hull) {
    add(hull.corner_count, hull.triangle_count, hull.corner, hull.triangle, hull.drawn.lower, hull.drawn.upper);
}

std::size_t Answer::first_difference(const Answer& other) const {
    const auto differ = std::ranges::mismatch(bytes_, other.bytes_);
    return static_cast<std::size_t>(differ.in1 - bytes_.begin());
}

void Answer::add_bytes(const void* from, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + count);
}

Registered::Registered(const char* function, unsigned traits, void (*run)(Answer& answer)) {
    all_registered().push_back({function, run, traits});
}
const std::vector<PublicCall>& registered() { return all_registered(); }

lanecull::Runner foreign_runner() {
    return {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                for (std::uint32_t i = 0; i < count; ++i) {
                    const WithCallerModes with(tested_modes);
                    (*task)(i);
                    EXPECT_TRUE(with.kept()) << "modes changed by task " << i;
                }
            }};
}

std::span<const double> odd_numbers(double /*kind*/) {
    using Limits = std::numeric_limits<double>;
    static constexpr double odd[] = {
        Limits::quiet_NaN(), Limits::infinity(), Limits::denorm_min(), -1e-310, 1e-160, -1e-40, 1e300, -0.0};
    return odd;
}

std::span<const float> odd_numbers(float /*kind*/) {
    using Limits = std::numeric_limits<float>;
    static constexpr float odd[] = {
        Limits::quiet_NaN(), -Limits::infinity(), Limits::denorm_min(), -1e-40f, 1e-20f, 1e20f, Limits::max(), -0.0f};
    return odd;
}

void make_odd(Random& random, std::size_t i, std::span<float> fields, std::size_t used) {
    const std::span<const float> odd = odd_numbers(0.0f);
    const auto any = [&](std::size_t n) { return static_cast<std::size_t>(random.below(static_cast<int>(n))); };
    if (i % 4 == 0) fields[any(used)] = odd[any(odd.size())];
    if (i % 4 == 1) {
        const int exponent = -random.below(150);
        for (float& field : fields) field = std::ldexp(field, exponent);
    }
}

OddScene::OddScene() {
    Random random(11);
    const std::span<const float> odd = odd_numbers(0.0f);
    camera = random_prepared_camera(random, Projection::perspective);
    hulls = random_hulls(random, 3);
    for (const bool attributes : {false, true}) {
        for (const Kind kind : all_kinds) {
            auto objects = random_objects(random, kind, camera.camera, 150, hulls);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                Object& object = objects[i];
                make_odd(random, i, object.fields, field_count(kind));
                grow(random, kind, hulls, Streams::all(), object);
                object.max_distance = static_cast<float>(random.log_range(0.01, 1e6));
                object.min_projected_size = static_cast<float>(random.log_range(1e-5, 0.1));
                object.min_distance = static_cast<float>(random.log_range(0.01, 1e6));
                if (i % 3 == 0) make_odd(random, i / 3, object.sweep, 3);
                float* const numbers[] = {&object.margin, &object.max_distance, &object.min_projected_size,
                                          &object.min_distance};
                if (i % 7 == 0) *numbers[i / 7 % 4] = odd[i / 28 % odd.size()];
            }
            count += objects.size();
            const Format format{.streams = attributes ? Streams::all() : Streams{}};
            batches.push_back(make_batch(kind, objects, hulls, memory, format));
        }
    }
}

void expect_complete(std::span<const std::string> headers, std::span<const std::string> without_numbers) {
    std::map<std::string, int> missing;
    for (const std::string& header : headers) {
        for (const std::string& name : declared_functions(header)) ++missing[name];
    }
    EXPECT_FALSE(missing.empty());
    for (const std::string& name : without_numbers) EXPECT_EQ(missing.erase(name), 1u) << name << " is not declared";
    for (const PublicCall& call : registered()) {
        if ((call.traits & again) == 0) --missing[call.function];
    }
    for (const auto& [name, count] : missing) {
        EXPECT_EQ(count, 0) << name << (count > 0 ? " is not called" : " is called without being declared so often");
    }
}

std::vector<std::string> public_headers() {
    std::vector<std::string> headers;
    for (const auto& entry : std::filesystem::directory_iterator(header_folder)) {
        if (entry.path().extension() == ".h") headers.push_back(entry.path().filename().string());
    }
    return headers;
}

namespace {

/// Expects the call to return the same by all modes, on every instruction set, to leave the modes as they are, and to
/// take no memory but where it says so.
void expect_alike(const PublicCall& call) {
    const char* const before = std::getenv("LANECULL_ISA");
    const std::string restored = before != nullptr ? before : "";
    const std::span<const lanecull::Isa> sets = runnable_isas();
    const std::vector<std::uint64_t> all_modes = caller_modes(true);
    for (const lanecull::Isa isa : (call.traits & by_sets) != 0 ? sets : sets.first(1)) {
        SCOPED_TRACE(lanecull::isa_name(isa));
        setenv("LANECULL_ISA", lanecull::isa_name(isa), 1);
        lanecull::forget_environment();
        const Answer usual = answer_under(all_modes[0], call);  // makes what it needs
        const std::uint64_t taken_before = taken;
        EXPECT_GT(usual.size(), 0u);
        for (const std::uint64_t modes : std::span(all_modes).subspan(1)) {
            const Answer foreign = answer_under(modes, call);
            EXPECT_TRUE(foreign == usual) << call.function << " with modes " << std::hex << modes << std::dec
                                          << ": byte " << foreign.first_difference(usual) << " of " << usual.size();
        }
        EXPECT_EQ(taken != taken_before, (call.traits & takes_memory) != 0) << "memory";
    }
    setenv("LANECULL_ISA", restored.c_str(), 1);
    lanecull::forget_environment();
}

class FloatModes : public testing::TestWithParam<PublicCall> {};

TEST_P(FloatModes, ChangeNoResult) { expect_alike(GetParam()); }

/// Functions may be overloaded.
INSTANTIATE_TEST_SUITE_P(All, FloatModes, testing::ValuesIn(registered()), [](const auto& call) {
    return std::string(call.param.function) + "_" + std::to_string(call.index);
});

}  // namespace

}  // namespace modes
