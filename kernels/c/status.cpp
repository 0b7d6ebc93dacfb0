/// c/status.h

#include <lanecull/c/status.h>

#include <lanecull/status.hpp>

using namespace lanecull;

static_assert(LANECULL_OK == static_cast<int>(StatusCode::ok));
static_assert(LANECULL_INVALID_ARGUMENT == static_cast<int>(StatusCode::invalid_argument));
static_assert(LANECULL_NOT_READY == static_cast<int>(StatusCode::not_ready));
static_assert(LANECULL_OUT_OF_MEMORY == static_cast<int>(StatusCode::out_of_memory));
static_assert(LANECULL_UNSUPPORTED == static_cast<int>(StatusCode::unsupported));
static_assert(LANECULL_SYSTEM_ERROR == static_cast<int>(StatusCode::system_error));
static_assert(LANECULL_BAD_FILE == static_cast<int>(StatusCode::bad_file));

uint32_t lanecull_abi_version() { return LANECULL_ABI_VERSION; }
