// The cursor over the canvas: that of the mouse, a finger's tap, or the one that keys move.

/** From −1 to 1, to the right and up. */
export type Place = readonly [number, number];

/** A press that moves farther, in pixels, or lasts longer, in milliseconds, is no tap. */
const [FARTHEST, LONGEST] = [6, 600];

export class Pointer {
  #down: { readonly x: number; readonly y: number; readonly time: number } | undefined;
  #place: Place = [0, 0];

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly cross: HTMLElement,
    readonly hover: (place: Place) => void,
    readonly tap: (place: Place) => void,
  ) {
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      this.cross.hidden = true;
      this.hover(this.#placeOf(event));
    });
    canvas.addEventListener("pointerdown", (event) => {
      const { clientX: x, clientY: y, timeStamp: time } = event;
      this.#down = event.isPrimary && event.button === 0 ? { x, y, time } : undefined;
    });
    canvas.addEventListener("pointerup", (event) => {
      const down = this.#down;
      this.#down = undefined;
      if (!down || event.timeStamp - down.time > LONGEST) return;
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > FARTHEST) return;
      this.cross.hidden = true;
      this.tap(this.#placeOf(event));
    });
  }

  /** Moves the cursor by pixels, from where it was last. */
  move(right: number, up: number): void {
    const { clientWidth, clientHeight } = this.canvas;
    const within = (value: number) => Math.min(Math.max(value, -1), 1);
    const [x, y] = this.#place;
    this.#place = [within(x + (2 * right) / clientWidth), within(y + (2 * up) / clientHeight)];
    this.cross.hidden = false;
    this.cross.style.left = `${50 * (1 + this.#place[0])}%`;
    this.cross.style.top = `${50 * (1 - this.#place[1])}%`;
    this.hover(this.#place);
  }

  /** Taps where the cursor is. */
  press(): void {
    this.tap(this.#place);
  }

  #placeOf({ clientX, clientY }: PointerEvent): Place {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    this.#place = [(2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height];
    return this.#place;
  }
}
