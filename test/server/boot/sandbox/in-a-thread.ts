/** A worker thread with a sandbox of its own, as the server runs it: says which child answered, and leaves one in a hot loop. */

import { parentPort } from "node:worker_threads";
import { createSandbox } from "../../../../server/boot/sandbox/create-sandbox.ts";
import type { Echo } from "./engines/echo.ts";

const sandbox = createSandbox({ log: () => {} });
const call = { signal: new AbortController().signal, timeoutMs: 60_000, memoryMb: 500, outputBytesMax: 1_000 };
const { pid } = await sandbox.run<unknown, Echo>({ ...call, engine: new URL("engines/echo.ts", import.meta.url), input: 1 });
const spinning = sandbox.run({ ...call, engine: new URL("engines/unruly.ts", import.meta.url), input: "spins in JavaScript" });
await Bun.sleep(50);
parentPort?.postMessage(pid);
await spinning;
