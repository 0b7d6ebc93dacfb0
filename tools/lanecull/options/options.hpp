#pragma once

#include "cull/occluder_choice.hpp"
#include "options/command_line.hpp"
#include "picture/judged_scene.hpp"
#include "scene/camera_path.hpp"
#include "scene/scene.hpp"

/// Options that several commands have: the same name, rule and words in each.
namespace lanecull::program {

constexpr std::uint64_t max_frames = 1'000'000;

/// The options SCENE, --objects, --up, --bounds, --read and --deviations of every command that takes a scene.
struct SceneOptions {
    std::optional<std::string> file = {};
    std::uint64_t objects = 1'000'000;
    std::string up = {};
    std::string bounds = {};  ///< empty: not given
    std::string read = {};    ///< likewise
    std::optional<double> deviations = {};

    void add_to(Command command);
    /// Whether it is the built-in city.
    [[nodiscard]] bool is_city() const { return !file; }
    /// Reads the scene, or builds the city. On a terminal it says so, unless `quiet`.
    [[nodiscard]] Scene scene(bool quiet) const;
};

/// The options --fov, --aspect, --near and --far.
void add_lens_options(Command command, LensOptions& lens);
/// Refuses depths in the wrong order.
void check_lens_options(const LensOptions& lens);

/// The options --path, --frames and those of the lens of every command that takes a camera path.
struct PathOptions {
    std::optional<std::string> file = {};
    std::optional<std::uint64_t> frames = {};
    LensOptions lens = {};

    void add_to(Command command);
    /// Fails if a rule is broken that needs neither scene nor file; WrongUsage if the path is `street` and the scene is
    /// not to be the city.
    void check(bool of_city) const;
    [[nodiscard]] CameraPath path(const Scene& scene) const;
    /// The same for a command that needs perspective cameras whose views have an end: one without a far plane gets it
    /// beyond the whole scene. Fails if a camera is orthographic. `command`: what to call it.
    [[nodiscard]] CameraPath perspective_path(const Scene& scene, const char* command) const;

private:
    /// The word is reserved: a file of that name is "./street".
    [[nodiscard]] bool is_street() const { return file == "street"; }
};

/// The option --isa of every command that culls, and --method of queries.
struct CullingOptions {
    std::string method = "automatic";
    std::string isa = isa_name(Isa::automatic);

    void add_to(Command command);
    void add_method_to(Command command);
    /// For cull(); the set is one that runs here, never `automatic`. Fails on a name of a set that is none.
    [[nodiscard]] CullOptions checked() const;
};

/// What resolve_isa() says of a set that does not run, without what named it: "this build lacks avx2".
[[nodiscard]] std::string why_not(const Status& unsupported);
/// isa_from_environment(), and what LANECULL_ISA is, where that fails.
void require_environment(Isa& isa);

/// The options --occluders, --solid and, where a picture's pixels count, --margin-pixels.
struct OccluderCommandOptions {
    std::size_t by_default = 0;  ///< how many where --occluders is not given; 0: none
    std::optional<std::uint64_t> given = {};
    double margin_pixels = 0;
    std::vector<std::string> solid = {};

    void add_to(Command command);
    /// Without --margin-pixels.
    CommandOption add_choice_to(Command command, const char* help);
    [[nodiscard]] std::size_t most() const { return given.value_or(by_default); }
    /// Nothing where there are to be no occluders. Makes solid what is named (make_solid()).
    [[nodiscard]] std::optional<OccluderSettings> settings(Scene& scene, bool quiet) const;
};

CommandOption add_solid_option(Command command, std::vector<std::string>& names);
CommandOption add_margin_option(Command command, double& pixels);

/// The options --sun-height and --sun-bearing, in degrees.
void add_sun_options(Command command, double& height, double& bearing);
/// Towards the sun; 0 degrees of bearing are along `across`, a horizontal axis.
[[nodiscard]] glm::dvec3 horizontal_toward(double bearing, const glm::dvec3& up);
[[nodiscard]] DirectionalLight sun_at(double height, double bearing, const glm::dvec3& up);

/// The option --threads.
void add_threads_option(Command command, int& threads);
/// The option --quiet.
void add_quiet_option(Command command, bool& quiet);

/// The option --cutaway of every command that draws a scene.
CommandOption add_cutaway_option(Command command, std::string& word);
[[nodiscard]] CutawayChoice cutaway_of(const std::string& word);

}  // namespace lanecull::program
