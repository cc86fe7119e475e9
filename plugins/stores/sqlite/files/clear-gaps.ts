/** Starts the process that overwrites remains between the rows of all pages, see `page-gap.ts`, so seldom that it takes only a small share of the time. */

import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./clear-gaps-process.ts", import.meta.url));
/** The same flags as for sandboxes: the process ends with the server, and installs nothing. */
const flags = ["--smol", "--no-orphans", "--no-install", "--no-env-file"];
/** A run reads the whole file, so the pause before the next one is this many times as long as the run took. */
const pauseShare = 20;

/**
 * Returns a function that runs the process if it is due, and resolves to whether nothing is left. The writer may write a page back from its
 * cache as it was before. So `dropCache` is called before and after a run, and the run is repeated until it finds nothing.
 */
export function createGapClearer(file: string, dropCache: () => Promise<unknown>): (signal: AbortSignal) => Promise<boolean> {
	let notBefore = 0;
	return async (signal) => {
		if (signal.aborted || performance.now() < notBefore) return false;
		const began = performance.now();
		await dropCache();
		const cleared = await run(file, signal);
		await dropCache();
		notBefore = performance.now() + pauseShare * (performance.now() - began);
		return cleared === 0;
	};
}

/** @returns on how many pages remains were found; null if the process was ended */
async function run(file: string, signal: AbortSignal): Promise<number | null> {
	const child = Bun.spawn([process.execPath, ...flags, script, file], {
		// BUN_BE_BUN makes a single-file executable act as Bun.
		env: { BUN_BE_BUN: "1", BUN_ENABLE_CRASH_REPORTING: "0" },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "ignore",
		signal,
	});
	const [printed, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
	return code === 0 ? Number(printed) : null;
}
