#pragma once

// Vulkan as the viewer uses it: RAII handles, exceptions, designated initialisers. Slow to compile, so few files have
// it.
#define VULKAN_HPP_NO_STRUCT_CONSTRUCTORS
#include <vulkan/vulkan_raii.hpp>
