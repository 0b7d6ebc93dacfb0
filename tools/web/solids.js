// Which buildings are likely to hide most: those that look largest.

import * as THREE from 'three';

const farthest = 600;

// mesh: upright boxes, whose geometry is a unit cube that stands on y = 0. Returns a function that gives those that
// look largest from a camera, largest first.
export function chooseSolids(mesh) {
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion();
    const at = new THREE.Vector3(), size = new THREE.Vector3();
    const solids = Array.from({ length: mesh.count }, (_, i) => {
        mesh.getMatrixAt(i, matrix);
        matrix.decompose(at, turn, size);
        const min = [at.x - size.x / 2, at.y, at.z - size.z / 2];
        const max = [at.x + size.x / 2, at.y + size.y, at.z + size.z / 2];
        return { min, max, x: at.x, z: at.z, area: size.y * (size.x + size.z), looks: 0 };
    });
    const forward = new THREE.Vector3(), eye = new THREE.Vector3();
    return (camera, most) => {
        camera.getWorldDirection(forward);
        eye.setFromMatrixPosition(camera.matrixWorld);
        const near = solids.filter(solid => {
            const x = solid.x - eye.x, z = solid.z - eye.z, square = x * x + z * z;
            solid.looks = solid.area / square;
            return square < farthest * farthest && x * forward.x + z * forward.z > 0;
        });
        return near.sort((a, b) => b.looks - a.looks).slice(0, most);
    };
}
