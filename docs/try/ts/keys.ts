// Keys: those that a focused control needs itself stay its own.

export interface Keys {
  readonly orbit: (around: number, over: number) => void;
  readonly zoom: (factor: number) => void;
  readonly home: () => void;
  /** Moves the cursor by pixels. */
  readonly move: (right: number, up: number) => void;
  readonly press: () => void;
  readonly choose: (key: string) => void;
  readonly help: () => void;
}

/** In radians and in pixels. */
const [TURN, STEP] = [Math.PI / 60, 12];

const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  a: [-1, 0],
  d: [1, 0],
  w: [0, 1],
  s: [0, -1],
};

export function listenToKeys(canvas: HTMLCanvasElement, keys: Keys): void {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || !(target instanceof Element)) return;
    if (target.closest("dialog, input[type=date]")) return;
    const way = ways[key] ?? (key.length === 1 ? ways[key.toLowerCase()] : undefined);
    if (way) {
      if (key.startsWith("Arrow") && target.matches("input")) return;
      if (key.startsWith("Arrow") && event.shiftKey) keys.move(STEP * way[0], STEP * way[1]);
      else keys.orbit(TURN * way[0], -TURN * way[1]);
    } else if (key === "+" || key === "=") keys.zoom(0.87);
    else if (key === "-") keys.zoom(1 / 0.87);
    else if (key === "0") keys.home();
    else if (key === "?") keys.help();
    else if (key === "Enter" && (target === canvas || target === document.body)) keys.press();
    else if (key >= "1" && key <= "9") keys.choose(key);
    else return;
    event.preventDefault();
  });
}
