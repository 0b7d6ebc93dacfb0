#include "window.hpp"

#include <fmt/core.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <imgui/imgui.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <glm/geometric.hpp>
#include <string>
#include <utility>
#include <vector>

#include "controls.hpp"
#include "overlay.hpp"
#include "picture_file.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "swapchain.hpp"
#include "timeline.hpp"
#include "verdicts.hpp"

namespace lanecull::program {
namespace {

void say(const std::string& text) {
    fmt::print("{}\n", text);
    std::fflush(stdout);
}

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "no reason given";
}

void remember(std::deque<float>& values, double seconds) {
    values.push_back(static_cast<float>(1e3 * seconds));
    if (values.size() > 120) values.pop_front();
}

/// One window's frames, from open to close.
class Flight {
public:
    Flight(GLFWwindow* window, const WindowScene& scene)
        : window_(window), in_(scene), swapchain_(scene.gpu, window), device_(gpu_name(*scene.gpu)) {
        controls_.camera = in_.path.front();
        controls_.culling = in_.start.culling;
        controls_.casters = in_.start.casters;
        controls_.has_occluders = in_.frames.has_occluders();
        controls_.lighting = in_.start.lighting;
        controls_.has_baked = in_.frames.has_baked();
        controls_.has_lights = in_.frames.has_lights();
        // Dear ImGui listens as well, and hands on.
        glfwSetWindowUserPointer(window_, this);
        glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int) {
            if (action == GLFW_PRESS) static_cast<Flight*>(glfwGetWindowUserPointer(w))->press(key);
        });
        in_.renderer.show_on(&swapchain_);
    }
    ~Flight() {
        in_.renderer.finish();
        in_.renderer.show_on(nullptr);
    }
    Flight(const Flight&) = delete;
    Flight& operator=(const Flight&) = delete;

    void run() {
        say(fmt::format("open: {} objects on {}", in_.meshes.draws.size(), device_));
        for (double before = seconds_now(); !glfwWindowShouldClose(window_) && !controls_.closing;) {
            glfwPollEvents();
            if (!fit()) {
                glfwWaitEventsTimeout(0.1);
                continue;
            }
            const double now = seconds_now();
            remember(frame_times_, now - before);
            steer(now - before);
            before = now;
            draw();
        }
        say(fmt::format("closed after {} frames", frames_drawn_));
    }

