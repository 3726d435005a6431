// The engine's module, its functions and their failures.

import * as abi from "./abi.js";
import { Callbacks } from "./callbacks.js";
import { type BaseExports, LanecastError, Module, type Reason, type Scratch } from "./module.js";

export interface Exports extends BaseExports, abi.Functions {
  readonly __indirect_function_table: WebAssembly.Table;
}

const reasons: Readonly<Record<number, Reason>> = {
  [abi.INVALID_ARGUMENT]: "invalid-argument",
  [abi.INVALID_INPUT]: "invalid-input",
  [abi.UNKNOWN_ID]: "unknown-id",
  [abi.UNANSWERABLE]: "unanswerable",
  [abi.STOPPED]: "stopped",
  [abi.FILE_ERROR]: "file",
  [abi.OUT_OF_RESOURCES]: "out-of-resources",
  [abi.IN_USE]: "in-use",
  [abi.PANIC]: "defect",
};

export class Engine {
  readonly module: Module<Exports>;
  readonly callbacks: Callbacks;

  constructor(instance: WebAssembly.Instance) {
    this.module = new Module(instance.exports as unknown as Exports);
    this.callbacks = new Callbacks(this.module);
  }

  get functions(): abi.Functions {
    return this.module.exports;
  }

  /** Calls a function, which returns a number that is not negative, or why it failed. */
  call(call: (functions: abi.Functions) => number): number {
    const result = this.module.guard(() => call(this.functions));
    this.callbacks.rethrow();
    if (result >= 0) return result;
    throw new LanecastError(this.module.text(this.functions.lanecast_last_error()), reasons[result] ?? "defect");
  }

  /** Calls a function that writes a handle to a place. */
  made(scratch: Scratch, call: (place: number) => number): number {
    return this.lent(scratch, () => {}, call);
  }

  /** The same for what is freed with the scratch, also where a callback throws though the call has succeeded. */
  lent(scratch: Scratch, free: (handle: number) => void, call: (place: number) => number): number {
    const place = scratch.numbers([0], Uint32Array);
    const handle = () => new Uint32Array(this.module.buffer, place, 1)[0]!;
    scratch.atEnd(() => this.module.isEnded || free(handle()));
    this.call(() => call(place));
    return handle();
  }
}
