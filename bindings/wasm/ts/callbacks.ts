// Functions of JavaScript that the module calls.

import type { BaseExports, Module } from "./module.js";

/** A type of WASM, by its code. */
const types = { i32: 0x7f, f64: 0x7c } as const;
type Type = keyof typeof types;

/** A function of WASM that calls one of JavaScript: a module that imports it and exports it again. */
function typed(parameters: readonly Type[], result: Type, call: (...values: number[]) => number): Function {
  const codes = parameters.map((type) => types[type]);
  const type = [1, 0x60, codes.length, ...codes, 1, types[result]];
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, type.length, ...type],
    // Import "f" of module "f", of type 0; export it as "f".
    ...[2, 7, 1, 1, 0x66, 1, 0x66, 0, 0],
    ...[7, 5, 1, 1, 0x66, 0, 0],
  ];
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { f: { f: call } });
  return instance.exports["f"] as Function;
}

interface Exports extends BaseExports {
  readonly __indirect_function_table: WebAssembly.Table;
}

/** The functions of JavaScript that a module may call now, and what they threw. */
export class Callbacks {
  readonly #free: number[] = [];
  /** How many have each one. */
  readonly #holders = new Map<number, number>();
  #thrown: { readonly error: unknown } | undefined;

  constructor(readonly module: Module<Exports>) {}

  /**
   * A pointer to a function. What it throws must not pass through the module, which would not unwind: then the function
   * returns `otherwise`, and the call throws when it has ended.
   */
  add(parameters: readonly Type[], result: Type, otherwise: number, call: (...values: number[]) => number | boolean): number {
    const table = this.module.exports.__indirect_function_table;
    const caught = (...values: number[]) => {
      try {
        return Number(call(...values));
      } catch (error) {
        this.#thrown ??= { error };
        return otherwise;
      }
    };
    const at = this.#free.pop() ?? table.grow(1);
    table.set(at, typed(parameters, result, caught));
    return this.hold(at);
  }

  /** One more has it. */
  hold(at: number): number {
    this.#holders.set(at, (this.#holders.get(at) ?? 0) + 1);
    return at;
  }

  /** One fewer has it; after the last one it is gone. */
  remove(at: number): void {
    const holders = this.#holders.get(at)! - 1;
    this.#holders.set(at, holders);
    if (holders > 0) return;
    this.module.exports.__indirect_function_table.set(at, null);
    this.#free.push(at);
  }

  /** Throws what a function threw since the last time. */
  rethrow(): void {
    const thrown = this.#thrown;
    this.#thrown = undefined;
    if (thrown) throw thrown.error;
  }
}
