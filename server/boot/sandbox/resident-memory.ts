/** The resident memory of a process in MB; null when it has ended or the system does not report it. */

import { readFileSync } from "node:fs";

/** The interval is longer on other systems, because running `ps` takes some milliseconds, and reading /proc only 30 µs. */
export const residentPollMs = process.platform === "linux" ? 20 : 250;

export async function residentMb(pid: number): Promise<number | null> {
	return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** Reads `status`, not `statm`: `statm` counts pages, whose size differs between machines. */
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
		const output = await new Response(Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)], { stdin: "ignore", stderr: "ignore" }).stdout).text();
		const kilobytes = Number.parseInt(output, 10);
		return Number.isNaN(kilobytes) ? null : kilobytes / 1024;
	} catch {
		return null; // this system has no `ps`
	}
}
