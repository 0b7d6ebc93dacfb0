#pragma once

#include <cstddef>
#include <cstring>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/types.h>

/// Calls of public functions, by their skins in C++, under foreign floating-point modes, and whether what they return
/// stays the same.
namespace modes {

/// All that a call returned, as bytes.
class Answer {
public:
    template <class T>
    void add(const T& value) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        add_bytes(&value, sizeof value);
    }
    template <class T, std::size_t count>
    void add(std::span<T, count> values) {
        add_bytes(values.data(), values.size_bytes());
    }
    template <class T>
    void add(lanecull::Span<T> values) {
        add_bytes(values.data(), values.size_bytes());
    }
    template <class T>
    void add(const std::vector<T>& values) {
        add(std::span(values));
    }
    /// Success, or the text of the failure.
    void add(const lanecull::Status& status) {
        const lanecull::Message message = status.message();
        add_bytes(message.text, std::strlen(message.text) + 1);
    }
    /// Without what lies between their members.
    void add(const lanecull::Certificate& certificate);
    void add(const lanecull::SolidHull& hull);
    void add(const std::vector<lanecull::Certificate>& certificates) {
        for (const lanecull::Certificate& certificate : certificates) add(certificate);
    }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    bool operator==(const Answer&) const = default;
    /// The first byte that differs.
    [[nodiscard]] std::size_t first_difference(const Answer& other) const;

private:
    void add_bytes(const void* from, std::size_t count);

    std::vector<std::byte> bytes_;
};

/// Calls of one public function, and which of them it is.
struct PublicCall {
    const char* function;  ///< its name in C
    /// Makes the calls and adds what they return. Runs under foreign modes, so it computes nothing by itself.
    void (*run)(Answer& answer);
    /// Whether the instruction set matters.
    bool by_sets = false;
    /// Whether another line of the tables calls the same function, with other objects.
    bool again = false;
};
void PrintTo(const PublicCall& call, std::ostream* to);

/// Expects the call to return the same by all modes, on every instruction set, and to leave the modes as they are.
void expect_alike(const PublicCall& call);

/// Runs tasks on the calling thread by the modes that are being tested, whatever the modes of its caller.
[[nodiscard]] lanecull::Runner foreign_runner();

/// Numbers that foreign modes would treat otherwise, or that trap.
[[nodiscard]] std::span<const double> odd_doubles();
[[nodiscard]] std::span<const float> odd_floats();

/// Calls `call` with the numbers as they are, and then with each number replaced by each odd one.
template <class Number, class Call>
void with_odd(std::span<Number> numbers, std::span<const Number> odd, const Call& call) {
    call();
    for (Number& number : numbers) {
        const Number before = number;
        for (const Number other : odd) {
            number = other;
            call();
        }
        number = before;
    }
}

/// The same for all numbers of a struct that has only doubles.
template <class Numbers, class Call>
void with_odd_doubles(Numbers& numbers, const Call& call) {
    static_assert(std::is_standard_layout_v<Numbers> && sizeof numbers % sizeof(double) == 0);
    with_odd(std::span(reinterpret_cast<double*>(&numbers), sizeof numbers / sizeof(double)), odd_doubles(), call);
}

/// The headers below include/lanecull, relative to that folder.
[[nodiscard]] std::vector<std::string> public_headers();
/// The names of the functions that one of them declares, as C has them.
[[nodiscard]] std::vector<std::string> declared_functions(const std::string& header);

/// Expects the calls to be of these headers' functions, and of each of them.
void expect_complete(std::span<const PublicCall> calls, std::span<const std::string> headers,
                     std::span<const std::string> without_numbers = {});

/// A name for a test of the call: the function's, and `index`, as functions may be overloaded.
[[nodiscard]] std::string test_name(const PublicCall& call, std::size_t index);

}  // namespace modes
