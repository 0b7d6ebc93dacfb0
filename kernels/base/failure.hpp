#pragma once

/// Failures: how the library makes a Status. It keeps a pointer to the sentence and the sentence's numbers;
/// lanecull_explain() writes the text on request. And what a build leaves out, so that requests for it fail.

#include <lanecull/types.h>

#include <concepts>
#include <type_traits>

namespace lanecull {

/// A build of few bytes, the core for JavaScript (tools/wasm): it has the kernels of small/, and neither scenes,
/// casters, occluders nor certificates.
#if defined(LANECULL_SMALL)
inline constexpr bool is_small = true;
#else
inline constexpr bool is_small = false;
#endif

/// Text that a sentence may keep a pointer to: it lasts as long as the library. Whoever writes lasting() says so.
struct Lasting {
    const char* text;
};
constexpr Lasting lasting(const char* text) noexcept { return {text}; }

/// The text whose address is a number of a Status.
inline const char* text_of(std::uint64_t number) noexcept {
    return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(number));  // NOLINT(performance-no-int-to-ptr)
}

/// What the operating system calls its error of that number; `%s` in a sentence.
struct SystemError {
    unsigned long number;
};

/// What a number of a Status is (lanecull_status::forms).
enum class NumberForm : std::uint32_t { none, whole, real, text, system_error };
inline constexpr std::size_t most_numbers = sizeof(lanecull_status::numbers) / sizeof(std::uint64_t);

template <class Number>
constexpr NumberForm form_of() noexcept {
    if constexpr (std::floating_point<Number>) return NumberForm::real;
    if constexpr (std::integral<Number>) return NumberForm::whole;
    if constexpr (std::same_as<Number, Lasting>) return NumberForm::text;
    if constexpr (std::same_as<Number, SystemError>) return NumberForm::system_error;
    return NumberForm::none;
}

// Never defined: a constant expression that calls one is refused, and the compiler says its name.
void a_conversion_does_not_fit_its_number();
void a_number_is_not_printed();

/// A sentence with printf's conversions, which the compiler holds against the numbers that it is given.
template <class... Numbers>
struct Rule {
    consteval Rule(const char* sentence) : text(sentence) {
        constexpr NumberForm forms[] = {form_of<Numbers>()..., NumberForm::none};
        std::size_t k = 0;
        for (const char* at = sentence; *at != '\0'; ++at) {
            if (*at != '%') continue;
            if (*++at == '%') continue;
            while (*at == '.' || *at == 'z' || *at == 'l' || (*at >= '0' && *at <= '9')) ++at;
            const bool is_real = *at == 'g' || *at == 'f';
            const bool is_text = *at == 's';
            const bool is_whole = *at == 'd' || *at == 'u' || *at == 'c';
            const bool fits = k < sizeof...(Numbers) &&
                              (is_real   ? forms[k] == NumberForm::real
                               : is_text ? forms[k] == NumberForm::text || forms[k] == NumberForm::system_error
                                         : is_whole && forms[k] == NumberForm::whole);
            if (!fits) a_conversion_does_not_fit_its_number();
            ++k;
        }
        if (k != sizeof...(Numbers)) a_number_is_not_printed();
    }

    const char* text;
};

/// Appends numbers to a status.
class Appended {
public:
    explicit Appended(Status& status) noexcept : status_(status) {}

    template <class Number>
    void operator()(Number number) noexcept {
        if constexpr (std::floating_point<Number>) {
            append(NumberForm::real, __builtin_bit_cast(std::uint64_t, static_cast<double>(number)));
        } else if constexpr (std::integral<Number>) {
            append(NumberForm::whole, static_cast<std::uint64_t>(number));
        } else if constexpr (std::same_as<Number, Lasting>) {
            append(NumberForm::text, reinterpret_cast<std::uintptr_t>(number.text));
        } else {
            append(NumberForm::system_error, number.number);
        }
    }
    void append(NumberForm form, std::uint64_t bits) noexcept {
        if (count_ == most_numbers) return;
        status_.forms |= static_cast<std::uint32_t>(form) << (4 * count_);
        status_.numbers[count_++] = bits;
    }

private:
    Status& status_;
    std::size_t count_ = 0;
};

template <class... Numbers>
[[gnu::cold]] Status failure(StatusCode code, std::type_identity_t<Rule<Numbers...>> rule,
                             Numbers... numbers) noexcept {
    static_assert(sizeof...(Numbers) <= most_numbers);
    Status status;
    status.code = code;
    status.rule = rule.text;
    [[maybe_unused]] Appended append(status);
    (append(numbers), ...);
    return status;
}

/// An argument breaks its rule.
template <class... Numbers>
[[gnu::cold]] Status failure(std::type_identity_t<Rule<Numbers...>> rule, Numbers... numbers) noexcept {
    return failure<Numbers...>(StatusCode::invalid_argument, rule, numbers...);
}

/// The failure of a part of an argument: `where`, then the part's own sentence. A part has no `where` itself.
template <class... Numbers>
[[gnu::cold]] Status within(const Status& part, std::type_identity_t<Rule<Numbers...>> where,
                            Numbers... numbers) noexcept {
    Status whole;
    whole.code = part.code;
    whole.where = where.text;
    whole.rule = part.rule;
    Appended append(whole);
    (append(numbers), ...);
    for (std::size_t k = 0; k < most_numbers; ++k) {
        const auto form = static_cast<NumberForm>(part.forms >> (4 * k) & 15u);
        if (form != NumberForm::none) append.append(form, part.numbers[k]);
    }
    return whole;
}

/// The status as C has it, for calls of which each nanosecond counts: of a success the numbers are not copied.
inline lanecull_status to_c(const Status& status) noexcept {
    lanecull_status result;
    result.code = status.code, result.forms = status.forms;
    result.where = status.where, result.rule = status.rule;
    if (!status) std::memcpy(result.numbers, status.numbers, sizeof result.numbers);
    return result;
}

/// The same failure with another name for the argument, if its sentence begins with `name`: in its text, or as the
/// number of its first %s.
template <class... Numbers>
[[gnu::cold]] Status renamed(const Status& part, const char* name, std::type_identity_t<Rule<Numbers...>> other,
                             Numbers... numbers) noexcept {
    const std::size_t length = std::strlen(name);
    const auto begins = [&](const char* text) { return std::strncmp(text, name, length) == 0; };
    if (part.rule == nullptr || part.where != nullptr) return part;
    Status rest = part;
    if (begins(part.rule)) {
        rest.rule += length;
    } else if (static_cast<NumberForm>(part.forms & 15u) == NumberForm::text && std::strncmp(part.rule, "%s", 2) == 0 &&
               begins(text_of(part.numbers[0]))) {
        rest.numbers[0] += length;
    } else {
        return part;
    }
    return within<Numbers...>(rest, other, numbers...);
}

}  // namespace lanecull
