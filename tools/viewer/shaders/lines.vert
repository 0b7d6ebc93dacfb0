#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

// Edges of volumes, over the picture.
layout(location = 0) in vec3 relative;
layout(location = 1) in uint ink;
layout(location = 0) flat out uint color;

void main() {
    color = ink;
    gl_Position = frame.clip_from_relative[0] * vec4(relative, 1);
}
