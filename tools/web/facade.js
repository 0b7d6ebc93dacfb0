// Walls with windows: a pattern of 3 by 3.5 metres on the sides of each box, whatever its size.

import * as THREE from 'three';

export const night = { value: 0 };  // a uniform: 1 where windows shine

export function facadeMaterial() {
    const material = new THREE.MeshLambertMaterial();
    material.onBeforeCompile = shader => {
        shader.uniforms.night = night;
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', `#include <common>
                varying vec3 vWall;
                varying vec3 vSide;`)
            .replace('#include <begin_vertex>', `#include <begin_vertex>
                mat4 m = instanceMatrix;
                vWall = position * vec3(length(m[0]), length(m[1]), length(m[2]));
                vSide = normal;`);
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                uniform float night;
                varying vec3 vWall;
                varying vec3 vSide;`)
            .replace('#include <color_fragment>', `#include <color_fragment>
                if (abs(vSide.y) < 0.5) {
                    vec2 cell = vec2(abs(vSide.x) > 0.5 ? vWall.z : vWall.x, vWall.y) / vec2(3.0, 3.5);
                    vec2 inCell = fract(cell);
                    vec2 edge = step(vec2(0.22, 0.28), inCell) * step(inCell, vec2(0.78, 0.82));
                    float lit = step(0.86, fract(sin(dot(floor(cell), vec2(12.9898, 78.233))) * 43758.5453));
                    vec3 glass = mix(vec3(0.10, 0.14, 0.19), vec3(0.95, 0.78, 0.45), lit);
                    // Far away, where a window is smaller than a pixel, their average.
                    float sharp = 1.0 - smoothstep(0.25, 0.7, max(fwidth(cell.x), fwidth(cell.y)));
                    float window = mix(0.22, edge.x * edge.y, sharp);
                    diffuseColor.rgb = mix(diffuseColor.rgb, glass, window);
                    totalEmissiveRadiance += night * window * lit * glass;
                }`);
    };
    return material;
}
