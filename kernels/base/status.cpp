#include <lanecull/types.h>

#include <cstdio>
#include <cstring>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/system_files.hpp"

namespace lanecull {
namespace {

/// A text of limited length, null-terminated.
class Text {
public:
    Text(char* to, std::size_t bytes) noexcept : to_(to), bytes_(bytes) {
        if (bytes_ != 0) to_[0] = '\0';
    }
    void add(const char* text, std::size_t length) noexcept {
        for (std::size_t i = 0; i < length && at_ + 1 < bytes_; ++i) to_[at_++] = text[i];
        if (bytes_ != 0) to_[at_] = '\0';
    }
    void add(const char* text) noexcept { add(text, std::strlen(text)); }

private:
    char* to_;
    std::size_t bytes_;
    std::size_t at_ = 0;
};

/// One conversion as printf has it: '%', digits and a point; without a length, for numbers have 64 bits here.
struct Conversion {
    char text[16] = "%";
    std::size_t length = 1;
    char letter = '\0';

    /// Reads it from after the '%'; returns where it ends.
    const char* read(const char* at) noexcept {
        for (; *at == '.' || *at == 'z' || *at == 'l' || (*at >= '0' && *at <= '9'); ++at) {
            if (*at != 'z' && *at != 'l' && length < 10) text[length++] = *at;
        }
        letter = *at;
        if (letter == 'd' || letter == 'u') text[length++] = 'l', text[length++] = 'l';
        text[length++] = letter;
        return letter != '\0' ? at + 1 : at;
    }
};

void add_number(Text& to, const Conversion& conversion, NumberForm form, std::uint64_t bits) noexcept {
    char text[224];
    switch (form) {
        case NumberForm::whole:
            if (conversion.letter == 'c') {
                std::snprintf(text, sizeof text, conversion.text, static_cast<int>(bits));
            } else {
                std::snprintf(text, sizeof text, conversion.text, static_cast<long long>(bits));
            }
            break;
        case NumberForm::real:
            std::snprintf(text, sizeof text, conversion.text, __builtin_bit_cast(double, bits));
            break;
        case NumberForm::text:
            to.add(text_of(bits));
            return;
        case NumberForm::system_error:
            if (is_small) return;  // it has no files
            describe_system_error(static_cast<unsigned long>(bits), text, sizeof text);
            break;
        case NumberForm::none:
            return;
    }
    to.add(text);
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

const char* lanecull_explain(const lanecull_status* status, char* text, size_t bytes) noexcept {
    const FloatModes modes;  // printf rounds
    Text to(text, bytes);
    std::size_t k = 0;
    for (const char* sentence : {status->where, status->rule}) {
        const char* at = sentence != nullptr ? sentence : "";
        while (*at != '\0') {
            const char* const percent = std::strchr(at, '%');
            if (percent == nullptr) {
                to.add(at);
                break;
            }
            to.add(at, static_cast<std::size_t>(percent - at));
            if (percent[1] == '%') {
                to.add("%");
                at = percent + 2;
                continue;
            }
            Conversion conversion;
            at = conversion.read(percent + 1);
            if (k == most_numbers) continue;
            add_number(to, conversion, static_cast<NumberForm>(status->forms >> (4 * k) & 15u), status->numbers[k]);
            ++k;
        }
    }
    return text;
}
