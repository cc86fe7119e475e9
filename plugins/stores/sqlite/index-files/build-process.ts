/** What the programs have in common that build index files in a process of their own, see `build-files.ts`. */

import { getPriority, setPriority } from "node:os";

/** Added to that of the server: searches come first. */
const niceness = 10;
const nicenessMax = 19;

/** Runs the task of this process, and prints what was built as JSON. */
export async function runTask<Task>(build: (task: Task) => Promise<object>): Promise<void> {
	try {
		setPriority(Math.min(nicenessMax, getPriority(process.ppid) + niceness));
	} catch {
		// Not every system lets a process lower its priority; the build works without it.
	}
	process.stdout.write(JSON.stringify(await build(JSON.parse(process.argv[2] ?? ""))));
}

/** Ends this process if the server was killed: then nobody would use its result. */
export function exitIfOrphaned(parent: number): void {
	if (process.ppid !== parent) process.exit(1);
}
