// A WASM module: its memory, its texts, and what becomes of a trap.

import type { Field, Layout } from "./abi.js";

/** What a call can fail of. `defect`: of lanecast itself; the module cannot be used any more. */
export type Reason =
  | "invalid-argument"
  | "invalid-input"
  | "unknown-id"
  | "unanswerable"
  | "stopped"
  | "file"
  | "out-of-resources"
  | "in-use"
  | "defect";

/** Why a call failed, in words that name the argument and the place. */
export class LanecastError extends Error {
  override readonly name = "LanecastError";

  constructor(
    message: string,
    readonly reason: Reason,
  ) {
    super(message);
  }
}

export function refuse(name: string, problem: string): never {
  throw new LanecastError(`${name}: ${problem}`, "invalid-argument");
}

export type TypedArray = Float32Array | Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

export interface ArrayType<A extends TypedArray = TypedArray> {
  new (buffer: ArrayBuffer, at: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
}

/** Where a module is: its bytes, compiled or not, their address, or a response that has them. */
export type Source = BufferSource | WebAssembly.Module | URL | string | Response | Promise<Response>;

export interface BaseExports {
  readonly memory: WebAssembly.Memory;
  lanecast_allocate(bytes: number): number;
  lanecast_release(memory: number, bytes: number): void;
  lanecast_keep_panic(): void;
  lanecast_panic(): number;
}

/** Compiles a module. Node reads files by their addresses, as it does not fetch them. */
export async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string" || source instanceof URL) {
    const address = new URL(source, import.meta.url);
    if (address.protocol === "file:") {
      const { readFile } = await import(/* webpackIgnore: true */ "node:fs/promises" as string);
      return WebAssembly.compile(await readFile(address));
    }
    source = fetch(address);
  }
  if (source instanceof Promise || (typeof Response !== "undefined" && source instanceof Response)) {
    const response = await source;
    if (!response.ok) throw new LanecastError(`${response.url}: ${response.status} ${response.statusText}`, "file");
    // Not compiled while it comes: servers that do not know WASM give it another type.
    return WebAssembly.compile(await response.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

export class Module<E extends BaseExports> {
  #ended: string | undefined;

  constructor(readonly exports: E) {
    exports.lanecast_keep_panic();
  }

  get buffer(): ArrayBuffer {
    return this.exports.memory.buffer as ArrayBuffer;
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Runs a call. A trap, which a panic is here, ends the module: nothing of it was unwound. */
  guard<R>(call: () => R): R {
    if (this.#ended !== undefined) {
      throw new LanecastError(`an earlier call ended the module: ${this.#ended}`, "defect");
    }
    try {
      return call();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#ended = this.text(this.exports.lanecast_panic()) || `${error.message}; memory may be used up`;
      throw new LanecastError(this.#ended, "defect");
    }
  }

  allocate(bytes: number): number {
    const memory = this.guard(() => this.exports.lanecast_allocate(bytes)) >>> 0;
    if (memory === 0) throw new LanecastError(`memory does not hold ${bytes} bytes more`, "out-of-resources");
    return memory;
  }

  release(memory: number, bytes: number): void {
    if (this.#ended === undefined) this.exports.lanecast_release(memory, bytes);
  }

  /** A text that ends with a zero. */
  text(at: number): string {
    const bytes = new Uint8Array(this.buffer);
    at >>>= 0;
    return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  }
}

/**
 * Numbers in the memory of the module: a call takes them without a copy, and answers go to them. `array` is another object
 * when the memory has grown meanwhile, so take it anew after each call.
 */
export class Block<A extends TypedArray = TypedArray> {
  #at: number;

  /** @internal */
  constructor(
    readonly module: Module<BaseExports>,
    readonly type: ArrayType<A>,
    readonly length: number,
  ) {
    this.#at = module.allocate(length * type.BYTES_PER_ELEMENT);
    freed.register(this, () => module.release(at, length * type.BYTES_PER_ELEMENT), this);
    const at = this.#at;
  }

  /** @internal */
  get at(): number {
    if (this.#at === 0) refuse("block", "it was freed");
    return this.#at;
  }

  get array(): A {
    return new this.type(this.module.buffer, this.at, this.length);
  }

  /** Frees the memory; else that is done some time after nobody has the block. */
  free(): void {
    if (this.#at !== 0) this.module.release(this.#at, this.length * this.type.BYTES_PER_ELEMENT);
    this.#at = 0;
    freed.unregister(this);
  }
}

/** Frees what nobody has any more. */
export const freed = new FinalizationRegistry<() => void>((free) => free());

/** Numbers of the caller. */
export type Numbers = ArrayLike<number> | Block;

export type Value = number | bigint | boolean | ArrayLike<number> | Values;
export interface Values {
  readonly [field: string]: Value | undefined;
}
/** Values of the fields of a struct; those that are left out are zero. */
export type ValuesOf<L extends Layout> = { readonly [field in keyof L["fields"]]?: Value | undefined };

function write(view: DataView, at: number, field: Field, value: Value): void {
  if (typeof field === "object" && "fields" in field) {
    for (const [name, part] of Object.entries(value as Values)) {
      const [offset, of] = field.fields[name]!;
      if (part !== undefined) write(view, at + offset, of, part);
    }
  } else if (typeof field === "object") {
    const [of, length] = field;
    const bytes = sizeOf(of);
    for (let index = 0; index < length; index += 1) write(view, at + index * bytes, of, (value as ArrayLike<number>)[index]!);
  } else if (field === "u64") {
    view.setBigUint64(at, BigInt(value as bigint), true);
  } else {
    const number = Number(value);
    if (field === "u8") view.setUint8(at, number);
    else if (field === "u16") view.setUint16(at, number, true);
    else if (field === "i32") view.setInt32(at, number, true);
    else if (field === "u32") view.setUint32(at, number, true);
    else if (field === "f32") view.setFloat32(at, number, true);
    else view.setFloat64(at, number, true);
  }
}

function sizeOf(field: Field): number {
  if (typeof field !== "object") return { u8: 1, u16: 2, i32: 4, u32: 4, u64: 8, f32: 4, f64: 8 }[field];
  if ("fields" in field) return field.size;
  const [of, length] = field;
  return length * sizeOf(of);
}

/** What is read of a field or a struct. */
export type Read<F> = F extends "u64"
  ? bigint
  : F extends string
    ? number
    : F extends Layout
      ? { [field in keyof F["fields"]]: Read<F["fields"][field][1]> }
      : number[];

function read(view: DataView, at: number, field: Field): unknown {
  if (typeof field === "object" && "fields" in field) {
    const parts = Object.entries(field.fields).map(([name, [offset, of]]) => [name, read(view, at + offset, of)]);
    return Object.fromEntries(parts);
  }
  if (typeof field === "object") {
    const [of, length] = field;
    return Array.from({ length }, (_, index) => read(view, at + index * sizeOf(of), of));
  }
  if (field === "u8") return view.getUint8(at);
  if (field === "u16") return view.getUint16(at, true);
  if (field === "i32") return view.getInt32(at, true);
  if (field === "u32") return view.getUint32(at, true);
  if (field === "u64") return view.getBigUint64(at, true);
  return field === "f32" ? view.getFloat32(at, true) : view.getFloat64(at, true);
}

/** Memory of one call, all of which is freed at its end. */
export class Scratch {
  readonly #held: (readonly [number, number])[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(readonly module: Module<BaseExports>) {}

  /** Memory of anything. */
  room(bytes: number): number {
    const at = this.module.allocate(bytes);
    this.#held.push([at, bytes]);
    return at;
  }

  /** A struct, whose fields are zero but for these. */
  struct<L extends Layout>(layout: L, values: ValuesOf<L>): number {
    return this.structs(layout, [values]);
  }

  structs<L extends Layout>(layout: L, rows: readonly ValuesOf<L>[]): number {
    const at = this.room(layout.size * rows.length);
    new Uint8Array(this.module.buffer, at, layout.size * rows.length).fill(0);
    const view = new DataView(this.module.buffer);
    // Structs that may grow begin with their size.
    const sized = layout.fields["size"]?.[0] === 0 ? { size: layout.size } : {};
    rows.forEach((row, index) => write(view, at + index * layout.size, layout, { ...sized, ...(row as Values) }));
    return at;
  }

  read<L extends Layout>(layout: L, at: number): Read<L> {
    return read(new DataView(this.module.buffer), at, layout) as Read<L>;
  }

  /** Where numbers lie: a block of this type is not copied. */
  numbers(given: Numbers, type: ArrayType): number {
    if (given instanceof Block) {
      if (given.type === type && given.module === this.module) return given.at;
      given = given.array;
    }
    const at = this.room(given.length * type.BYTES_PER_ELEMENT);
    new type(this.module.buffer, at, given.length).set(given);
    return at;
  }

  /** The same for ids, counts and masks: whole numbers of 32 bits. */
  ids(name: string, given: Numbers): number {
    if (!(given instanceof Block || given instanceof Uint32Array || given instanceof Uint16Array)) {
      for (let index = 0; index < given.length; index += 1) id(`${name}[${index}]`, given[index]!);
    }
    return this.numbers(given, Uint32Array);
  }

  text(text: string): number {
    return this.numbers(new TextEncoder().encode(text + "\0"), Uint8Array);
  }

  /** Does something when the call has ended. */
  atEnd(end: () => void): void {
    this.#ends.push(end);
  }

  end(): void {
    this.#ends.reverse().forEach((end) => end());
    this.#held.forEach(([at, bytes]) => this.module.release(at, bytes));
  }
}

export function id(name: string, given: number): number {
  if (!(Number.isInteger(given) && given >= 0 && given <= 0xffffffff)) {
    refuse(name, `it is ${given}; a whole number from 0 to 4294967295 was expected`);
  }
  return given;
}

export function inScratch<R>(module: Module<BaseExports>, use: (scratch: Scratch) => R): R {
  const scratch = new Scratch(module);
  try {
    return use(scratch);
  } finally {
    scratch.end();
  }
}
