#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "lights.glsl"

// Flat shading by a directional light and a point light, each with a shadow map that is read 3 by 3 texels wide, and by
// night by lamps and spotlights without.
layout(early_fragment_tests) in;
layout(location = 0) in vec3 position;
layout(location = 1) flat in uint color;
layout(location = 0) out vec4 result;

// A point is read where it would be so many texels off its surface. With the 3 by 3 texels, 1.5 sqrt(2) away from it at
// most, that makes 4.38: less than FrameLights::filter_texels, by which culling widens the view.
const float offset = 2.25;

// Notes that a texel was compared with this depth. No depth is 0, which says that nothing was.
void note(int texel, float depth) {
    if (frame.mode.x != 0) atomicMax(deepest[texel], floatBitsToUint(clamp(depth, 1e-30, 1.0)));
}

float lit_by_directional(vec3 normal) {
    const float depth = dot(frame.slice.xyz, position) + frame.slice.w;
    int k = 0;
    while (k < cascade_count && depth > frame.slice_ends[k]) ++k;
    if (depth < frame.slice_begin.x || k == cascade_count) return 1.0;
    // Off the surface, and towards the directional light, which moves nothing sideways.
    const vec3 p = position + frame.directional_texel[k] * (offset * normal + frame.toward_directional.xyz);
    const vec4 clip = frame.clip_from_relative[1 + k] * vec4(p, 1);
    const ivec2 size = textureSize(directional_map, 0).xy;
    const ivec2 middle = ivec2(floor((0.5 * clip.xy + 0.5) * vec2(size)));
    float lit = 0;
    for (int i = 0; i < 9; ++i) {
        const ivec2 texel = middle + ivec2(i % 3 - 1, i / 3 - 1);
        if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, size))) {
            ++lit;
            continue;
        }
        note((k * size.y + texel.y) * size.x + texel.x, clip.z);
        if (clip.z <= texelFetch(directional_map, ivec3(texel, k), 0).x) ++lit;
    }
    return lit / 9;
}

float lit_by_point(vec3 normal, vec3 toward, float along) {
    const vec3 away = -toward;
    const vec3 size_of = abs(away);
    int face = size_of.x >= size_of.y && size_of.x >= size_of.z ? 0 : size_of.y >= size_of.z ? 2 : 4;
    const float main = face == 0 ? away.x : face == 2 ? away.y : away.z;
    if (main < 0) ++face;
    const vec3 p = position + frame.point_light_texel.x * along * (offset * normal + normalize(toward));
    const vec4 clip = frame.clip_from_relative[1 + cascade_count + face] * vec4(p, 1);
    if (clip.w <= 0) return 1.0;
    const vec3 at = clip.xyz / clip.w;
    const ivec2 size = textureSize(point_light_map, 0).xy;
    const ivec2 middle = ivec2(floor((0.5 * at.xy + 0.5) * vec2(size)));
    const ivec2 directional_size = textureSize(directional_map, 0).xy;
    float lit = 0;
    for (int i = 0; i < 9; ++i) {
        const ivec2 texel = clamp(middle + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), size - 1);
        note(cascade_count * directional_size.x * directional_size.y + (face * size.y + texel.y) * size.x + texel.x,
             at.z);
        if (at.z <= texelFetch(point_light_map, ivec3(texel, face), 0).x) ++lit;
    }
    return lit / 9;
}

void main() {
    if (frame.mode.y != 0) {
        result = unpackUnorm4x8(color);
        return;
    }
    vec3 normal = cross(dFdx(position), dFdy(position));
    const float size = length(normal);
    normal = size > 0 ? normal / size : -normalize(position);
    if (dot(normal, position) > 0) normal = -normal;

    if (frame.mode.z == by_counts) {
        result = vec4((0.6 + 0.4 * dot(normal, frame.up.xyz)) * color_of_cell(position), 1);
        return;
    }

    const float facing_directional = dot(normal, frame.toward_directional.xyz);
    vec3 light = mix(vec3(0.20, 0.22, 0.26), vec3(0.30, 0.34, 0.42), 0.5 + 0.5 * dot(normal, frame.up.xyz));
    if (facing_directional > 0) light += vec3(1.0, 0.86, 0.68) * facing_directional * lit_by_directional(normal);
    light *= frame.night.y;

    const vec3 toward_point = frame.point_light.xyz - position;
    const float distance_to_point = length(toward_point);
    const float facing_point = dot(normal, toward_point) / distance_to_point;
    if (distance_to_point < frame.point_light.w && facing_point > 0) {
        const float fall = 1 - distance_to_point / frame.point_light.w;
        const vec3 size_of = abs(toward_point);
        const float along = max(size_of.x, max(size_of.y, size_of.z));
        light += vec3(1.5, 1.0, 0.5) * facing_point * fall * fall * lit_by_point(normal, toward_point, along);
    }
    if (frame.mode.z != by_day) light += lit_by_lights(position, normal);
    const vec3 surface = unpackUnorm4x8(color).rgb;
    const vec3 linear = surface * surface * light;
    const float haze = 1 - exp(-1.2 * max(dot(frame.slice.xyz, position) + frame.slice.w, 0.0) / frame.slice_ends.w);
    result = vec4(sqrt(mix(linear, frame.sky.rgb * frame.sky.rgb, 0.6 * haze * haze)),
                  frame.mode.z == by_day ? 1 : checksum(light));
}
