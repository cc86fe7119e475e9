/** Watches a process and its children while a test runs: how much memory it held, which children it had. Linux only. */

import { readdirSync, readFileSync } from "node:fs";

export interface ProcessFamily {
	/** The most memory the process itself has held, in MB. */
	readonly peakMb: () => number;
	/** How many children there were at once, at most. */
	readonly mostChildren: () => number;
	/** The children that are still there, after the process itself has ended say. */
	readonly leftOver: () => readonly number[];
	readonly stop: () => void;
}

const lookEveryMs = 100;

export function watchFamily(pid: number): ProcessFamily {
	const children = new Set<number>();
	let [peak, most] = [0, 0];
	const look = () => {
		const now = childrenOf(pid);
		for (const child of now) children.add(child);
		peak = Math.max(peak, residentMb(pid));
		most = Math.max(most, now.length);
	};
	look();
	const timer = setInterval(look, lookEveryMs);
	return {
		peakMb: () => peak,
		mostChildren: () => most,
		leftOver: () => [...children].filter((child) => stateOf(child) !== null && stateOf(child) !== "Z"),
		stop: () => clearInterval(timer),
	};
}

function childrenOf(pid: number): readonly number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((candidate) => Number(fieldsOf(candidate)?.[1]) === pid);
}

function residentMb(pid: number): number {
	try {
		return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1_024;
	} catch {
		return 0; // ended in the meantime
	}
}

function stateOf(pid: number): string | null {
	return fieldsOf(pid)?.[0] ?? null;
}

/** State, parent and so on: what stands behind the name, which may hold blanks and brackets itself. */
function fieldsOf(pid: number): readonly string[] | null {
	try {
		return readFileSync(`/proc/${pid}/stat`, "latin1")
			.replace(/^.*\) /s, "")
			.split(" ");
	} catch {
		return null; // ended in the meantime
	}
}
