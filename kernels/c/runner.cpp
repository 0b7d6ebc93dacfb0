/// c/runner.h

#include "c/options.hpp"

namespace lanecull::c {
namespace {

void run_by_callback(void* self, std::uint32_t count, Task task) {
    const auto& runner = *static_cast<const lanecull_runner*>(self);
    runner.run(runner.self, count, task.call, task.context, task.name);
}

}  // namespace

Status take_runner(const lanecull_runner* runner, Runner& to) noexcept {
    if (runner == nullptr) {
        to = {};
        return {};
    }
    if (Status status = check_struct(runner, "runner"); !status) return status;
    if (runner->run == nullptr) return Status::failure("runner.run: must not be null");
    to = {const_cast<lanecull_runner*>(runner), run_by_callback};
    return {};
}

}  // namespace lanecull::c
