// The worker that has the engine: it answers one question after the other, so that the page never waits.

import type { Argument, Call, Calls, Progress, Question, Reply } from "../protocol.js";
import * as casts from "./casts.js";
import { openFile, openTerrain, type World } from "./world.js";

let world: World | undefined;

/** Shows the scene from now on; one that fails to open leaves the scene as it is. */
async function open(opening: Promise<World>) {
  world = await opening;
  return world.surface;
}

function answer(call: Call, argument: unknown, tell: (progress: Progress) => void): unknown {
  if (call === "openTerrain") return open(openTerrain(argument as Argument<"openTerrain">, tell));
  if (call === "openFile") return open(openFile(argument as Argument<"openFile">, tell));
  if (!world) throw new Error("no scene is open");
  const cast = casts[call] as (world: World, argument: unknown) => ReturnType<Calls[typeof call]>;
  return cast(world, argument);
}

/** Arrays that the page gets without a copy. Those of the surface are needed here too. */
function transferred(call: Call, value: unknown): ArrayBuffer[] {
  if (call === "openTerrain" || call === "openFile") return [];
  return Object.values(value as object)
    .filter(ArrayBuffer.isView)
    .map((view) => view.buffer as ArrayBuffer);
}

const send = (reply: Reply, transfer: ArrayBuffer[] = []) => self.postMessage(reply, { transfer });

async function receive({ id, call, argument }: Question): Promise<void> {
  try {
    const value = await answer(call, argument, (progress) => send({ id, progress }));
    send({ id, answer: value }, transferred(call, value));
  } catch (error) {
    send({ id, message: error instanceof Error ? error.message : String(error) });
  }
}

let last = Promise.resolve();
self.addEventListener("message", ({ data }: MessageEvent<Question>) => {
  last = last.then(() => receive(data));
});
