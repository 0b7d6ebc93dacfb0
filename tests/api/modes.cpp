#include "api/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <regex>

#include "base/float_modes.hpp"
#include "calls/kernel_table.hpp"
#include "support/culling.hpp"

namespace modes {
namespace {

using lanecull::FloatModeRegister;

// What the bits of a foreign mode are; `masks` are those without which operations trap.
#if defined(__aarch64__)
// Of FPCR. Few processors trap: the bits for it stay zero.
constexpr std::uint64_t roundings[] = {0, 1 << 22, 2 << 22, 3 << 22};
constexpr std::uint64_t denormals[] = {0, 1 << 24};
constexpr std::uint64_t masks[] = {0};
#else
// Of MXCSR: results are flushed to zero, operands are taken for zero.
constexpr std::uint64_t roundings[] = {0, 0x2000, 0x4000, 0x6000};
constexpr std::uint64_t denormals[] = {0, 0x8000, 0x0040, 0x8040};
constexpr std::uint64_t masks[] = {0x1f80, 0};
#endif

/// Every combination of a rounding direction, of what becomes of denormal numbers, and of traps or none.
std::vector<std::uint64_t> foreign_modes() {
    std::vector<std::uint64_t> all;
    for (const std::uint64_t rounding : roundings) {
        for (const std::uint64_t denormal : denormals) {
            for (const std::uint64_t mask : masks) all.push_back(rounding | denormal | mask);
        }
    }
    std::erase(all, FloatModeRegister::usual);
    return all;
}

/// The modes that are being tested.
std::uint64_t tested_modes = FloatModeRegister::usual;

/// Sets the modes for as long as it lives. No exception counts as raised at first.
class WithModes {
public:
    explicit WithModes(std::uint64_t modes) : before_(FloatModeRegister::read()) { FloatModeRegister::write(modes); }
    ~WithModes() { FloatModeRegister::write(before_); }
    WithModes(const WithModes&) = delete;
    WithModes& operator=(const WithModes&) = delete;

private:
    std::uint64_t before_;
};

std::uint64_t current_modes() { return FloatModeRegister::read() & ~FloatModeRegister::flags; }

/// The call's answer under the modes, on the set that LANECULL_ISA names.
Answer answer_under(std::uint64_t modes, const PublicCall& call) {
    Answer answer;
    std::uint64_t after = 0;
    tested_modes = modes;
    {
        const WithModes with(modes);
        call.run(answer);
        after = current_modes();
    }
    EXPECT_EQ(after, modes) << "modes changed";
    return answer;
}

const std::filesystem::path header_folder = std::filesystem::path(LANECULL_TEST_DATA) / "../../include/lanecull";

std::string file_text(const std::filesystem::path& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The names before the first parenthesis of each declaration. Operators, constructors and destructors have none, nor
/// does what C has for the latter two.
void add_names(const std::string& declarations, const std::string& of_class, std::vector<std::string>& names) {
    static const std::regex separator("[;{}]"), name("(~?\\w+)\\s*\\("), no_declaration("\\b(operator|return)\\b");
    const std::sregex_token_iterator end;
    for (std::sregex_token_iterator it(declarations.begin(), declarations.end(), separator, -1); it != end; ++it) {
        const std::string declaration = *it;
        std::smatch found;
        if (!std::regex_search(declaration, found, name)) continue;
        if (found[1] == of_class || found[1] == "~" + of_class) continue;
        if (std::regex_search(declaration, no_declaration)) continue;
        const std::string declared = found[1];
        if (declared.starts_with("lanecull_create_") || declared.starts_with("lanecull_destroy_")) continue;
        names.push_back(declared);
    }
}

}  // namespace

void Answer::add(const lanecull::Certificate& certificate) {
    add(certificate.reason), add(certificate.steps);
    add(certificate.far_depth), add(certificate.gap);
    add(std::span(certificate.direction));
}

void Answer::add(const lanecull::SolidHull& hull) {
    add(hull.corner_count), add(hull.triangle_count);
    for (const auto& corner : hull.corner) add(std::span(corner));
    for (const auto& triangle : hull.triangle) add(std::span(triangle));
    add(std::span(hull.drawn.lower)), add(std::span(hull.drawn.upper));
}

std::size_t Answer::first_difference(const Answer& other) const {
    const auto differ = std::ranges::mismatch(bytes_, other.bytes_);
    return static_cast<std::size_t>(differ.in1 - bytes_.begin());
}

void Answer::add_bytes(const void* from, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + count);
}

void PrintTo(const PublicCall& call, std::ostream* to) { *to << call.function; }

void expect_alike(const PublicCall& call) {
    const char* const before = std::getenv("LANECULL_ISA");
    const std::string restored = before != nullptr ? before : "";
    const std::span<const lanecull::Isa> sets = runnable_isas();
    for (const lanecull::Isa isa : call.by_sets ? sets : sets.first(1)) {
        SCOPED_TRACE(lanecull::isa_name(isa));
        setenv("LANECULL_ISA", lanecull::isa_name(isa), 1);
        lanecull::forget_environment();
        const Answer usual = answer_under(FloatModeRegister::usual, call);
        EXPECT_GT(usual.size(), 0u);
        for (const std::uint64_t modes : foreign_modes()) {
            const Answer foreign = answer_under(modes, call);
            EXPECT_TRUE(foreign == usual) << call.function << " with modes " << std::hex << modes << std::dec
                                          << ": byte " << foreign.first_difference(usual) << " of " << usual.size();
        }
    }
    setenv("LANECULL_ISA", restored.c_str(), 1);
    lanecull::forget_environment();
}

lanecull::Runner foreign_runner() {
    return {nullptr, [](void*, std::uint32_t count, const lanecull::Task* task) {
                for (std::uint32_t i = 0; i < count; ++i) {
                    const WithModes with(tested_modes);
                    (*task)(i);
                    EXPECT_EQ(current_modes(), tested_modes) << "modes changed by task " << i;
                }
            }};
}

std::span<const double> odd_doubles() {
    using Limits = std::numeric_limits<double>;
    static constexpr double odd[] = {
        Limits::quiet_NaN(), Limits::infinity(), Limits::denorm_min(), -1e-310, 1e-160, -1e-40, 1e300, -0.0};
    return odd;
}

std::span<const float> odd_floats() {
    using Limits = std::numeric_limits<float>;
    static constexpr float odd[] = {
        Limits::quiet_NaN(), -Limits::infinity(), Limits::denorm_min(), -1e-40f, 1e-20f, 1e20f, Limits::max(), -0.0f};
    return odd;
}

std::vector<std::string> public_headers() {
    std::vector<std::string> headers;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(header_folder)) {
        if (!entry.is_regular_file()) continue;
        headers.push_back(std::filesystem::relative(entry.path(), header_folder).generic_string());
    }
    return headers;
}

