// What the page asks its worker, and what the worker answers. Points are in the file's own coordinates; arrays of `Surface`
// and of points that are drawn are less the center, as the graphics card has single precision.

export type Point = readonly [number, number, number];

/** Which axis points up; of `y` z points to the south, of `z` y to the north. */
export type Up = "y" | "z";

export interface Ray {
  readonly origin: Point;
  readonly direction: Point;
}

/** A grid of heights: rows from south to north, each from west to east. */
export interface Terrain {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** Metres to the east and to the north between heights. */
  readonly spacing: readonly [number, number];
  readonly heights: Uint16Array;
}

export interface MeshFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}

export interface Surface {
  readonly name: string;
  readonly positions: Float32Array;
  /** Of length 1, by vertex. */
  readonly normals: Float32Array;
  readonly triangles: Uint32Array;
  readonly center: Point;
  readonly min: Point;
  readonly max: Point;
  /** Half the diagonal of the bounds; 1 of a single point. */
  readonly radius: number;
  /** Rows and columns of a terrain. */
  readonly grid: readonly [number, number] | undefined;
  /** Whether most of it meets at edges, so that it is drawn without rounding. */
  readonly isFaceted: boolean;
  readonly remarks: readonly string[];
}

/** What the engine did, and how long it took for that alone. */
export interface Cost {
  readonly count: number;
  readonly of: "rays" | "points";
  readonly milliseconds: number;
}

/** Where a ray meets the surface first. */
export interface Met {
  readonly triangle: number;
  readonly point: Point;
  readonly normal: Point;
  readonly corners: readonly [Point, Point, Point];
}

interface WithCost {
  readonly cost: Cost;
}

export interface Seen extends WithCost {
  /** Nothing else is there if the ray meets nothing. */
  readonly ground?: Point;
  readonly observer?: Point;
  /** 1 for targets in sight. */
  readonly isSeen?: Uint8Array;
}

export interface Picked extends WithCost {
  readonly met?: Met;
}

export interface Sight extends WithCost {
  /** Where the line is hidden first, if it is. */
  readonly obstacle?: Point;
}

export interface Scan extends WithCost {
  readonly ground?: Point;
  readonly scanner?: Point;
  /** In the order of firing. */
  readonly points?: Float32Array;
  readonly distances?: Float32Array;
}

export interface Sunlight extends WithCost {
  /** Towards the sun: x to the east, y to the north, z up. */
  readonly toSun: Point;
  /** The same in the coordinates of the file. */
  readonly direction: Point;
  /** 1 for vertices in the sun. */
  readonly isLit: Uint8Array;
}

export interface Slice extends WithCost {
  /** Negative inside a closed surface, and below a terrain. */
  readonly distances: Float32Array;
  /** Why inside is only where generalised winding numbers say so. */
  readonly open?: string;
}

export interface Thickness extends WithCost {
  /** By vertex; infinite where nothing lies behind it. */
  readonly thickness: Float32Array;
}

/** Each call takes one argument and has one answer. */
export interface Calls {
  openTerrain(terrain: Terrain): Surface;
  openFile(file: MeshFile): Surface;
  /** Every `step`-th row and column of a terrain; all vertices of other surfaces. */
  viewshed(asked: { readonly ray: Ray; readonly height: number; readonly step: number }): Seen;
  pick(ray: Ray): Picked;
  sight(between: { readonly from: Met; readonly to: Met }): Sight;
  lidar(asked: { readonly ray: Ray; readonly height: number; readonly beams: number; readonly firings: number }): Scan;
  /** At a time in UTC: milliseconds since 1970. */
  sun(asked: { readonly time: number; readonly latitude: number; readonly longitude: number; readonly up: Up }): Sunlight;
  /** At points of a grid: corner + column · right + row · up. */
  slice(asked: {
    readonly corner: Point;
    readonly right: Point;
    readonly up: Point;
    readonly columns: number;
    readonly rows: number;
  }): Slice;
  thickness(asked: null): Thickness;
}

export type Call = keyof Calls;
export type Argument<C extends Call> = Parameters<Calls[C]>[0];
export type Answer<C extends Call> = ReturnType<Calls[C]>;

/** How far a long call is: a text, and a share of 1 where it is known. */
export interface Progress {
  readonly text: string;
  readonly share?: number;
}

export interface Question {
  readonly id: number;
  readonly call: Call;
  readonly argument: unknown;
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly message: string };
