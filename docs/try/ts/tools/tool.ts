// What every tool has, and what it may use.

import type { Object3D } from "three";

import type { Paint } from "../surface.js";
import type { Legend } from "../legend.js";
import type { Answer, Argument, Call, Ray, Surface, Up } from "../protocol.js";
import type { Stage } from "../stage.js";

export const toolNames = ["viewshed", "pick", "lidar", "sun", "slice", "thickness"] as const;
export type ToolName = (typeof toolNames)[number];

/** The number of the coordinate that grows upwards. */
export const UP_AXES: Readonly<Record<Up, 1 | 2>> = { y: 1, z: 2 };

export interface Context {
  readonly stage: Stage;
  /** The scene that is open. */
  readonly surface: Surface;
  /** Of its lengths: "m", "mm" or none. */
  readonly unit: string;
  readonly up: Up;
  /**
   * Asks the engine and shows what it took. Nothing comes back if the call fails, which the page says, or if meanwhile
   * another tool or scene was chosen.
   */
  ask<C extends Call>(call: C, argument: Argument<C>): Promise<Answer<C> | undefined>;
  paint(paint: Paint): void;
  /** The result in the panel. */
  result(...content: (Node | string)[]): void;
  legend(legend: Legend | undefined): void;
  /** Says what has happened, for those who hear the page. */
  say(text: string): void;
  /** For tests: what was picked. */
  picked(pick: { readonly triangle: number; readonly point: readonly number[]; readonly ray: Ray } | undefined): void;
  /** Whether motion is unwelcome. */
  isStill(): boolean;
}

export interface Tool {
  readonly title: string;
  /** The key that chooses it. */
  readonly key: string;
  /** What it draws beside the surface, while it is chosen. */
  readonly marks: readonly Object3D[];
  /** What to do, of this scene. */
  hint(): string;
  /** Those of this scene; made anew whenever the tool is chosen. */
  controls(): readonly HTMLElement[];
  /** The tool was chosen, or another scene opened: draws for the whole surface or for its summit. */
  activate(): void;
  /** Another is chosen: ends what is under way. */
  deactivate(): void;
  /** The cursor moved. */
  hover?(ray: Ray): void;
  /** A click, a tap, or Enter. */
  tap?(ray: Ray): void;
}

/** Where points lie as they are drawn. */
export function drawnAt({ center }: Surface, [x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [x - center[0], y - center[1], z - center[2]];
}

/** Down onto the highest vertex: where a tool begins that needs a point. */
export function ontoSummit({ surface: { positions, center, radius }, up }: Context): Ray {
  const axis = UP_AXES[up];
  let highest = 0;
  for (let at = 0; at < positions.length; at += 3) if (positions[at + axis]! > positions[highest + axis]!) highest = at;
  const along = (of: number, size: number) => (of === axis ? size : 0);
  const vector = (part: (of: number) => number) => [part(0), part(1), part(2)] as const;
  return {
    origin: vector((of) => center[of]! + positions[highest + of]! + along(of, radius)),
    direction: vector((of) => along(of, -1)),
  };
}
