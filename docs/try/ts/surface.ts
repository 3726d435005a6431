// The surface as it is drawn: shaded, tinted by height with contours, and painted with one number for each vertex.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Matrix3,
  Mesh,
  ShaderMaterial,
  Vector3,
  Vector4,
} from "three";

import { batlow, type Palette, rgb, rgbs, type Scale, SEEN } from "./colours.js";
import { roundStep } from "./format.js";
import type { Surface } from "./protocol.js";

/** What the numbers of vertices mean. */
export type Paint =
  | { readonly kind: "plain" }
  /** Dark, under what is drawn on it. */
  | { readonly kind: "muted" }
  /** 1 where it is seen. */
  | { readonly kind: "seen"; readonly values: ArrayLike<number> }
  /** 1 where the sun shines. */
  | { readonly kind: "lit"; readonly values: ArrayLike<number> }
  /** From the first to the last colour of a scale; none where it is no finite number. */
  | {
      readonly kind: "scale";
      readonly values: ArrayLike<number>;
      readonly scale: Scale;
      readonly from: number;
      readonly to: number;
    };

const KINDS: Readonly<Record<Paint["kind"], number>> = { plain: 0, muted: 1, seen: 2, lit: 3, scale: 4 };

/** Of vertices without a number: graphics cards need not know infinities. */
const NONE = -1e30;

/** Heights of terrain are drawn so many times as large. */
export const EXAGGERATION = 2;

const vertexShader = /* glsl */ `
attribute float value;
uniform vec3 stretch;
varying vec3 place;
varying vec3 stretched;
varying vec3 across;
varying float painted;
void main() {
  place = position;
  stretched = position * stretch;
  across = normal / stretch;
  painted = value;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform int kind;
uniform bool isFaceted, isTerrain;
uniform vec3 light, mesh, contour, muted, seen;
uniform vec3 relief[5];
uniform vec3 stops[9];
uniform vec2 range, heights;
uniform float interval, datum;
uniform vec4 cut;
varying vec3 place;
varying vec3 stretched;
varying vec3 across;
varying float painted;

vec3 reliefAt(float x) {
  float at = clamp(x, 0.0, 0.9999) * 4.0;
  return mix(relief[int(at)], relief[int(at) + 1], fract(at));
}

vec3 scaleAt(float x) {
  float at = clamp(x, 0.0, 0.9999) * 8.0;
  return mix(stops[int(at)], stops[int(at) + 1], fract(at));
}

vec3 ground() {
  if (!isTerrain) return mesh;
  vec3 tint = reliefAt((place.z - heights.x) / (heights.y - heights.x));
  float level = (place.z + datum) / interval;
  float wide = max(fwidth(level), 1e-6);
  float line = 1.0 - smoothstep(0.6, 1.4, abs(fract(level - 0.5) - 0.5) / wide);
  // Where contours would run together there are none.
  return mix(tint, contour, 0.28 * line * (1.0 - smoothstep(0.12, 0.3, wide)));
}

void main() {
  if (dot(cut.xyz, place) > cut.w) discard;
  vec3 facing = normalize(cross(dFdx(stretched), dFdy(stretched)));
  vec3 normal = isFaceted ? facing : normalize(across) * (gl_FrontFacing ? 1.0 : -1.0);
  float shade = max(dot(normal, light), 0.0);
  vec3 colour = ground();
  if (kind == 1) {
    colour = muted * (0.55 + 0.6 * shade);
  } else if (kind == 2) {
    colour = mix(colour * 0.86, seen, 0.7 * smoothstep(0.25, 0.75, painted)) * (0.52 + 0.58 * shade);
  } else if (kind == 3) {
    colour *= mix(vec3(0.34, 0.36, 0.42), vec3(0.5, 0.49, 0.46) + 0.6 * pow(shade, 0.65), painted);
  } else if (kind == 4) {
    bool isNumber = painted > -1.0e20;
    float x = (painted - range.x) / (range.y - range.x);
    colour = (isNumber ? scaleAt(x) : mesh) * (0.72 + 0.34 * shade);
  } else {
    colour *= 0.52 + 0.58 * shade;
  }
  gl_FragColor = vec4(colour * (gl_FrontFacing ? 1.0 : 0.82), 1.0);
}`;

export class DrawnSurface {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #values: BufferAttribute;

  constructor(
    readonly surface: Surface,
    palette: Palette,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(surface.positions, 3));
    geometry.setAttribute("normal", new BufferAttribute(surface.normals, 3));
    this.#values = new BufferAttribute(new Float32Array(surface.positions.length / 3), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("value", this.#values);
    geometry.setIndex(new BufferAttribute(surface.triangles, 1));
    const [lowest, highest] = [surface.min[2] - surface.center[2], surface.max[2] - surface.center[2]];
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      side: DoubleSide,
      // So that lines and points that lie on it are seen.
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
      uniforms: {
        kind: { value: 0 },
        isFaceted: { value: surface.isFaceted },
        isTerrain: { value: surface.grid !== undefined },
        stretch: { value: new Vector3(1, 1, surface.grid ? EXAGGERATION : 1) },
        light: { value: new Vector3(0, 0, 1) },
        mesh: { value: null },
        contour: { value: null },
        muted: { value: null },
        relief: { value: null },
        seen: { value: rgb(SEEN) },
        stops: { value: rgbs(batlow.stops) },
        range: { value: [0, 1] },
        heights: { value: [lowest, highest] },
        interval: { value: roundStep((highest - lowest) / 9) },
        datum: { value: surface.center[2] },
        cut: { value: new Vector4(0, 0, 0, 1) },
      },
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.colour(palette);
  }

  get #uniforms() {
    return this.mesh.material.uniforms;
  }

  colour({ mesh, contour, muted, relief }: Palette): void {
    this.#set({ mesh: rgb(mesh), contour: rgb(contour), muted: rgb(muted), relief: rgbs(relief) });
  }

  paint(paint: Paint): void {
    this.#set({ kind: KINDS[paint.kind] });
    if ("values" in paint) {
      const { values } = paint;
      const drawn = this.#values.array;
      for (let vertex = 0; vertex < drawn.length; vertex += 1)
        drawn[vertex] = Number.isFinite(values[vertex]) ? values[vertex]! : NONE;
      this.#values.needsUpdate = true;
    }
    if (paint.kind === "scale") this.#set({ stops: rgbs(paint.scale.stops), range: [paint.from, paint.to] });
  }

  /** Where light comes from, in the file's coordinates; `isTrue` if slopes are not to look steeper than they are. */
  lightFrom(direction: Vector3, isTrue: boolean): void {
    this.#set({ light: direction });
    (this.#uniforms["stretch"]!.value as Vector3).z = this.surface.grid && !isTrue ? EXAGGERATION : 1;
  }

  /** Leaves out where a·x + b·y + c·z exceeds d, in the coordinates that are drawn. */
  cut(plane: Vector4): void {
    this.#set({ cut: plane });
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #set(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) this.#uniforms[name]!.value = value;
  }
}

/** Light from the upper left of the picture, for surfaces without a north. */
export function headlight(fromView: Matrix3): Vector3 {
  return new Vector3(-0.42, 0.5, 0.76).normalize().applyMatrix3(fromView);
}

/** From the north-west, as maps have it. */
export const NORTH_WEST = new Vector3(-0.5, 0.5, Math.SQRT1_2);
