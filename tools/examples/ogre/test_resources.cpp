#include <OgreHighLevelGpuProgram.h>
#include <OgreHighLevelGpuProgramManager.h>
#include <OgreManualObject.h>
#include <OgreMaterialManager.h>
#include <OgreResourceGroupManager.h>
#include <OgreRoot.h>
#include <OgreSceneManager.h>
#include <OgreTechnique.h>

#include <array>
#include <span>
#include <string>

#include "test_scene.hpp"

namespace {

using Ogre::GpuProgramParameters;
using Ogre::Vector3;

const Ogre::String group = Ogre::RGN_DEFAULT;

constexpr auto lit_vertex = R"(#version 150
in vec4 vertex;
in vec3 normal;
uniform mat4 clip_from_object, world_from_object, normal_from_object;
out vec3 at, n;
void main() {
    gl_Position = clip_from_object * vertex;
    at = (world_from_object * vertex).xyz;
    n = mat3(normal_from_object) * normal;
}
)";

constexpr auto lit_fragment = R"(#version 150
in vec3 at, n;
uniform mat4 sun_map_from_world, spot_map_from_world;
uniform vec3 eye, toward_sun, spot_at, spot_along;
uniform vec4 colour, sun_colour, spot_colour, spot_attenuation;
uniform sampler2D sun_map, spot_map;
out vec4 pixel;

// 1 where the light comes through. The maps hold depths from 0 to 1; the nearest texel decides.
float lit(sampler2D map, mat4 map_from_world, vec3 from, float bias) {
    vec4 p = map_from_world * vec4(from, 1);
    vec3 q = p.xyz / p.w;
    if (p.w <= 0.0 || any(lessThan(q.xy, vec2(0))) || any(greaterThan(q.xy, vec2(1)))) return 1.0;
    return q.z * 0.5 + 0.5 - bias > texture(map, q.xy).r ? 0.0 : 1.0;
}

void main() {
    vec3 normal = normalize(n);
    vec3 to_spot = spot_at - at;
    float distance = max(length(to_spot), 0.001);
    vec3 toward_spot = to_spot / distance;
    float cone = smoothstep(0.86, 0.9, -dot(toward_spot, spot_along));
    cone *= 1.0 - smoothstep(0.8, 1.0, distance / spot_attenuation.x);
    vec3 from = at + 0.25 * normal;  // off the surface, by about a texel of the sun's map
    vec3 light = vec3(0.30, 0.33, 0.40);
    light += sun_colour.rgb * max(dot(normal, toward_sun), 0.0) * lit(sun_map, sun_map_from_world, from, 0.000003);
    light += spot_colour.rgb * max(dot(normal, toward_spot), 0.0) * cone *
             lit(spot_map, spot_map_from_world, from, 0.0001);
    float haze = smoothstep(150.0, 500.0, length(eye - at));
    pixel = vec4(mix(colour.rgb * light, vec3(0.70, 0.80, 0.92), haze), 1);
}
)";

constexpr auto caster_vertex = R"(#version 150
in vec4 vertex;
uniform mat4 clip_from_object;
void main() { gl_Position = clip_from_object * vertex; }
)";

constexpr auto caster_fragment = R"(#version 150
out vec4 depth;
void main() { depth = vec4(gl_FragCoord.z, 0, 0, 1); }
)";

void create_program(const char* name, Ogre::GpuProgramType type, const char* source) {
    Ogre::HighLevelGpuProgramManager::getSingleton().createProgram(name, group, "glsl", type)->setSource(source);
}

