/** How long the single-file executable takes to be ready: at its first start in an empty folder, where it unpacks itself, and later. */

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { listening } from "../test/doubles/server-process.ts";
import type { Measure } from "./measure.ts";
import { judged, type Row, told } from "./row.ts";
import { temporaryFolder } from "./server.ts";
import { median } from "./times.ts";

const folders = 5;
const readyMsMax = 2_000;
const maker = resolve(import.meta.dir, "../scripts/make-executable.ts");

export const executable: Measure = async () => {
	await using work = await temporaryFolder();
	const file = join(work.path, "cairn");
	const made = Bun.spawn([process.execPath, "--no-install", maker, file], { stdout: "ignore", stderr: "inherit" });
	if ((await made.exited) !== 0) throw new Error("the executable could not be made");
	const first: number[] = [];
	const later: number[] = [];
	// All folders stay until the end: where thousands of files were removed a moment ago, ext4 is slow to create new ones.
	for (let i = 0; i < folders; i++) {
		const folder = join(work.path, `folder-${i}`);
		await mkdir(folder);
		first.push(await startIn(folder, file));
		later.push(await startIn(folder, file));
	}
	return [...rows("first start of the executable to ready, empty folder", first), ...rows("its later starts", later)];
};

function rows(measure: string, ms: readonly number[]): readonly Row[] {
	const middle = median([...ms]);
	return [
		judged(measure, `${Math.round(middle)} ms`, `< ${readyMsMax} ms`, middle < readyMsMax),
		told("the slowest of them", `${Math.round(Math.max(...ms))} ms (${ms.length})`),
	];
}

/** @returns milliseconds from the start until `/ready` answers 200 */
async function startIn(folder: string, file: string): Promise<number> {
	const began = performance.now();
	const server = await listening(Bun.spawn([file], { cwd: folder, env: { PORT: "0", HOME: folder, TMPDIR: folder }, stdio: ["ignore", "pipe", "pipe"] }));
	while (!(await fetch(`${server.address}/ready`)).ok) await Bun.sleep(5);
	const readyMs = performance.now() - began;
	await server.kill("SIGTERM");
	return readyMs;
}
