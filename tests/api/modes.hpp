#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/types.h>

#include "support/generate.hpp"
#include "support/memory.hpp"

/// Calls of public functions, by their skins in C++, under foreign floating-point modes: whether what they return stays
/// the same. And whether they take memory.
namespace modes {

/// How much memory the library has taken from its hooks so far, in pieces.
[[nodiscard]] std::uint64_t allocations();

/// All that a call returned, as bytes.
class Answer {
public:
    template <class... T>
    void add(const T&... values) {
        (add_one(values), ...);
    }
    /// Of a call that takes no memory.
    template <class Call>
    void add_without_memory(const Call& call) {
        const std::uint64_t before = allocations();
        add(call());
        EXPECT_EQ(allocations(), before);
    }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    bool operator==(const Answer&) const = default;
    /// The first byte that differs.
    [[nodiscard]] std::size_t first_difference(const Answer& other) const;

private:
    template <class T>
    void add_one(const T& value) {
        if constexpr (requires { value.data(); }) {
            using Element = std::remove_cvref_t<decltype(*value.data())>;
            if constexpr (std::is_arithmetic_v<Element>) return add_bytes(value.data(), value.size() * sizeof(Element));
            for (const auto& element : value) add_one(element);
        } else {
            static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
            add_bytes(&value, sizeof value);
        }
    }
    /// Success, or the text of the failure.
    void add_one(const lanecull::Status& status);
    // Without what lies between their members.
    void add_one(const lanecull::Certificate& certificate);
    void add_one(const lanecull::SolidHull& hull);
    void add_bytes(const void* from, std::size_t count);

    std::vector<std::byte> bytes_;
};

/// Calls of one public function, and which of them it is.
struct PublicCall {
    const char* function;  ///< its name in C
    /// Makes the calls and adds what they return. Runs under foreign modes, so it computes nothing by itself.
    void (*run)(Answer& answer);
    /// Some of the following.
    unsigned traits = 0;
};
inline constexpr unsigned by_sets = 1;       ///< the instruction set matters
inline constexpr unsigned again = 2;         ///< another call is of the same function, with other objects
inline constexpr unsigned takes_memory = 4;  ///< or works on what does

/// A call for the tests FloatModes, which lives as long as the program: a new public function needs one. A test of each
/// call registered in a program is in modes.cpp: it returns the same by all modes, on every instruction set, leaves the
/// modes as they are, and takes no memory but where it says so.
class Registered {
public:
    Registered(const char* function, unsigned traits, void (*run)(Answer& answer));
    Registered(const char* function, void (*run)(Answer& answer)) : Registered(function, 0, run) {}
};
[[nodiscard]] const std::vector<PublicCall>& registered();

/// Runs tasks on the calling thread by the modes that are being tested, whatever the modes of its caller.
[[nodiscard]] lanecull::Runner foreign_runner();

/// Numbers that foreign modes would treat otherwise, or that trap.
[[nodiscard]] std::span<const float> odd_numbers(float kind);
[[nodiscard]] std::span<const double> odd_numbers(double kind);

/// Calls `call` with the numbers as they are, and then with each number replaced by each odd one. `numbers`: floats or
/// doubles, or a struct of doubles alone.
template <class Numbers, class Call>
void with_odd(Numbers&& numbers, const Call& call) {
    using All = std::remove_reference_t<Numbers>;
    if constexpr (std::is_class_v<All> && !requires { std::span(numbers); }) {
        static_assert(std::is_standard_layout_v<All> && sizeof numbers % sizeof(double) == 0);
        with_odd(std::span(reinterpret_cast<double*>(&numbers), sizeof numbers / sizeof(double)), call);
    } else {
        call();
        for (auto& number : numbers) {
            const auto before = number;
            for (const auto odd : odd_numbers(before)) {
                number = odd;
                call();
            }
            number = before;
        }
    }
}

/// The outputs of one view.
struct Lists {
    std::vector<std::uint64_t> visible, inside;
    std::vector<std::uint32_t> indices;
    std::vector<lanecull::VisibleRun> runs;
    std::vector<lanecull::Certificate> certificates;
    lanecull::Explanation why;

    Lists(std::size_t words, std::size_t objects)
        : visible(words), inside(words), indices(objects), runs(objects), certificates(objects) {}

    [[nodiscard]] lanecull::Output output() {
        return {.visible = visible, .indices = indices, .inside = inside, .runs = runs, .explanation = &why};
    }
    void add_to(Answer& answer) const { answer.add(visible, inside, indices, runs, why.certificates, why.counts); }
};

/// Batches of all kinds, without attributes and with all of them. Many objects have denormal or invalid numbers.
struct OddScene {
    HeapMemory memory;
    PreparedCamera camera;
    HullSet hulls;
    std::vector<lanecull::Batch> batches;
    std::size_t count = 0;  ///< of objects

    OddScene();
};
/// Makes some of an object's numbers odd, by its number.
void make_odd(Random& random, std::size_t i, std::span<float> fields, std::size_t used);

/// The one of its type, made at the first call.
template <class T>
const T& only() {
    static const T it;
    return it;
}

inline void expect_ok(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

/// The headers in include/lanecull that C reads.
[[nodiscard]] std::vector<std::string> public_headers();

/// Expects the registered calls to be of these headers' functions, and of each of them but those named.
void expect_complete(std::span<const std::string> headers, std::span<const std::string> without_numbers = {});

}  // namespace modes
