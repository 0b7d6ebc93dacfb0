#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/checksum.hpp"
#include "scene/file_format.hpp"
#include "support/random.hpp"

/// Scene files as no scene writes them.

/// One to three random changes: of a bit, a byte, a number of the header or the table of sections, the file's length,
/// or a part that is copied over another.
inline void damage(Random& random, std::vector<std::byte>& file) {
    const auto at = [&] { return static_cast<std::size_t>(random.bits() % std::max<std::size_t>(file.size(), 1)); };
    for (int n = 1 + random.below(3); n-- > 0 && !file.empty();) {
        switch (random.below(5)) {
            case 0:
                file[at()] ^= static_cast<std::byte>(1 << random.below(8));
                break;
            case 1:
                file[at()] = static_cast<std::byte>(random.bits());
                break;
            case 2: {  // a number in the header or table
                const std::size_t place = at() % std::min<std::size_t>(file.size(), 64 * 40) & ~std::size_t{3};
                const std::uint32_t values[] = {0,          1,          64,
                                                0x7fffffff, 0xffffffff, static_cast<std::uint32_t>(random.bits())};
                if (place + 4 <= file.size()) std::memcpy(&file[place], &values[random.below(6)], 4);
                break;
            }
            case 3:
                file.resize(at());
                break;
            default: {  // a part copied over another
                const std::size_t from = at(), to = at(), size = at() % 200;
                for (std::size_t i = 0; i < size && from + i < file.size() && to + i < file.size(); ++i) {
                    file[to + i] = file[from + i];
                }
            }
        }
    }
}

/// Gives a damaged file the right checksums, so that what lies behind them is tried.
inline void forge(std::vector<std::byte>& file) {
    using namespace lanecull::scene_file;
    Header header;
    if (file.size() < sizeof header) return;
    std::memcpy(&header, file.data(), sizeof header);
    header.file_bytes = file.size();
    header.checksum = lanecull::checksum_of(file.data() + sizeof header, file.size() - sizeof header);
    header.header_checksum = lanecull::checksum_of(&header, offsetof(Header, header_checksum));
    std::memcpy(file.data(), &header, sizeof header);
}

/// A scene file by its parts, whose lengths, places and checksums are right whatever else is changed.
class SceneParts {
public:
    struct Part {
        lanecull::scene_file::What what;
        std::uint32_t a, b;
        std::vector<std::byte> data;

        template <class T>
        [[nodiscard]] T get(std::size_t byte) const {
            T value;
            std::memcpy(&value, data.data() + byte, sizeof value);
            return value;
        }
        template <class T>
        void set(std::size_t byte, T value) {
            std::memcpy(data.data() + byte, &value, sizeof value);
        }
    };

    explicit SceneParts(std::span<const std::byte> file) {
        using namespace lanecull::scene_file;
        Header header;
        std::memcpy(&header, file.data(), sizeof header);
        for (std::size_t i = 0; i < header.sections; ++i) {
            Section section;
            std::memcpy(&section, file.data() + sizeof header + i * sizeof section, sizeof section);
            const auto data =
                file.subspan(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.bytes));
            all.push_back({static_cast<What>(section.what), section.a, section.b, {data.begin(), data.end()}});
        }
    }

    [[nodiscard]] std::vector<std::byte> file() const {
        using namespace lanecull::scene_file;
        Header header{};
        std::memcpy(header.magic, magic, sizeof magic);
        header.version = version;
        header.byte_order = byte_order;
        header.sections = all.size();
        std::vector<std::byte> bytes(sizeof header + all.size() * sizeof(Section));
        std::memcpy(bytes.data(), &header, sizeof header);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& [what, a, b, data] = all[i];
            Section section{};
            section.what = static_cast<std::uint32_t>(what), section.a = a, section.b = b;
            section.offset = bytes.size(), section.bytes = data.size();
            std::memcpy(&bytes[sizeof header + i * sizeof section], &section, sizeof section);
            bytes.insert(bytes.end(), data.begin(), data.end());
            bytes.resize(bytes.size() + padded(data.size()) - data.size());
        }
        forge(bytes);
        return bytes;
    }

    std::vector<Part> all;
};
