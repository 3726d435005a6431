// A rectangle that shows distances at the points of a grid, with isolines.

import { BufferAttribute, BufferGeometry, DataTexture, DoubleSide, FloatType, Mesh, RedFormat, ShaderMaterial } from "three";

import { rgbs, vik } from "./colours.js";
import type { Point } from "./protocol.js";

const fragmentShader = /* glsl */ `
uniform highp sampler2D distances;
uniform vec3 stops[9];
uniform float reach, interval;
varying vec2 place;

float texel(ivec2 at) {
  return texelFetch(distances, clamp(at, ivec2(0), textureSize(distances, 0) - 1), 0).r;
}

// Linear between the points: graphics cards need not do that for numbers of single precision.
float distanceAt(vec2 at) {
  vec2 cell = at * vec2(textureSize(distances, 0) - 1);
  ivec2 corner = ivec2(floor(cell));
  vec2 part = fract(cell);
  float low = mix(texel(corner), texel(corner + ivec2(1, 0)), part.x);
  float high = mix(texel(corner + ivec2(0, 1)), texel(corner + ivec2(1, 1)), part.x);
  return mix(low, high, part.y);
}

void main() {
  float distance = distanceAt(place);
  float at = clamp(0.5 + 0.5 * distance / reach, 0.0, 0.9999) * 8.0;
  vec3 colour = mix(stops[int(at)], stops[int(at) + 1], fract(at));
  // Not 0, as it is beyond the points that are sampled at an edge.
  float wide = max(fwidth(distance), 1e-6 * reach);
  float nearest = abs(fract(distance / interval - 0.5) - 0.5) * interval / wide;
  float line = (1.0 - smoothstep(0.4, 1.2, nearest)) * (1.0 - smoothstep(0.15, 0.4, wide / interval));
  float surface = 1.0 - smoothstep(0.8, 1.6, abs(distance) / wide);
  colour = mix(colour, vec3(0.1), max(0.42 * line, 0.95 * surface));
  gl_FragColor = vec4(colour, 1.0);
}`;

export class SlicePlane extends Mesh<BufferGeometry, ShaderMaterial> {
  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new ShaderMaterial({
      side: DoubleSide,
      uniforms: { distances: { value: null }, stops: { value: rgbs(vik.stops) }, reach: { value: 1 }, interval: { value: 1 } },
      vertexShader: /* glsl */ `
varying vec2 place;
void main() {
  place = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,
      fragmentShader,
    });
    super(geometry, material);
    this.frustumCulled = false;
    this.visible = false;
  }

  /** Distances row by row, in a rectangle of a corner and two sides. */
  show(
    distances: Float32Array,
    columns: number,
    rows: number,
    { corner, right, up }: { readonly corner: Point; readonly right: Point; readonly up: Point },
    reach: number,
    interval: number,
  ): void {
    const at = (across: number, along: number) => corner.map((part, axis) => part + across * right[axis]! + along * up[axis]!);
    const positions = new Float32Array([...at(0, 0), ...at(1, 0), ...at(1, 1), ...at(0, 1)]);
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    const { uniforms } = this.material;
    (uniforms["distances"]!.value as DataTexture | null)?.dispose();
    const texture = new DataTexture(distances, columns, rows, RedFormat, FloatType);
    texture.needsUpdate = true;
    uniforms["distances"]!.value = texture;
    uniforms["reach"]!.value = reach;
    uniforms["interval"]!.value = interval;
    this.visible = true;
  }
}
