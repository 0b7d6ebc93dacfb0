#version 460

layout(location = 0) flat in uint color;
layout(location = 0) out vec4 result;

void main() { result = unpackUnorm4x8(color); }
