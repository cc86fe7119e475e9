/** A server that has a sandbox child in a hot loop: prints the child's process id and waits to be killed. */

import { createSandbox } from "../../../../server/boot/sandbox/create-sandbox.ts";

const sandbox = createSandbox({ log: () => {}, warm: 2 });
const call = { signal: new AbortController().signal, timeoutMs: 60_000, memoryMb: 500, outputBytesMax: 1_000 };
await sandbox.run({ ...call, engine: new URL("engines/echo.ts", import.meta.url), input: 1 });
const spinning = sandbox.run({ ...call, engine: new URL("engines/unruly.ts", import.meta.url), input: "spins in WebAssembly" });
await Bun.sleep(100);
console.log(sandbox.pids().join(" "));
await spinning;
