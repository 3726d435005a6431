// Serves the files of a folder on this machine alone: `node serve.mjs [FOLDER] [PORT]`; target/try and 8080 by default.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** A server of a folder; port 0 is any that is free. */
export function serve(folder, port) {
  const server = createServer(async ({ url }, response) => {
    // The files have plain names, so that none has to be decoded.
    const path = normalize(new URL(url, "http://localhost").pathname).replace(/[\\/]$/, "/index.html");
    const body = await readFile(join(folder, path)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(body);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = fileURLToPath(new URL("../../target/try", import.meta.url)), port = "8080"] = process.argv.slice(2);
  const server = await serve(folder, Number(port));
  console.log(`http://localhost:${server.address().port}/`);
}
