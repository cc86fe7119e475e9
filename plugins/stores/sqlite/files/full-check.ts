/**
 * Checks the whole database in the background, at most once a day. A start checks only the pages of small databases; this check also finds
 * damage in large ones, and indexes that do not agree with their tables.
 */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fail, type Log, type ServiceError } from "cairn-memory";
import { withPath } from "./database-file.ts";

const script = fileURLToPath(new URL("./full-check-process.ts", import.meta.url));
/** The same flags as for sandboxes: the process ends with the server, and installs nothing. */
const flags = ["--smol", "--no-orphans", "--no-install", "--no-env-file"];
const dayMs = 24 * 60 * 60_000;
/** The wait after a check that could not run, for example because there was no memory for a process. */
const retryMs = 60 * 60_000;

export interface FullCheckOptions {
	/** The database. */
	readonly file: string;
	/** How long after the start the first check may begin, when most work of a start is done. */
	readonly afterMs: number;
	readonly log: Log;
	readonly now: () => Date;
	/** Is called with the damage, once. */
	readonly onDamage: (error: ServiceError) => void;
}

export interface FullCheck {
	/** Begins a check if one is due, and does not wait for its end. @returns whether it did */
	readonly beginIfDue: () => boolean;
	/** Ends a check that is running. */
	readonly close: () => Promise<void>;
}

export function createFullCheck({ file, afterMs, log, now, onDamage }: FullCheckOptions): FullCheck {
	let notBefore = performance.now() + afterMs;
	let running: { readonly kill: () => void; readonly ended: Promise<void> } | null = null;
	let isClosed = false;

	function isDue(): boolean {
		// The clock may have been set back since.
		return performance.now() >= notBefore && Math.abs(now().getTime() - checkedAt(file)) >= dayMs;
	}

	async function check(child: Bun.Subprocess<"ignore", "pipe", "ignore">): Promise<void> {
		const began = performance.now();
		const [printed, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
		if (isClosed) return;
		notBefore = performance.now() + retryMs;
		if (code !== 0) return log("warn", "the database could not be looked through in the background; it is tried again in an hour", { code });
		const [fault] = JSON.parse(printed) as readonly string[];
		if (fault !== undefined) return onDamage(withPath(fail("STORAGE_DAMAGED", fault), file));
		remember(file, now());
		log("debug", "looked through the database: it is sound", { seconds: Math.round((performance.now() - began) / 1_000) });
	}

	return {
		beginIfDue: () => {
			if (isClosed || running !== null || !isDue()) return false;
			const child = Bun.spawn([process.execPath, ...flags, script, file], {
				// BUN_BE_BUN makes a single-file executable act as Bun.
				env: { BUN_BE_BUN: "1", BUN_ENABLE_CRASH_REPORTING: "0" },
				stdin: "ignore",
				stdout: "pipe",
				stderr: "ignore",
			});
			const ended = check(child)
				.catch((thrown: unknown) => log("warn", "the database could not be looked through in the background", { reason: String(thrown) }))
				.finally(() => {
					running = null;
				});
			running = { kill: () => child.kill("SIGKILL"), ended };
			return true;
		},
		close: async () => {
			isClosed = true;
			running?.kill();
			await running?.ended;
		},
	};
}

/** The path of a file beside the database with the time of the last check, so that a restart does not check again. */
function markOf(file: string): string {
	return `${file}.checked`;
}

/** When the last check found no damage, in milliseconds; 0 for never, or if the database was replaced after it. */
function checkedAt(file: string): number {
	try {
		const { at, inode } = JSON.parse(readFileSync(markOf(file), "utf8")) as { readonly at: string; readonly inode: number };
		return inode === statSync(file).ino ? Date.parse(at) || 0 : 0;
	} catch {
		return 0;
	}
}

function remember(file: string, at: Date): void {
	try {
		writeFileSync(markOf(file), JSON.stringify({ at: at.toISOString(), inode: statSync(file).ino }), { mode: 0o600 });
	} catch {
		// If the disk is full, the database is checked again after the next start.
	}
}
