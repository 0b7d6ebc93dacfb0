// What every shader of a frame reads. Positions are relative to the eye: near it, where a rounding would show, floats
// are fine.
const int cascade_count = 4, map_count = 10;

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 clip_from_relative[1 + map_count];  // the camera's, then the maps', cascades first
    vec4 eye_high, eye_low;                  // their sum is the eye
    vec4 toward_directional;
    vec4 slice;       // dot(xyz, p) + w: depth in the camera that the cascades are of
    vec4 slice_ends;  // of each cascade the far end
    vec4 slice_begin; // x: of the first
    vec4 directional_texel;   // of each cascade, in world units
    vec4 point_light;        // where, and its range
    vec4 point_light_texel;  // x: at distance 1
    vec4 sky, up;
    mat4 cells_from_relative;  // the camera's whose view is cut into cells
    vec4 depths[8];            // where the cells' slices begin and end, one after the other
    vec4 night;                // x: how far lights end inside of their shapes; y: how bright sun and sky are, 1 by day
    uvec4 grid;                // tiles across, tiles down, slices; lights
    // x: 1 notes which texels are read; y: 1 draws objects' numbers, from 1, in place of colours; z: by what lamps light
    uvec4 mode;
} frame;

struct Light {
    vec4 at_range;
    vec4 axis_tangent;  // tangent 0: a lamp
    vec4 color;
};

struct Instance {
    vec4 center;
    vec4 axes[3];  // w: the shift
};
layout(set = 0, binding = 1, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 0, binding = 2, std430) readonly buffer Colors { uint colors[]; };
layout(set = 0, binding = 3) uniform sampler2DArray directional_map;
layout(set = 0, binding = 4) uniform sampler2DArray point_light_map;
// The bits of the deepest depth compared with each texel; the directional light's texels, then the point light's.
layout(set = 0, binding = 5, std430) buffer Read { uint deepest[]; };

layout(push_constant) uniform Push { uint view; } push;
