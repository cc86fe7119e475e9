/** How much of the cores a sandbox process takes where they are short. */

import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

export const niceness = {
	/** Five steps, each a quarter less than the server, which answers first: it takes three times the share, and needs it for moments only. */
	ordinary: 5,
	/** A third of the ordinary share: a call in the fast lane that is no small one. Beside regular ones it still has nearly a core. */
	patient: 10,
	/** A twentieth of the ordinary share: a regular call that is no small one takes what is left over. */
	leftOver: 19,
} as const;

/** @returns false where the system refuses: without root a process can be lowered, but not raised again. */
export function setNiceness(pid: number, level: number): boolean {
	try {
		for (const thread of threadsOf(pid)) setPriority(thread, level);
		return true;
	} catch {
		return false; // or it ended in the meantime
	}
}

/** On Linux each thread has a niceness of its own. */
function threadsOf(pid: number): readonly number[] {
	return process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
}
