/** What a server holds at one moment, as Linux tells it: memory, handles and threads of its process, its children, and the files of its folder. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Resources {
	/** Memory that only this process has: heaps, and what libraries allocate. */
	readonly anonymousMb: number;
	/** Pages of files, above all of the database and the programs, which the system takes back when it needs them. */
	readonly mappedMb: number;
	readonly handles: number;
	readonly threads: number;
	readonly children: number;
	readonly childrenMb: number;
	/** The whole data folder. */
	readonly diskMb: number;
	/** The database with its log, a part of it. */
	readonly databaseMb: number;
	readonly files: number;
}

export function resourcesOf(pid: number, folder: string): Resources {
	const children = childrenOf(pid);
	const files = filesIn(folder);
	const bytes = (some: readonly Entry[]) => some.reduce((total, { size }) => total + size, 0) / 2 ** 20;
	return {
		anonymousMb: memoryMb(pid, "RssAnon") + memoryMb(pid, "VmSwap"),
		mappedMb: memoryMb(pid, "RssFile"),
		handles: readdirSync(`/proc/${pid}/fd`).length,
		threads: readdirSync(`/proc/${pid}/task`).length,
		children: children.length,
		childrenMb: children.reduce((total, child) => total + memoryMb(child, "VmRSS"), 0),
		diskMb: bytes(files),
		databaseMb: bytes(files.filter(({ path }) => path.includes("cairn.sqlite"))),
		files: files.length,
	};
}

export function memoryMb(pid: number, name: "RssAnon" | "RssFile" | "VmRSS" | "VmSwap"): number {
	try {
		return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1_024;
	} catch {
		return 0; // ended in the meantime
	}
}

function childrenOf(pid: number): readonly number[] {
	return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
		try {
			return readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number);
		} catch {
			return [];
		}
	});
}

interface Entry {
	readonly path: string;
	readonly size: number;
}

function filesIn(folder: string): readonly Entry[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.flatMap(({ parentPath, name }) => {
			const path = join(parentPath, name);
			const found = statSync(path, { throwIfNoEntry: false });
			return found === undefined ? [] : [{ path, size: found.blocks * 512 }];
		});
}
