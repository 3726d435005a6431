// Lines and points that keep their width on the screen.

import {
  BufferAttribute,
  BufferGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  Points,
  ShaderMaterial,
  Vector2,
} from "three";

import { lightBatlow, rgb, rgbs } from "./colours.js";
import type { Point } from "./protocol.js";

/** Segments between pairs of points; each an instance of a rectangle. */
export class Lines extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  constructor(colour: string, width = 2.5, dash = 0) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new ShaderMaterial({
      depthTest: false,
      transparent: true,
      uniforms: {
        colour: { value: rgb(colour) },
        width: { value: width },
        dash: { value: dash },
        size: { value: new Vector2() },
      },
      vertexShader: /* glsl */ `
attribute vec3 from, to;
uniform vec2 size;
uniform float width;
varying float along;
// Ends behind the eye are drawn to the near plane.
vec4 cut(vec4 a, vec4 b) {
  return a.z > -a.w ? a : mix(a, b, (a.z + a.w) / (a.z + a.w - b.z - b.w));
}
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  vec4 start = cut(a, b), end = cut(b, a);
  vec2 way = (end.xy / end.w - start.xy / start.w) * size * 0.5;
  vec2 across = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(0.0);
  vec4 here = mix(start, end, position.x);
  along = length(way) * position.x;
  gl_Position = here + vec4(across * position.y * width / size * here.w, 0.0, 0.0);
}`,
      fragmentShader: /* glsl */ `
uniform vec3 colour;
uniform float dash;
varying float along;
void main() {
  if (dash > 0.0 && mod(along, 2.0 * dash) > dash) discard;
  gl_FragColor = vec4(colour, 1.0);
}`,
    });
    super(geometry, material);
    this.frustumCulled = false;
    this.renderOrder = 2;
    this.visible = false;
    // In pixels of the drawing buffer, whatever their density.
    this.onBeforeRender = (renderer) => renderer.getSize(material.uniforms["size"]!.value as Vector2);
  }

  /** Pairs of points, in the coordinates that are drawn. */
  set(points: readonly Point[]): void {
    const of = (end: number) => new Float32Array(points.filter((_, index) => index % 2 === end).flat());
    this.visible = points.length > 0;
    if (!this.visible) return;
    this.geometry.dispose();
    this.geometry.setAttribute("from", new InstancedBufferAttribute(of(0), 3));
    this.geometry.setAttribute("to", new InstancedBufferAttribute(of(1), 3));
    this.geometry.instanceCount = points.length / 2;
  }
}

/** Discs of one colour with a light rim, on top of all else. */
export class Dots extends Points<BufferGeometry, ShaderMaterial> {
  constructor(colour: string, width = 13) {
    const material = new ShaderMaterial({
      depthTest: false,
      transparent: true,
      uniforms: { colour: { value: rgb(colour) }, width: { value: width }, density: { value: 1 } },
      vertexShader: /* glsl */ `
uniform float width, density;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = width * density;
}`,
      fragmentShader: /* glsl */ `
uniform vec3 colour;
void main() {
  float radius = length(gl_PointCoord - 0.5);
  float soft = fwidth(radius);
  vec3 shown = mix(colour, vec3(1.0), smoothstep(0.33 - soft, 0.33 + soft, radius));
  gl_FragColor = vec4(shown, 1.0 - smoothstep(0.5 - soft, 0.5, radius));
}`,
    });
    super(new BufferGeometry(), material);
    this.frustumCulled = false;
    this.renderOrder = 3;
    this.visible = false;
    this.onBeforeRender = (renderer) => void (material.uniforms["density"]!.value = renderer.getPixelRatio());
  }

  set(points: readonly Point[]): void {
    this.visible = points.length > 0;
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  }
}

/** Many points, each with a number that is drawn by the scale. */
export class Cloud extends Points<BufferGeometry, ShaderMaterial> {
  constructor() {
    const material = new ShaderMaterial({
      uniforms: { stops: { value: rgbs(lightBatlow.stops) }, range: { value: [0, 1] }, density: { value: 1 } },
      vertexShader: /* glsl */ `
attribute float value;
uniform float density;
varying float painted;
void main() {
  painted = value;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = 2.5 * density;
}`,
      fragmentShader: /* glsl */ `
uniform vec3 stops[9];
uniform vec2 range;
varying float painted;
void main() {
  float at = clamp((painted - range.x) / (range.y - range.x), 0.0, 0.9999) * 8.0;
  gl_FragColor = vec4(mix(stops[int(at)], stops[int(at) + 1], fract(at)), 1.0);
}`,
    });
    super(new BufferGeometry(), material);
    this.frustumCulled = false;
    this.renderOrder = 1;
    this.visible = false;
    this.onBeforeRender = (renderer) => void (material.uniforms["density"]!.value = renderer.getPixelRatio());
  }

  set(points: Float32Array, values: Float32Array, range: readonly [number, number]): void {
    this.visible = points.length > 0;
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(points, 3));
    this.geometry.setAttribute("value", new BufferAttribute(values, 1));
    this.geometry.setDrawRange(0, Infinity);
    this.material.uniforms["range"]!.value = range;
  }

  /** Shows the first ones only. */
  show(share: number): void {
    const { count } = this.geometry.getAttribute("position");
    this.geometry.setDrawRange(0, Math.ceil(share * count));
  }
}