std::vector<std::string> declared_functions(const std::string& header) {
    static const std::regex ignored("//[^\n]*|\n\\s*#[^\n]*|\\[\\[[^\\]]*\\]\\]|= \\{\\}");
    static const std::regex exported_class("class\\s+LANECULL_EXPORT\\s+(\\w+)");
    std::string text = file_text(header_folder / header);
    text = std::regex_replace(text, ignored, "\n");
    std::vector<std::string> names;
    for (std::smatch found; std::regex_search(text, found, exported_class);) {
        const auto at = static_cast<std::size_t>(found.position()), end = text.find("\n};", at);
        const std::string body = text.substr(at, end - at);
        add_names(body.substr(0, body.find("private:")), found[1], names);
        text.erase(at, end - at);
    }
    static const std::regex exported_function("LANECULL_API(_PLAIN)?\\s[^;]*;");
    for (std::sregex_iterator it(text.begin(), text.end(), exported_function), end; it != end; ++it) {
        add_names(it->str(), "", names);
    }
    return names;
}

void expect_complete(std::span<const PublicCall> calls, std::span<const std::string> headers,
                     std::span<const std::string> without_numbers) {
    std::map<std::string, int> missing;
    for (const std::string& header : headers) {
        for (const std::string& name : declared_functions(header)) ++missing[name];
    }
    EXPECT_FALSE(missing.empty());
    for (const std::string& name : without_numbers) EXPECT_EQ(missing.erase(name), 1u) << name << " is not declared";
    for (const PublicCall& call : calls) {
        if (!call.again) --missing[call.function];
    }
    for (const auto& [name, count] : missing) {
        EXPECT_EQ(count, 0) << name << (count > 0 ? " is not called" : " is called without being declared so often");
    }
}

std::string test_name(const PublicCall& call, std::size_t index) {
    return std::string(call.function) + "_" + std::to_string(index);
}

}  // namespace modes