void create_materials() {
    create_program("lit_vertex", Ogre::GPT_VERTEX_PROGRAM, lit_vertex);
    create_program("lit_fragment", Ogre::GPT_FRAGMENT_PROGRAM, lit_fragment);
    create_program("caster_vertex", Ogre::GPT_VERTEX_PROGRAM, caster_vertex);
    create_program("caster_fragment", Ogre::GPT_FRAGMENT_PROGRAM, caster_fragment);

    const Ogre::MaterialPtr caster = Ogre::MaterialManager::getSingleton().create("caster", group);
    Ogre::Pass& caster_pass = *caster->getTechnique(0)->getPass(0);
    caster_pass.setVertexProgram("caster_vertex");
    caster_pass.setFragmentProgram("caster_fragment");
    caster_pass.getVertexProgramParameters()->setNamedAutoConstant("clip_from_object",
                                                                   GpuProgramParameters::ACT_WORLDVIEWPROJ_MATRIX);

    const Ogre::MaterialPtr lit = Ogre::MaterialManager::getSingleton().create("colour0", group);
    Ogre::Pass& pass = *lit->getTechnique(0)->getPass(0);
    pass.setMaxSimultaneousLights(2);
    pass.setVertexProgram("lit_vertex");
    pass.setFragmentProgram("lit_fragment");
    GpuProgramParameters& vertex = *pass.getVertexProgramParameters();
    vertex.setNamedAutoConstant("clip_from_object", GpuProgramParameters::ACT_WORLDVIEWPROJ_MATRIX);
    vertex.setNamedAutoConstant("world_from_object", GpuProgramParameters::ACT_WORLD_MATRIX);
    vertex.setNamedAutoConstant("normal_from_object", GpuProgramParameters::ACT_INVERSE_TRANSPOSE_WORLD_MATRIX);
    GpuProgramParameters& fragment = *pass.getFragmentProgramParameters();
    fragment.setNamedAutoConstant("eye", GpuProgramParameters::ACT_CAMERA_POSITION);
    fragment.setNamedAutoConstant("sun_map_from_world", GpuProgramParameters::ACT_TEXTURE_VIEWPROJ_MATRIX, 0);
    fragment.setNamedAutoConstant("spot_map_from_world", GpuProgramParameters::ACT_TEXTURE_VIEWPROJ_MATRIX, 1);
    fragment.setNamedAutoConstant("toward_sun", GpuProgramParameters::ACT_LIGHT_POSITION, 0);  // OGRE's way to say it
    fragment.setNamedAutoConstant("sun_colour", GpuProgramParameters::ACT_LIGHT_DIFFUSE_COLOUR, 0);
    fragment.setNamedAutoConstant("spot_at", GpuProgramParameters::ACT_LIGHT_POSITION, 1);
    fragment.setNamedAutoConstant("spot_along", GpuProgramParameters::ACT_LIGHT_DIRECTION, 1);
    fragment.setNamedAutoConstant("spot_colour", GpuProgramParameters::ACT_LIGHT_DIFFUSE_COLOUR, 1);
    fragment.setNamedAutoConstant("spot_attenuation", GpuProgramParameters::ACT_LIGHT_ATTENUATION, 1);
    fragment.setNamedConstant("sun_map", 0);
    fragment.setNamedConstant("spot_map", 1);
    for (int map = 0; map < 2; ++map) {
        Ogre::TextureUnitState& unit = *pass.createTextureUnitState();
        unit.setContentType(Ogre::TextureUnitState::CONTENT_SHADOW);
        unit.setTextureFiltering(Ogre::TFO_NONE);
        unit.setTextureAddressingMode(Ogre::TextureUnitState::TAM_CLAMP);
    }
    const std::array<float, 3> colours[] = {{0.47f, 0.52f, 0.40f}, {0.78f, 0.70f, 0.60f}, {0.72f, 0.45f, 0.36f},
                                            {0.62f, 0.64f, 0.66f}, {0.88f, 0.84f, 0.74f}, {0.28f, 0.46f, 0.26f},
                                            {0.36f, 0.54f, 0.28f}, {0.85f, 0.62f, 0.16f}};
    for (std::size_t i = 0; i < std::size(colours); ++i) {
        const Ogre::MaterialPtr material = i == 0 ? lit : lit->clone("colour" + std::to_string(i));
        const Ogre::ColourValue colour(colours[i][0], colours[i][1], colours[i][2]);
        material->getTechnique(0)->getPass(0)->getFragmentProgramParameters()->setNamedConstant("colour", colour);
    }
}

/// Triangles with a normal each, counter-clockwise from outside.
void create_mesh(Ogre::SceneManager& scene, const char* name, std::span<const Vector3> corners,
                 std::span<const std::array<std::uint8_t, 3>> triangles) {
    Ogre::ManualObject& mesh = *scene.createManualObject();
    mesh.begin("colour0", Ogre::RenderOperation::OT_TRIANGLE_LIST, group);
    for (const auto& triangle : triangles) {
        const Vector3 a = corners[triangle[0]], b = corners[triangle[1]], c = corners[triangle[2]];
        const Vector3 normal = (b - a).crossProduct(c - a).normalisedCopy();
        for (const Vector3& corner : {a, b, c}) {
            mesh.position(corner);
            mesh.normal(normal);
        }
    }
    mesh.end();
    mesh.convertToMesh(name, group);
    scene.destroyManualObject(&mesh);
}

void create_meshes(Ogre::SceneManager& scene) {
    const Vector3 cube[] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1},
                            {-1, 1, -1}, {1, 1, -1}, {1, 1, 1}, {-1, 1, 1}};
    const std::array<std::uint8_t, 3> cube_faces[] = {{0, 1, 2}, {0, 2, 3}, {4, 7, 6}, {4, 6, 5}, {0, 4, 5}, {0, 5, 1},
                                                      {3, 2, 6}, {3, 6, 7}, {0, 3, 7}, {0, 7, 4}, {1, 5, 6}, {1, 6, 2}};
    create_mesh(scene, "house", cube, cube_faces);
    const Vector3 tree[] = {{1, 0, 0},         {0.5f, 0, -0.87f}, {-0.5f, 0, -0.87f}, {-1, 0, 0},
                            {-0.5f, 0, 0.87f}, {0.5f, 0, 0.87f},  {0, 1, 0}};
    const std::array<std::uint8_t, 3> tree_faces[] = {{0, 1, 6}, {1, 2, 6}, {2, 3, 6}, {3, 4, 6}, {4, 5, 6}, {5, 0, 6}};
    create_mesh(scene, "tree", tree, tree_faces);
    const Vector3 octahedron[] = {{1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, -1, 0}};
    const std::array<std::uint8_t, 3> octahedron_faces[] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4},
                                                            {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}};
    create_mesh(scene, "octahedron", octahedron, octahedron_faces);
    const Vector3 ground[] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    const std::array<std::uint8_t, 3> ground_faces[] = {{0, 2, 1}, {0, 3, 2}};
    create_mesh(scene, "ground", ground, ground_faces);
}

}  // namespace

void create_test_resources() {
    create_materials();
    Ogre::SceneManager* scene = Ogre::Root::getSingleton().createSceneManager();
    create_meshes(*scene);
    Ogre::Root::getSingleton().destroySceneManager(scene);
}
