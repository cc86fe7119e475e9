/**
 * What a disk holds after a loss of power. What was written is only sure to be there when its file was synced after it, and a name when its
 * folder was; of the rest nothing may be there, or any part.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { DiskCall } from "./trace.ts";

type Change = { readonly at: number } & ({ readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number });

interface File {
	/** Sure to be there. */
	synced: Uint8Array;
	/** Written, and not synced. */
	pending: Change[];
	/** The end of the last write without an offset. */
	position: number;
	/** As every process sees it now. */
	size: number;
}

type Names = Map<string, File | "folder">;

interface NameChange {
	readonly at: number;
	readonly folders: readonly string[];
	readonly apply: (names: Names) => void;
}

export interface DiskModel {
	/** In the order in which calls ended. */
	readonly take: (call: DiskCall) => void;
	/**
	 * Writes what a disk holds that loses its power now.
	 * @param survives whether something that was not synced is there all the same, asked for each sector; names are kept in order up to the first that is not
	 */
	readonly write: (into: string, survives: () => boolean) => Promise<void>;
}

/** What a disk writes at once. */
const sectorBytes = 512;

/** @param root a folder that is there, and stays */
export function createDiskModel(root: string): DiskModel {
	const now: Names = new Map([[root, "folder"]]);
	const sure: Names = new Map([[root, "folder"]]);
	let pendingNames: NameChange[] = [];

	function rename(at: number, folders: readonly string[], apply: NameChange["apply"]): void {
		apply(now);
		pendingNames.push({ at, folders, apply });
	}

	function fileAt(path: string): File | null {
		const found = now.get(path);
		return found === undefined || found === "folder" ? null : found;
	}

	function change(path: string, made: Change): void {
		const file = fileAt(path);
		if (file === null) return;
		file.pending.push(made);
		file.size = "size" in made ? made.size : Math.max(file.size, made.offset + made.bytes.length);
	}

	function sync({ path, began }: DiskCall): void {
		const file = fileAt(path);
		if (file !== null) {
			file.synced = applied(
				file.synced,
				file.pending.filter(({ at }) => at <= began),
			);
			file.pending = file.pending.filter(({ at }) => at > began);
		} else {
			const isSafe = ({ at, folders }: NameChange) => at <= began && folders.includes(path);
			for (const { apply } of pendingNames.filter(isSafe)) apply(sure);
			pendingNames = pendingNames.filter((one) => !isSafe(one));
		}
	}

	return {
		take(call) {
			const { path, ended: at } = call;
			const folders = [dirname(path)];
			if (call.kind === "create") {
				const file: File = fileAt(path) ?? { synced: new Uint8Array(), pending: [], position: 0, size: 0 };
				file.position = 0;
				if (fileAt(path) === null) rename(at, folders, (names) => names.set(path, file));
				else if (call.empties) change(path, { at, size: 0 });
			} else if (call.kind === "write") {
				const file = fileAt(path);
				if (file === null) return;
				const offset = call.offset ?? file.position;
				if (call.offset === null) file.position = offset + call.bytes.length;
				change(path, { at, offset, bytes: call.bytes });
			} else if (call.kind === "copy") {
				const from = fileAt(call.from);
				if (from !== null) change(path, { at, offset: 0, bytes: applied(from.synced, from.pending) });
			} else if (call.kind === "truncate") change(path, { at, size: call.size });
			else if (call.kind === "sync") sync(call);
			else if (call.kind === "folder") rename(at, folders, (names) => names.set(path, "folder"));
			else if (call.kind === "remove") rename(at, folders, (names) => names.delete(path));
			else if (call.kind === "link") {
				const file = fileAt(call.from);
				if (file !== null) rename(at, folders, (names) => names.set(path, file));
			} else if (call.kind === "rename") rename(at, [...folders, dirname(call.from)], moving(now, call.from, path));
		},
		async write(into, survives) {
			const names = new Map(sure);
			for (const { apply } of pendingNames) {
				if (!survives()) break;
				apply(names);
			}
			for (const [path, entry] of [...names].toSorted(([a], [b]) => a.localeCompare(b))) {
				if (!hasParents(names, path, root)) continue;
				const target = join(into, relative(root, path));
				if (entry === "folder") await mkdir(target, { recursive: true });
				else
					await writeFile(
						target,
						applied(
							entry.synced,
							entry.pending.flatMap((made) => survivors(made, survives)),
						),
					);
			}
		},
	};
}

/** A folder moves with everything in it; what of that is on the disk moves there. */
function moving(now: Names, from: string, to: string): NameChange["apply"] {
	const moved = now.get(from);
	return (names) => {
		const below = [...names].filter(([path]) => path.startsWith(`${from}/`));
		for (const path of [from, ...below.map(([one]) => one)]) names.delete(path);
		if (moved !== undefined) names.set(to, moved);
		for (const [path, entry] of below) names.set(`${to}${path.slice(from.length)}`, entry);
	};
}

function hasParents(names: Names, path: string, root: string): boolean {
	return path === root || (names.get(dirname(path)) === "folder" && hasParents(names, dirname(path), root));
}

/** The sectors of a change that are on the disk. */
function survivors(made: Change, survives: () => boolean): readonly Change[] {
	if ("size" in made) return survives() ? [made] : [];
	const { at, offset, bytes } = made;
	const kept: Change[] = [];
	for (let start = 0; start < bytes.length; ) {
		const end = Math.min(bytes.length, start + sectorBytes - ((offset + start) % sectorBytes));
		if (survives()) kept.push({ at, offset: offset + start, bytes: bytes.subarray(start, end) });
		start = end;
	}
	return kept;
}

function applied(content: Uint8Array, changes: readonly Change[]): Uint8Array {
	let bytes = Uint8Array.from(content);
	for (const made of changes) {
		const size = "size" in made ? made.size : Math.max(bytes.length, made.offset + made.bytes.length);
		if (size !== bytes.length) {
			const resized = new Uint8Array(size);
			resized.set(bytes.subarray(0, size));
			bytes = resized;
		}
		if ("bytes" in made) bytes.set(made.bytes, made.offset);
	}
	return bytes;
}
