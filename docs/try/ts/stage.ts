// What is drawn, and from where: drawn again only when something has changed.

import {
  Group,
  LinearSRGBColorSpace,
  Matrix3,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  Vector4,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { type Palette, rgb } from "./colours.js";
import type { Point, Ray, Surface, Up } from "./protocol.js";
import { DrawnSurface, EXAGGERATION, headlight, NORTH_WEST, type Paint } from "./surface.js";

/** Of the shorter side of the picture, in degrees. */
const FIELD_OF_VIEW = 35;
/** Of the bounding sphere of a terrain, which is flat, so much has to be seen. */
const TERRAIN_SHARE = 0.74;
const MESH_SHARE = 0.92;

/** A plane that cuts the surface, whose nearer side is left out. */
export interface Cut {
  readonly axis: 0 | 1 | 2;
  /** In the coordinates that are drawn. */
  readonly at: number;
}

export class Stage {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 10);
  readonly controls: OrbitControls;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  /** Stretched for terrain, and turned so that up is up. Its content is less the center of the surface. */
  readonly #world = new Group();
  #drawn: DrawnSurface | undefined;
  #palette: Palette;
  #light: Vector3 | undefined;
  #cut: Cut | undefined;
  #isAsked = false;
  #flight = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    palette: Palette,
    readonly isStill: () => boolean,
  ) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#palette = palette;
    this.#scene.add(this.#world);
    // Before the controls, which turn about it.
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => this.#land());
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement!);
    this.colour(palette);
  }

  colour(palette: Palette): void {
    this.#palette = palette;
    this.#renderer.setClearColor(rgb(palette.ground));
    this.#drawn?.colour(palette);
    this.invalidate();
  }

  show(surface: Surface, up: Up): void {
    if (this.#drawn) {
      this.#world.remove(this.#drawn.mesh);
      this.#drawn.dispose();
    }
    this.#drawn = new DrawnSurface(surface, this.#palette);
    this.#world.add(this.#drawn.mesh);
    this.#world.scale.set(1, 1, surface.grid ? EXAGGERATION : 1);
    this.turn(up);
    this.controls.minDistance = 0.002 * surface.radius;
    this.controls.maxDistance = 8 * surface.radius;
    this.controls.maxPolarAngle = surface.grid ? 0.49 * Math.PI : Math.PI;
    this.home();
  }

  turn(up: Up): void {
    this.#world.rotation.x = up === "y" ? Math.PI / 2 : 0;
    this.#world.updateMatrixWorld(true);
    this.invalidate();
  }

  /** The whole surface, from the south and above. */
  home(): void {
    const { radius, grid } = this.#drawn!.surface;
    const distance = ((grid ? TERRAIN_SHARE : MESH_SHARE) * radius) / Math.sin((FIELD_OF_VIEW * Math.PI) / 360);
    const direction = grid ? new Vector3(0, -0.66, 0.75) : new Vector3(0.45, -0.78, 0.44);
    this.#land();
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(direction.normalize().multiplyScalar(distance));
    this.controls.update();
    this.invalidate();
  }

  /** Shows other marks than before. */
  mark(marks: readonly Object3D[]): void {
    this.#world.children.filter((child) => child !== this.#drawn?.mesh).forEach((child) => this.#world.remove(child));
    if (marks.length > 0) this.#world.add(...marks);
    this.invalidate();
  }

  paint(paint: Paint): void {
    this.#drawn?.paint(paint);
    this.invalidate();
  }

  /** Light from the sun, in the file's coordinates and true heights; without it as maps and pictures have it. */
  lightFrom(direction: Point | undefined): void {
    this.#light = direction && new Vector3(...direction);
    this.invalidate();
  }

  cut(cut: Cut | undefined): void {
    this.#cut = cut;
    this.invalidate();
  }

  /** Draws with the next frame. */
  invalidate(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  /** The ray through a place of the canvas, −1 to 1 to the right and up, in the file's coordinates. */
  rayThrough(x: number, y: number): Ray {
    this.camera.updateMatrixWorld();
    const { center } = this.#drawn!.surface;
    const origin = this.#world.worldToLocal(this.camera.position.clone());
    const far = this.#world.worldToLocal(new Vector3(x, y, 0.5).unproject(this.camera));
    const direction = far.sub(origin).normalize().toArray();
    return { origin: origin.toArray().map((part, axis) => part + center[axis]!) as unknown as Point, direction };
  }

  /** Turns about the target, in radians. */
  orbit(around: number, over: number): void {
    this.#land();
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = offset.length();
    const azimuth = Math.atan2(offset.y, offset.x) + around;
    const least = 0.01;
    const polar = Math.min(
      Math.max(Math.acos(offset.z / radius) + over, least),
      Math.min(this.controls.maxPolarAngle, Math.PI - least),
    );
    offset.set(Math.sin(polar) * Math.cos(azimuth), Math.sin(polar) * Math.sin(azimuth), Math.cos(polar));
    this.camera.position.copy(this.controls.target).addScaledVector(offset, radius);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor: number): void {
    this.#land();
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = Math.min(Math.max(offset.length() * factor, this.controls.minDistance), this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).addScaledVector(offset.normalize(), radius);
    this.controls.update();
    this.invalidate();
  }

  /** Goes near a point of the file, along the line of sight. */
  approach(point: Point, distance: number): void {
    const { center } = this.#drawn!.surface;
    const target = this.#world.localToWorld(new Vector3(...point).sub(new Vector3(...center)));
    const offset = this.camera.position.clone().sub(this.controls.target).normalize().multiplyScalar(distance);
    const [fromTarget, fromPosition] = [this.controls.target.clone(), this.camera.position.clone()];
    const flight = this.#land();
    const start = performance.now();
    const step = (now: number) => {
      if (flight !== this.#flight) return;
      const time = this.isStill() ? 1 : Math.min((now - start) / 700, 1);
      const eased = time * time * (3 - 2 * time);
      this.controls.target.lerpVectors(fromTarget, target, eased);
      this.camera.position.lerpVectors(fromPosition, target.clone().add(offset), eased);
      this.controls.update();
      this.invalidate();
      if (time < 1) requestAnimationFrame(step);
    };
    step(start);
  }

  /** Ends a flight; the number of the next one. */
  #land(): number {
    return (this.#flight += 1);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / Math.min(this.camera.aspect, 1);
    this.camera.fov = (Math.atan(half) * 360) / Math.PI;
    this.camera.updateProjectionMatrix();
    // At once, as the canvas is empty now.
    this.#draw();
  }

  #draw(): void {
    if (!this.#drawn) return;
    const { surface } = this.#drawn;
    this.controls.enableDamping = !this.isStill();
    this.controls.update();
    const distance = this.camera.position.length();
    this.camera.near = Math.max(distance - 2 * surface.radius, 5e-4 * surface.radius);
    this.camera.far = distance + 3 * surface.radius;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const fromView = this.#world.matrixWorld.clone().invert().multiply(this.camera.matrixWorld);
    const light = surface.grid ? NORTH_WEST : headlight(new Matrix3().setFromMatrix4(fromView));
    this.#drawn.lightFrom(this.#light ?? light, this.#light !== undefined);
    this.#drawn.cut(this.#cutPlane());
    this.#renderer.render(this.#scene, this.camera);
  }

  #cutPlane(): Vector4 {
    if (!this.#cut) return new Vector4(0, 0, 0, 1);
    const { axis, at } = this.#cut;
    const side = this.#world.worldToLocal(this.camera.position.clone()).getComponent(axis) > at ? 1 : -1;
    return new Vector4(0, 0, 0, side * at).setComponent(axis, side);
  }
}
