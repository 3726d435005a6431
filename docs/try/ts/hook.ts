// What tests see of the page: `window.lanecastTry`.

import type { Ray } from "./protocol.js";
import type { ToolName } from "./tools/tool.js";

export interface State {
  readonly tool: ToolName;
  readonly scene: string;
  readonly triangles: number;
  /** The last pick, and the ray that was cast for it, in the coordinates of the file. */
  readonly pick: { readonly triangle: number; readonly point: readonly number[]; readonly ray: Ray } | undefined;
  /** Rays or points of the last call of the tool; 0 before its first one. */
  readonly rays: number;
  /** The text of the alert that is shown; empty without one. */
  readonly error: string;
}

declare global {
  interface Window {
    lanecastTry: {
      /** The first scene is open, or has failed to open. */
      readonly ready: Promise<void>;
      state(): State;
    };
  }
}
