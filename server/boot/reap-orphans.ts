/**
 * In a container the server is often process 1, to which the system gives every process whose parent has ended. When such an orphan
 * ends it stays in the table of processes until process 1 asks how it ended. Bun asks for the processes that it has started; this asks
 * for the others.
 */

import { dlopen } from "bun:ffi";
import { readdirSync, readFileSync } from "node:fs";

/** Bun asks for its own processes at once. One that is seen twice at this distance is an orphan. */
const lookEveryMs = 5_000;
const withoutWaiting = 1; // WNOHANG

/** Does nothing unless this is process 1 of a Linux system. It does not keep the process running. */
export function reapOrphans(): void {
	if (process.platform !== "linux" || process.pid !== 1) return;
	const waitFor = openWait();
	if (waitFor === null) return;
	let seen: ReadonlySet<number> = new Set();
	setInterval(() => {
		const ended = endedChildren();
		for (const pid of ended) if (seen.has(pid)) waitFor(pid);
		seen = new Set(ended);
	}, lookEveryMs).unref();
}

function openWait(): ((pid: number) => void) | null {
	for (const name of ["libc.so.6", `libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`]) {
		try {
			const { symbols } = dlopen(name, { waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" } });
			return (pid) => void symbols.waitpid(pid, null, withoutWaiting);
		} catch {
			// The other one, or none: the table of processes is large.
		}
	}
	return null;
}

/** The children of this process that have ended and that nothing has asked for. */
function endedChildren(): readonly number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => /^Z 1 /.test(stateOf(pid)));
}

/** State and parent, which come after the name; the name may hold blanks and brackets. */
function stateOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "");
	} catch {
		return ""; // gone in the meantime
	}
}
