#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

// Objects, into the picture and into shadow maps alike.
layout(location = 0) in vec4 vertex;
layout(location = 0) out vec3 position;
layout(location = 1) flat out uint color;

void main() {
    const Instance instance = instances[gl_InstanceIndex];
    const vec4 x = instance.axes[0], y = instance.axes[1], z = instance.axes[2];
    const vec3 center = (instance.center.xyz - frame.eye_high.xyz) - frame.eye_low.xyz;
    position = center + (vertex.x * x.xyz + vertex.y * y.xyz + vertex.z * z.xyz + vertex.w * vec3(x.w, y.w, z.w));
    color = frame.mode.y != 0 ? uint(gl_InstanceIndex) + 1u : colors[gl_InstanceIndex];
    gl_Position = frame.clip_from_relative[push.view] * vec4(position, 1);
}
