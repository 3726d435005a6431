// The page's side of the worker.

import type { Answer, Argument, Call, Progress, Question, Reply } from "./protocol.js";

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly hear: (progress: Progress) => void;
}

export class Engine {
  readonly #worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#receive(data));
    this.#worker.addEventListener("error", ({ message }) => {
      const error = new Error(message || "worker.js does not load");
      this.#waiting.forEach(({ reject }) => reject(error));
      this.#waiting.clear();
    });
  }

  ask<C extends Call>(
    call: C,
    argument: Argument<C>,
    hear: (progress: Progress) => void = () => {},
    transfer: ArrayBuffer[] = [],
  ): Promise<Answer<C>> {
    return new Promise((resolve, reject) => {
      const question: Question = { id: this.#next++, call, argument };
      this.#waiting.set(question.id, { resolve: resolve as Waiting["resolve"], reject, hear });
      this.#worker.postMessage(question, transfer);
    });
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if ("progress" in reply) return waiting?.hear(reply.progress);
    this.#waiting.delete(reply.id);
    if ("answer" in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.message));
  }
}

/** Calls one after the other: while one is under way, only the newest of those that come is kept. */
export function newest<A>(call: (argument: A) => Promise<void>): (argument: A) => Promise<void> {
  let isBusy = false;
  let next: { readonly argument: A } | undefined;
  return async (argument) => {
    next = { argument };
    if (isBusy) return;
    isBusy = true;
    try {
      while (next) {
        const { argument } = next;
        next = undefined;
        await call(argument);
      }
    } finally {
      isBusy = false;
    }
  };
}
