/** The resident memory of a process in MB; null when it has ended or the system does not report it. */

import { readFileSync } from "node:fs";

/** Reading /proc takes 30 µs, running `ps` some milliseconds of a core: hence the longer pause elsewhere. */
export const residentPollMs = process.platform === "linux" ? 20 : 250;

export async function residentMb(pid: number): Promise<number | null> {
	return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** `status` rather than `statm`, for it counts in kB and not in pages, whose size is not the same everywhere. */
function fromProc(pid: number): number | null {
	try {
		const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
		return kilobytes === undefined ? null : Number(kilobytes) / 1024;
	} catch {
		return null; // ended in the meantime
	}
}

async function fromPs(pid: number): Promise<number | null> {
	try {
		const answer = await new Response(Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)], { stdin: "ignore", stderr: "ignore" }).stdout).text();
		const kilobytes = Number.parseInt(answer, 10);
		return Number.isNaN(kilobytes) ? null : kilobytes / 1024;
	} catch {
		return null; // no `ps` here
	}
}
