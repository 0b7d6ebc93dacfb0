// Street lamps by night: lanecull lists the lamps that reach each cell of the view, and each pixel adds up its cell's.

import * as THREE from 'three';
import { webgl } from 'lanecull';
import { night } from './facade.js';

const tilesX = 16, tilesY = 9, slices = 24, farthest = 400;  // metres
const range = 16, room = 1 << 16;
const width = 256;  // of the textures
const head = new THREE.Vector3(0.9, 6.8, 0);  // where in a lamp its light is

// Numbers for the shader, read by their index.
function makeTexture(count, format, type, internalFormat, ArrayType, size) {
    const rows = Math.ceil(count / width);
    const texture = new THREE.DataTexture(new ArrayType(size * width * rows), width, rows, format, type);
    texture.internalFormat = internalFormat;
    texture.needsUpdate = true;
    return texture;
}
const makeIntegers = count =>
    makeTexture(count, THREE.RedIntegerFormat, THREE.UnsignedIntType, 'R32UI', Uint32Array, 1);

const declarations = `
    uniform float night;
    uniform bool everyLamp;
    uniform uint lampCount;
    uniform vec2 lampPixels;
    uniform vec2 lampSlices;  // the first boundary, and slices to a factor of e
    uniform highp sampler2D lampPlaces;
    uniform highp usampler2D lampOffsets;
    uniform highp usampler2D lampNumbers;
    varying vec3 vPlace;

    ivec2 texelOf(uint i) { return ivec2(i % ${width}u, i / ${width}u); }

    float lampAt(uint i, vec3 normal) {
        vec3 way = texelFetch(lampPlaces, texelOf(i), 0).xyz - vPlace;
        float square = dot(way, way), left = max(1.0 - square / ${(range * range).toFixed(1)}, 0.0);
        return left * left * max(dot(normal, way), 0.0) * inversesqrt(square) / (1.0 + 0.03 * square);
    }

    vec3 lampLight(vec3 normal, float depth) {
        if (night == 0.0 || depth >= ${farthest.toFixed(1)}) return vec3(0.0);
        float sum = 0.0;
        if (everyLamp) {
            for (uint i = 0u; i < lampCount; ++i) sum += lampAt(i, normal);
        } else {
            uvec2 tile = uvec2(gl_FragCoord.xy / lampPixels * vec2(${tilesX}, ${tilesY}));
            uint slice = uint(max(log(depth / lampSlices.x) * lampSlices.y, 0.0));
            uint cell = (slice * ${tilesY}u + tile.y) * ${tilesX}u + tile.x;
            uint end = texelFetch(lampOffsets, texelOf(cell + 1u), 0).x;
            for (uint k = texelFetch(lampOffsets, texelOf(cell), 0).x; k < end; ++k) {
                sum += lampAt(texelFetch(lampNumbers, texelOf(k), 0).x, normal);
            }
        }
        return night * (1.0 - smoothstep(0.6, 1.0, depth / ${farthest.toFixed(1)})) * sum * vec3(9.0, 6.2, 3.2);
    }`;

export class Lamps {
    #matrix = new THREE.Matrix4();

    constructor(lanecull, mesh, camera) {
        const boundaries = Array.from({ length: slices + 1 }, (_, k) => camera.near * (farthest / camera.near) ** (k / slices));
        const lights = lanecull.createLights({ balls: mesh.count });
        this.lights = lights.balls;
        this.cells = lanecull.createLightCells(lights, { tilesX, tilesY, boundaries, entries: room });
        this.camera = camera;
        const places = makeTexture(mesh.count, THREE.RGBAFormat, THREE.FloatType, 'RGBA32F', Float32Array, 4);
        const { x, y, z } = this.lights, at = new THREE.Vector3();
        for (let i = 0; i < mesh.count; ++i) {
            mesh.getMatrixAt(i, this.#matrix);
            at.copy(head).applyMatrix4(this.#matrix).toArray(places.image.data, 4 * i);
            [x[i], y[i], z[i]] = at.toArray();
        }
        this.lights.radius.fill(range);
        this.uniforms = {
            night,
            everyLamp: { value: false },
            lampCount: { value: mesh.count },
            lampPixels: { value: new THREE.Vector2() },
            lampSlices: { value: new THREE.Vector2(camera.near, slices / Math.log(farthest / camera.near)) },
            lampPlaces: { value: places },
            lampOffsets: { value: makeIntegers(this.cells.count + 1) },
            lampNumbers: { value: makeIntegers(room) },
        };
    }

    // From now on the lamps light what has this material, a MeshLambertMaterial.
    shineOn(material) {
        const before = material.onBeforeCompile, key = material.customProgramCacheKey();
        material.customProgramCacheKey = () => `${key} by lamps`;
        material.onBeforeCompile = (shader, renderer) => {
            before.call(material, shader, renderer);
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
                .replace('#include <project_vertex>', `#include <project_vertex>
                    vPlace = transformed;
                    #ifdef USE_INSTANCING
                        vPlace = (instanceMatrix * vec4(vPlace, 1.0)).xyz;
                    #endif
                    vPlace = (modelMatrix * vec4(vPlace, 1.0)).xyz;`);
            shader.fragmentShader = shader.fragmentShader
                .replace('uniform float night;', '')  // that of facade.js
                .replace('#include <common>', `#include <common>\n${declarations}`)
                .replace('#include <lights_fragment_end>', `#include <lights_fragment_end>
                    reflectedLight.directDiffuse += BRDF_Lambert(diffuseColor.rgb) *
                        lampLight(inverseTransformDirection(normal, viewMatrix), vViewPosition.z);`);
        };
        material.needsUpdate = true;
    }

    // Lists the lamps for the camera. Those that the occluders hide are in no list.
    update(occluders) {
        const { camera, cells, uniforms } = this, start = performance.now();
        this.#matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        const matrix = this.#matrix.elements, visible = occluders !== null;
        if (visible) cells.cull(matrix, webgl, { occluders });
        cells.assign(matrix, webgl, { visible });
        this.milliseconds = performance.now() - start;
        if (cells.entryCount > room) throw new Error(`${cells.entryCount} lamps are more than there is room for`);
        for (const [{ value }, numbers] of [[uniforms.lampOffsets, cells.offsets()],
                                            [uniforms.lampNumbers, cells.indices()]]) {
            value.image.data.set(numbers);
            value.needsUpdate = true;
        }
        uniforms.lampPixels.value.set(camera.pixelWidth, camera.pixelHeight);
    }
}
