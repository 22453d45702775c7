// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads a URDF as a web page does, and returns the resulting joints, bounds, colors and poses.

import { LoadingManager, Matrix4, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import URDFLoader from 'urdf-loader';

const OTHER_LOADERS = [[/\.obj$/i, OBJLoader, found => found],
                       [/\.gl(b|tf)$/i, GLTFLoader, found => found.scene]];

async function load(text, folder) {
  const manager = new LoadingManager();
  const failed = [];
  manager.onError = url => failed.push(url);
  const loader = new URDFLoader(manager);
  loader.loadMeshCb = (path, manager, material, done) => {
    const other = OTHER_LOADERS.find(([pattern]) => pattern.test(path));
    if (!other) return loader.defaultMeshLoader(path, manager, material, done);
    new other[1](manager).load(
      path, found => done(other[2](found)), null, error => done(null, error));
  };
  const loaded = new Promise(done => { manager.onLoad = done; });
  manager.itemStart('the description');
  const robot = loader.parse(text, folder);
  manager.itemEnd('the description');
  await loaded;
  return { robot, failed };
}

function bounds(link) {
  const least = [Infinity, Infinity, Infinity], greatest = [-Infinity, -Infinity, -Infinity];
  const point = new Vector3();
  for (const visual of link.children.filter(child => child.isURDFVisual)) {
    visual.traverse(node => {
      const positions = node.geometry && node.geometry.attributes.position;
      if (!positions) return;
      const place = new Matrix4().copy(link.matrixWorld).invert().multiply(node.matrixWorld);
      for (let index = 0; index < positions.count; index++) {
        const vertex = point.fromBufferAttribute(positions, index).applyMatrix4(place).toArray();
        vertex.forEach((value, axis) => {
          least[axis] = Math.min(least[axis], value);
          greatest[axis] = Math.max(greatest[axis], value);
        });
      }
    });
  }
  return Number.isFinite(least[0]) ? [least, greatest] : null;
}

function colors(link) {
  return link.children.filter(child => child.isURDFVisual).map(visual => {
    const mesh = visual.children.find(child => child.isMesh);
    return mesh ? [...mesh.material.color.toArray(), mesh.material.opacity] : null;
  });
}

window.check = async (text, folder, configurations) => {
  const { robot, failed } = await load(text, folder);
  const joints = Object.values(robot.joints);
  joints.forEach(joint => { joint.ignoreLimits = true; });
  robot.updateMatrixWorld(true);
  const links = Object.entries(robot.links);
  const result = {
    failed,
    joints: Object.fromEntries(joints.map(joint => [
      joint.urdfName, [joint.jointType, joint.limit.lower, joint.limit.upper]])),
    bounds: Object.fromEntries(links.map(([name, link]) => [name, bounds(link)])),
    colors: Object.fromEntries(links.map(([name, link]) => [name, colors(link)])),
    poses: [],
  };
  for (const values of configurations) {
    for (const [name, value] of Object.entries(values)) robot.joints[name].setJointValue(value);
    robot.updateMatrixWorld(true);
    result.poses.push(Object.fromEntries(
      links.map(([name, link]) => [name, link.matrixWorld.toArray()])));
  }
  return result;
};
