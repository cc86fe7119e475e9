/** The cursor of a connector that lists a service: every item that is or may be a document, with its version when it was read. */

import type { Change, Cursor, Json, Step } from "cairn-memory";

/** An eighth of what a cursor may have, beside keys, pages and tags. */
const namesBytesMax = 2 * 1024 * 1024;

/** Versions by item key. An empty version means that the item may or may not have been put. */
export class KnownItems extends Map<string, string> {
	/** What could not be read when it was last tried, the longest ago first, with the time since when it could not, in milliseconds. */
	readonly failed: Map<string, number>;
	/** The whole names of items whose keys have only the beginnings of theirs. */
	readonly names: Map<string, string>;

	constructor(
		versions: Iterable<readonly [string, string]> = [],
		failed: Iterable<readonly [string, number]> = [],
		names: Iterable<readonly [string, string]> = [],
	) {
		super(versions);
		this.failed = new Map(failed);
		this.names = new Map(names);
	}
}

export function readKnown(cursor: Cursor | null): KnownItems {
	const [objects, failed, names] = cursor?.["version"] === 1 ? [cursor["objects"], cursor["failed"], cursor["names"]] : [];
	return new KnownItems(textsOf(objects), Array.isArray(failed) ? failed.filter(isFailure) : [], textsOf(names));
}

function textsOf(value: Json | undefined): readonly (readonly [string, string])[] {
	if (value === null || typeof value !== "object" || Array.isArray(value)) return [];
	return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** A row of a cursor: what could not be read, and since when. */
export function isFailure(entry: unknown): entry is [string, number] {
	return Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "number";
}

export function writeKnown(known: KnownItems): Cursor {
	const failed = [...known.failed].filter(([key]) => known.has(key));
	const names = shortEnough([...known.names].filter(([key]) => known.has(key)));
	return {
		...{ version: 1, objects: Object.fromEntries(known) },
		...(failed.length > 0 && { failed: failed.map(([key, since]) => [key, since]) }),
		...(names.length > 0 && { names: Object.fromEntries(names) }),
	};
}

/** Those behind stay documents all the same: where a name is needed and not known, nothing is removed. */
function shortEnough(names: readonly (readonly [string, string])[]): typeof names {
	let bytes = 0;
	return names.filter(([key, name]) => {
		bytes += Buffer.byteLength(JSON.stringify([key, name]));
		return bytes <= namesBytesMax;
	});
}

/** As many entries as a connection may have documents. Those that are documents already come first, so that a new one never displaces one. */
export function knownFirst<Entry>(entries: ReadonlyMap<string, Entry>, known: ReadonlyMap<string, string>, documentsMax: number): ReadonlyMap<string, Entry> {
	const [old, fresh] = [[...entries].filter(([key]) => known.has(key)), [...entries].filter(([key]) => !known.has(key))];
	return new Map([...old, ...fresh].slice(0, documentsMax));
}

/** Whoever misses an item among the documents is told why. */
export function warnOfLimit(step: Step, documentsMax: number): void {
	step.warn("DOCUMENT_LIMIT_REACHED", `there is more than the ${documentsMax} documents that the connection may have; the rest is left out`);
}

/** Takes away what is over a limit that was lowered, the newest known first to go. */
export function* removeExcess(state: { readonly known: KnownItems; isPartial: boolean }, documentsMax: number, cursor: () => Cursor): Generator<Change> {
	for (const key of [...state.known.keys()].slice(documentsMax)) {
		state.isPartial = true;
		state.known.delete(key);
		yield { kind: "remove", key, cursor };
	}
}

/** Collects entries up to the limit of a connection, so that memory does not grow with what a service has. Those that are documents already come first. */
export class Selection<Entry> {
	readonly #known: ReadonlyMap<string, string>;
	readonly #max: number;
	readonly #old = new Map<string, Entry>();
	readonly #fresh = new Map<string, Entry>();
	#hasMore = false;

	constructor(known: ReadonlyMap<string, string>, max: number) {
		this.#known = known;
		this.#max = max;
	}

	get count(): number {
		return this.#old.size + this.#fresh.size;
	}

	/** Whether it would be taken. */
	hasRoom(key: string): boolean {
		return this.#known.has(key) || this.#fresh.has(key) || this.#fresh.size < this.#max;
	}

	add(key: string, entry: Entry): void {
		if (!this.hasRoom(key)) this.#hasMore = true;
		else if (this.#known.has(key)) this.#old.set(key, entry);
		else this.#fresh.set(key, entry);
	}

	/** `isPartial` says whether there are more than wanted. */
	chosen(): { readonly wanted: ReadonlyMap<string, Entry>; readonly isPartial: boolean } {
		const all = [...this.#old, ...this.#fresh];
		return { wanted: new Map(all.slice(0, this.#max)), isPartial: this.#hasMore || all.length > this.#max };
	}
}
