/** A start that did not come is told with its end: by itself, by a signal, or by the test that waited for it. */

import { expect, test } from "bun:test";
import { listening } from "../doubles/server-process.ts";

/** It says something and then does nothing, as a server that hangs. */
const silent = () => Bun.spawn(["sh", "-c", "echo begun; exec sleep 600"], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });

test("a signal that ended it is named", async () => {
	const child = silent();
	child.kill("SIGSEGV");
	await expect(listening(child)).rejects.toThrow("the server did not start (SIGSEGV)");
});

test("one that the test ended for its time is no death of the server", async () => {
	const child = silent();
	await expect(listening(child, 0)).rejects.toThrow("ended by the test after 0 ms");
	expect(await child.exited).not.toBe(0);
});
