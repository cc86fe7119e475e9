/** How far a connection to Drive has followed it. All of it is in the cursor. */

import type { Cursor } from "cairn-memory";
import { z } from "zod";
import { KnownItems, readKnown, writeKnown } from "../known-items.ts";
import type { DriveConfig } from "./config.ts";

export interface DriveState {
	/** What was chosen when it was listed; null if nothing was listed yet. Another choice is listed anew. */
	scope: string | null;
	/** Versions by file id. An empty one stands for a file that is still to be read, one with a mark for a file that is still to be asked for. */
	readonly known: KnownItems;
	/** The page tokens of the change logs: that of the account under an empty key, those of shared drives under their ids. */
	readonly tokens: Map<string, string>;
	/** The chosen folders and all in them. Empty without a choice. */
	folders: ReadonlySet<string>;
	/** The shortcuts in these folders, and the files outside of them to which they lead. */
	shortcuts: ReadonlySet<string>;
	targets: ReadonlySet<string>;
	/** Whether there were more files than the connection may have. */
	isPartial: boolean;
	/** Whether a change concerns more files than it names, so that everything has to be listed again. */
	isStale: boolean;
	/**
	 * Whether it was listed in several attempts, between which files that nobody knows of may have moved, or Drive has left some out: the next sync is
	 * to list everything again.
	 */
	isPatchy: boolean;
}

const texts = z.array(z.string());
const cursorSchema = z.object({
	version: z.literal(1),
	scope: z.string(),
	tokens: z.record(z.string(), z.string()),
	folders: texts,
	shortcuts: texts,
	targets: texts,
	isPartial: z.boolean(),
	isStale: z.boolean(),
	isPatchy: z.boolean().default(false),
});

export function readState(cursor: Cursor | null): DriveState {
	const { data } = cursorSchema.safeParse(cursor);
	return {
		scope: data?.scope ?? null,
		known: data === undefined ? new KnownItems() : readKnown(cursor),
		tokens: new Map(Object.entries(data?.tokens ?? {})),
		folders: new Set(data?.folders),
		shortcuts: new Set(data?.shortcuts),
		targets: new Set(data?.targets),
		isPartial: data?.isPartial ?? false,
		isStale: data?.isStale ?? false,
		isPatchy: data?.isPatchy ?? false,
	};
}

export function writeState({ scope, known, tokens, folders, shortcuts, targets, isPartial, isStale, isPatchy }: DriveState): Cursor {
	const sets = { folders: [...folders], shortcuts: [...shortcuts], targets: [...targets] };
	return { ...writeKnown(known), ...sets, scope: scope ?? "", tokens: Object.fromEntries(tokens), isPartial, isStale, isPatchy };
}

const unsureMark = "?";

/** The version of a file that is to be asked for, and read if it has another one than it had. */
export function unsure(version: string): string {
	return `${unsureMark}${versionRead(version)}`;
}

export function isPending(version: string): boolean {
	return version === "" || version.startsWith(unsureMark);
}

/** The version with which it was read; empty if that is not known. */
export function versionRead(version: string): string {
	return version.startsWith(unsureMark) ? version.slice(unsureMark.length) : version;
}

export function scopeOf({ syncScope, folders }: DriveConfig): string {
	return JSON.stringify([syncScope, folders.toSorted()]);
}
