#pragma once

#include <assimp/types.h>

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <string>

#include "support/printable.hpp"

/// assimp's values as the program's.
namespace lanecull::program {

[[nodiscard]] inline std::string text_of(const aiString& name) { return printable({name.data, name.length}); }

/// assimp stores rows.
[[nodiscard]] inline glm::dmat4 matrix_of(const aiMatrix4x4& m) {
    return glm::dmat4(glm::dvec4(m.a1, m.b1, m.c1, m.d1), glm::dvec4(m.a2, m.b2, m.c2, m.d2),
                      glm::dvec4(m.a3, m.b3, m.c3, m.d3), glm::dvec4(m.a4, m.b4, m.c4, m.d4));
}

}  // namespace lanecull::program