private:
    void press(int key) {
        for (const KeyBinding& binding : key_bindings()) {
            if ((key == GLFW_KEY_ESCAPE ? 27 : key) != binding.key) continue;
            notice_ = binding.press(controls_);
            if (!notice_.empty()) say(notice_);
        }
    }

    /// Makes picture and chain as large as the window; false where it has no area.
    bool fit() {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        if (width <= 0 || height <= 0) return false;
        if (width != width_ || height != height_) {
            in_.renderer.resize(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
            in_.frames.resize(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
            if (width_ != 0) say(fmt::format("size: {}x{}", width, height));
            width_ = width;
            height_ = height;
            controls_.camera.aspect = static_cast<double>(width) / height;
            swapchain_.fit();
        } else if (swapchain_.outdated()) {
            in_.renderer.finish();
            swapchain_.fit();
        }
        return true;
    }

    void steer(double seconds) {
        const auto held = [&](int key) { return glfwGetKey(window_, key) == GLFW_PRESS; };
        const auto axis = [&](int more, int less) { return double(held(more)) - double(held(less)); };
        constexpr double turn = 1.2;    // radians a second
        constexpr double drag = 0.004;  // radians a pixel
        double x = 0, y = 0;
        glfwGetCursorPos(window_, &x, &y);
        const bool dragging = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS ||
                              glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS;
        Steering steering{.right = axis(GLFW_KEY_D, GLFW_KEY_A),
                          .up = axis(GLFW_KEY_E, GLFW_KEY_Q),
                          .ahead = axis(GLFW_KEY_W, GLFW_KEY_S),
                          .turn_left = turn * seconds * axis(GLFW_KEY_LEFT, GLFW_KEY_RIGHT),
                          .turn_up = turn * seconds * axis(GLFW_KEY_UP, GLFW_KEY_DOWN),
                          .fast = held(GLFW_KEY_LEFT_SHIFT)};
        if (dragging) {
            steering.turn_left += drag * (x - mouse_x_);
            steering.turn_up += drag * (y - mouse_y_);
        }
        mouse_x_ = x;
        mouse_y_ = y;
        fly(controls_.camera, steering, std::min(seconds, 0.25));
        if (controls_.follow) {
            const double aspect = controls_.camera.aspect;
            controls_.camera = in_.path[path_frame_++ % in_.path.size()];
            controls_.camera.aspect = aspect;
        }
        if (std::exchange(controls_.move_point_light, false)) {
            const Camera& camera = controls_.camera;
            in_.frames.put_point_light(camera.eye + 0.01 * camera.far * glm::normalize(camera.forward),
                                       0.1 * camera.far);
        }
    }

    void draw() {
        const Renderer::Slot slot = in_.renderer.begin();
        const Camera& culling_camera = controls_.culling_camera();
        const Camera& eye = controls_.camera;
        const double begin = seconds_now();
        const FramePlan plan = in_.frames.plan(culling_camera, controls_.culling);
        const CullResult drawn = in_.frames.cull(controls_.culling, controls_.casters, slot.lists);
        const double cull_seconds = seconds_now() - begin;
        remember(cull_times_, cull_seconds);

        FrameDraw frame{.uniforms = in_.frames.uniforms(plan, eye, controls_.lighting),
                        .lines = {},
                        .light_lists = in_.frames.light_lists()};
        if (controls_.culling == Culling::off) frame.draw_all = draw_all_views;
        paint(slot, culling_camera, frame);
        lines_.clear();
        if (controls_.frozen) {
            add_volume(*controls_.frozen, eye.eye, lines_);
            add_boxes(in_.frames.occluder_boxes(), eye.eye, lines_);
        }
        if (controls_.caster_volumes) add_caster_volumes(plan, eye.eye, lines_);
        frame.lines = lines_;

        for (FrameTime& time : in_.renderer.take_times()) passes_ = std::move(time.passes);
        Swapchain::new_overlay();
        draw_overlay({controls_, in_.meshes.draws.size(), drawn, cull_seconds, passes_, frame_times_, cull_times_,
                      device_, notice_});
        ImGui::Render();
        in_.renderer.submit(frame);
        ++frames_drawn_;
        if (std::exchange(controls_.screenshot, false)) write_picture();
    }

    /// The objects' colours: by verdict, or their own again.
    void paint(const Renderer::Slot& slot, const Camera& culling_camera, FrameDraw& frame) {
        if (controls_.verdicts) {
            color_verdicts(in_.meshes.batches, culling_camera.view(), in_.frames, in_.frames.options(controls_.culling),
                           slot.colors);
            frame.draw_all |= 1;
            repainted_ = 0;
        } else if (repainted_ < 2) {  // one for each frame in flight
            std::ranges::copy(in_.meshes.colors, slot.colors.begin());
            ++repainted_;
        }
    }

    void write_picture() {
        in_.renderer.finish();
        const std::filesystem::path folder(in_.start.folder.value_or("."));
        std::string file;
        do {
            file = (folder / fmt::format("lanecull-{:03}.png", pictures_++)).string();
        } while (std::filesystem::exists(file));
        OutputFile(file).commit(png_of(in_.renderer.picture(), static_cast<std::uint32_t>(width_)));
        notice_ = fmt::format("picture: {}", file);
        say(notice_);
    }

    GLFWwindow* window_;
    const WindowScene& in_;
    Swapchain swapchain_;
    std::string device_, notice_;
    Controls controls_;
    std::vector<LineEnd> lines_;
    std::vector<PassTime> passes_;
    std::deque<float> frame_times_, cull_times_;
    double mouse_x_ = 0, mouse_y_ = 0;
    int width_ = 0, height_ = 0;
    int repainted_ = 2;
    std::size_t path_frame_ = 0, frames_drawn_ = 0;
    int pictures_ = 0;
};

}  // namespace

class Window::Implementation {
public:
    Implementation(std::uint32_t width, std::uint32_t height) {
        if (glfwInit() != GLFW_TRUE) {
            fail("view finds no display to open a window on ({}); --headless needs none", last_glfw_error());
        }
        glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
        window = glfwCreateWindow(static_cast<int>(width), static_cast<int>(height), "lanecull", nullptr, nullptr);
        if (window == nullptr) {
            const std::string reason = last_glfw_error();
            glfwTerminate();
            fail("view cannot open a window: {}", reason);
        }
    }
    ~Implementation() {
        glfwDestroyWindow(window);
        glfwTerminate();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    GLFWwindow* window = nullptr;
};

Window::Window(std::uint32_t width, std::uint32_t height)
    : implementation_(std::make_unique<Implementation>(width, height)) {}
Window::~Window() = default;

void Window::add_extensions(GpuOptions& options) const {
    std::uint32_t count = 0;
    const char** names = glfwGetRequiredInstanceExtensions(&count);
    // Without a driver there are none to name; opening the device says that.
    if (names != nullptr) options.instance_extensions.assign(names, names + count);
    options.device_extensions.emplace_back("VK_KHR_swapchain");
}

void Window::run(const WindowScene& scene) { Flight(implementation_->window, scene).run(); }

}  // namespace lanecull::program
