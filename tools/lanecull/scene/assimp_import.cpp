#include "scene/assimp_import.hpp"

#include <algorithm>
#include <assimp/DefaultLogger.hpp>
#include <assimp/LogStream.hpp>
#include <cstddef>
#include <new>
#include <string_view>

#include "scene/cut_off.hpp"
#include "scene/unread_formats.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

/// Words of assimp's errors about what is not used here, or what it made up for.
constexpr std::string_view harmless[] = {
    "material",
    "FOV animation",
    "tangent layer",
    "binormal layer",
    "N-element",
    "unsupported chunk",
    "Bone index",                               // of colours; of COB; of weights
    "window caps",                              // IFC: surfaces within a wall's openings
    "No object detected to attach a new mesh",  // OBJ: the first face makes one
};

/// What assimp logs as errors while this lives.
class ErrorLog : public Assimp::LogStream {
public:
    ErrorLog() {
        Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
        Assimp::DefaultLogger::get()->attachStream(this, Assimp::Logger::Err);
    }
    ~ErrorLog() override {
        Assimp::DefaultLogger::get()->detachStream(this, Assimp::Logger::Err);
        Assimp::DefaultLogger::kill();
    }
    ErrorLog(const ErrorLog&) = delete;
    ErrorLog& operator=(const ErrorLog&) = delete;

    /// "Error, T0: text\n".
    void write(const char* message) override {
        std::string_view text(message);
        text.remove_prefix(std::min(text.find(": ") + 2, text.size()));
        const auto is_in_text = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
        if (std::ranges::any_of(harmless, is_in_text)) return;
        if (count_++ == 0) first_ = printable(text.substr(0, std::min<std::size_t>(text.find('\n'), 200)));
    }

    /// Fails if there was one.
    void check(const std::string& file) const {
        if (count_ == 0) return;
        fail("{}: assimp reads it only in part: {}{}", file, first_,
             count_ == 1 ? "" : fmt::format(" (and {})", counted(count_ - 1, "more error")));
    }

private:
    std::string first_;
    std::size_t count_ = 0;
};

}  // namespace

const aiScene& import(Assimp::Importer& importer, const std::string& file, unsigned flags) {
    refuse_unread_format(file);
    refuse_cut_off(file);
    const ErrorLog errors;
    const aiScene* scene = importer.ReadFile(file, flags);
    if (scene == nullptr) {
        const std::string why = importer.GetErrorString();
        if (why.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
        fail("cannot read {}: {}", file, printable(why));
    }
    errors.check(file);
    return *scene;
}

}  // namespace lanecull::program
