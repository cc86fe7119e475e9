/** CPU priorities of sandbox processes. */

import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Added to the niceness of the server, which an operator may have set. */
export const niceness = {
	/** The server gets three times the share of an ordinary process. */
	ordinary: 5,
	/** For long calls in the fast lane: a third of the ordinary share. */
	patient: 10,
	/** For long regular calls: a twentieth of the ordinary share. */
	leftOver: 19,
} as const;

const nicenessMax = 19;

/** @returns false if the system refuses: without root, a priority can be lowered, but not raised again. */
export function setNiceness(pid: number, level: number, serverPid = process.pid): boolean {
	try {
		const lowered = lowerThan(getPriority(serverPid), level);
		for (const thread of threadsOf(pid)) setPriority(thread, lowered);
		return true;
	} catch {
		return false; // or it ended in the meantime
	}
}

export function lowerThan(own: number, by: number): number {
	return Math.min(nicenessMax, own + by);
}

/** On Linux each thread has a niceness of its own. */
function threadsOf(pid: number): readonly number[] {
	return process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
}
