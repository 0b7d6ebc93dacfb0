#include "scene/object_names.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/error.hpp"
#include "support/grouped.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

std::uint64_t numbered(const std::string& text, std::uint64_t count) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && number < count) return number;
    refuse("--object {}: the scene has {} object{}, 0 to {}", text, grouped(count), count == 1 ? "" : "s", count - 1);
}

std::vector<std::uint64_t> called(const Scene& scene, std::string_view name) {
    std::vector<std::uint64_t> found;
    std::uint64_t first = 0;
    for (const Group& group : scene.groups) {
        if (!group.stand_in) {
            for (std::size_t i = 0; i < group.names.size(); ++i) {
                if (group.names[i] == name) found.push_back(first + i);
            }
        }
        first += object_count(group.arrays);
    }
    return found;
}

[[noreturn]] void refuse_several(const std::string& text, const std::vector<std::uint64_t>& objects) {
    constexpr std::size_t most = 8;
    std::string numbers;
    for (std::size_t i = 0; i < std::min(most, objects.size()); ++i) {
        numbers += fmt::format("{}{}", i == 0 ? "" : ", ", objects[i]);
    }
    refuse("--object {}: {} objects have that name: {}{}; name one by its number", printable(text),
           grouped(objects.size()), numbers, objects.size() > most ? " ..." : "");
}

}  // namespace

ObjectPlace place_of(const Scene& scene, std::uint64_t object) {
    ObjectPlace place{0, 0};
    for (;; ++place.group) {
        const std::uint32_t count = object_count(scene.groups[place.group].arrays);
        if (object < count) break;
        object -= count;
    }
    place.index = static_cast<std::uint32_t>(object);
    return place;
}

std::string name_of(const Scene& scene, const ObjectPlace& place) {
    const std::vector<std::string>& names = scene.groups[place.group].names;
    return names.empty() ? std::string() : names[place.index];
}

bool is_object_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t find_object(const Scene& scene, const std::string& text) {
    if (is_object_number(text)) return numbered(text, scene.object_count());
    std::string_view name = text;
    if (name.size() > 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    const std::vector<std::uint64_t> objects = called(scene, name);
    if (objects.size() > 1) refuse_several(text, objects);
    if (objects.empty()) {
        refuse("--object {}: neither a number from 0 to {} nor the name of an object of {}", printable(text),
               scene.object_count() - 1, scene.name);
    }
    return objects.front();
}

}  // namespace lanecull::program
