// Lamps and spotlights by night: those of the point's cell, or all.
layout(set = 0, binding = 6, std430) readonly buffer Lights { Light lights[]; };
// For each cell where its list begins and the next one's, then the lists: numbers of lights, ascending.
layout(set = 0, binding = 7, std430) readonly buffer Cells { uint cells[]; };

const uint by_day = 0, by_cells = 1, by_all = 2, by_counts = 3;

// The cell of the camera's grid that p is in, or -1. `night.x` says what rounding may do to it.
int cell_of(vec3 p) {
    const vec4 clip = frame.cells_from_relative * vec4(p, 1);
    const ivec3 size = ivec3(frame.grid.xyz);
    int before = 0;  // boundaries in depth
    while (before <= size.z && frame.depths[before / 4][before % 4] <= clip.w) ++before;
    if (before == 0 || before > size.z) return -1;
    const vec2 at = (0.5 * clip.xy / clip.w + 0.5) * vec2(size.xy);
    if (any(lessThan(at, vec2(0))) || any(greaterThanEqual(at, vec2(size.xy)))) return -1;
    return ((before - 1) * size.y + int(at.y)) * size.x + int(at.x);
}

// What a light adds to a point. It is 0, to the bit, where the light ends or less than the margin before that.
vec3 lit_by(Light light, vec3 p, vec3 normal) {
    const float margin = frame.night.x;
    const vec3 toward = ((light.at_range.xyz - frame.eye_high.xyz) - frame.eye_low.xyz) - p;
    const float distance = length(toward), range = light.at_range.w;
    const float facing = dot(normal, toward), within = range - distance - margin;
    if (!(within > 0 && facing > 0)) return vec3(0);
    float strength = facing / distance * (within / range) * (within / range);
    const float tangent = light.axis_tangent.w;
    if (tangent > 0) {
        const float across = length(cross(toward, light.axis_tangent.xyz));
        const float edge = tangent * -dot(toward, light.axis_tangent.xyz);
        const float inside = edge - across - (1 + tangent) * margin;
        if (!(inside > 0)) return vec3(0);
        strength *= inside / edge;
    }
    return strength * light.color.rgb;
}

// Both sums are of the same numbers in the same order, but for zeros. What is in no cell is lit by all lights.
vec3 lit_by_lights(vec3 p, vec3 normal) {
    const int cell = frame.mode.z == by_all ? -1 : cell_of(p);
    const bool all = cell < 0;
    const uint first = frame.grid.x * frame.grid.y * frame.grid.z + 1;
    const uint begin = all ? 0 : first + cells[cell], end = all ? frame.grid.w : first + cells[cell + 1];
    vec3 light = vec3(0);
    for (uint k = begin; k < end; ++k) {
        uint i = k;
        if (!all) i = cells[k];
        light += lit_by(lights[i], p, normal);
    }
    return light;
}

// A cell's colour by how many lights it has, from dark blue for none to yellow for 32 or more; grey is in no cell.
vec3 color_of_cell(vec3 p) {
    const vec3 colors[] = {vec3(0x1B, 0x1F, 0x4B), vec3(0x24, 0x50, 0x7A), vec3(0x2A, 0x7F, 0x83),
                           vec3(0x57, 0xAB, 0x6E), vec3(0xB5, 0xCF, 0x57), vec3(0xFF, 0xF3, 0xA1)};
    const int cell = cell_of(p);
    if (cell < 0) return vec3(0.35);
    const float at = 5 * min(sqrt(float(cells[cell + 1] - cells[cell]) / 32), 1.0);
    const int k = min(int(at), 4);
    return mix(colors[k], colors[k + 1], at - k) / 255;
}

// Eight bits of all that a colour's numbers have, of which a picture keeps only the first: pictures that are the same
// with them had the same sums.
float checksum(vec3 color) {
    const uvec3 bits = floatBitsToUint(color) * uvec3(0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du);
    return float((bits.x ^ bits.y ^ bits.z) >> 24) / 255;
}
