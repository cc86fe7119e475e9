/**
 * A cache of the texts in a scope. After a write only those documents are checked again whose scopes may have changed. To the list of a
 * container's memories, new and restored memories are added; removed ones may stay, because a search checks every hit in the tables.
 * Other lists of memories are read again.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import { dataVersion, memoriesReturned, newestReturn } from "../vectors/vector-tables.ts";
import type { LiveTexts } from "./live-texts.ts";
import { documentsChanged, keysInScope, keysInScopeOf, keysOfDocuments, memoriesAdded, memoryKeysOf, newestScopeChange, storedKeys } from "./scope-tables.ts";
import { newestTextKey } from "./text-tables.ts";
import type { WordAddress } from "./word-address.ts";

/** Document numbers of all lists together, four bytes each. Beyond this the least recently used list is dropped. */
const documentNumbersMax = 2_000_000;
/** The number of lists is limited too, because even an empty one takes memory. */
const entriesMax = 2_000;
/** Checking a document of some texts again costs as much as listing this many. For no more documents than `documentsMin`, listing never pays. */
const textsPerDocument = 2;
const documentsMin = 16;
/**
 * However long a list is, no more documents than these are checked again in one go: each may have any number of texts, while listing ends
 * at the most that the search takes.
 */
const documentsMost = 10_000;
/** This many new memories are checked in a few milliseconds. After more, or if a list has grown by this share and number, it is read again. */
const newMemoriesMax = 2_000;
const growthMax = 0.5;
const growthMin = 1_000;

const noUpdates = { returns: 0, lastKey: 0 };

export interface SeenScope {
	readonly rows: ScopedRows;
	/** Two scopes with the same name have the same texts, but for memories that expire in the meantime. */
	readonly name: string;
	/** The time of the search in milliseconds. A list can be used later than it was made, because time only hides memories. */
	readonly now: number;
	/** See `SearchScope`; ignored for chunks. */
	readonly isUpdatable?: boolean;
}

interface Entry {
	/** In ascending order, without deleted texts. */
	readonly documentNumbers: Uint32Array;
	/** Keys of texts in scope that have not been read yet. */
	readonly unread: readonly number[];
	readonly now: number;
	/** For chunks the newest change that was considered, for memories the state of the database. */
	readonly state: number;
	/** How many texts of the index had been deleted. */
	readonly deadTexts: number;
	/** For memories only. */
	readonly memories: MemoryProgress;
}

interface MemoryProgress {
	/** The newest restored memory that was considered, by sequence number. */
	readonly returns: number;
	/** The newest memory that was considered. */
	readonly lastKey: number;
	/** How many memories the list had when it was read. */
	readonly listed: number;
}

export class ScopeDocuments {
	readonly #address: WordAddress;
	/** The index that the document numbers of all entries belong to. */
	#live: LiveTexts | null = null;
	/** The lists, the least recently used first. */
	readonly #entries = new Map<string, Entry>();
	#documentNumbers = 0;
	/** Scopes that were found too large, with the number of texts at that time. */
	readonly #tooLarge = new Map<string, number>();

	constructor(address: WordAddress) {
		this.#address = address;
	}

	get byteLength(): number {
		return this.#documentNumbers * Uint32Array.BYTES_PER_ELEMENT;
	}

	/**
	 * Must be called within the snapshot that `live` is of.
	 * @returns the document numbers in ascending order, without deleted texts; null if there are more than `countMax`. That result is reused
	 * until there are a fifth more texts, because a large scope would otherwise be counted again with every search.
	 */
	of(db: Connection, live: LiveTexts, scope: SeenScope, countMax: number): Uint32Array | null {
		if (live !== this.#live) this.#startWith(live);
		const then = this.#tooLarge.get(scope.name);
		if (countMax < live.texts && then !== undefined && live.texts - then < then / 5) return null;
		const before = this.#entries.get(scope.name);
		const entry = (before === undefined ? null : this.#update(db, live, scope, before)) ?? this.#readList(db, live, scope, countMax);
		this.#drop(scope.name);
		if (entry !== null && entry.documentNumbers.length <= countMax) {
			this.#store(scope.name, entry);
			return entry.documentNumbers;
		}
		if (this.#tooLarge.size >= entriesMax) this.#tooLarge.clear();
		this.#tooLarge.set(scope.name, live.texts);
		return null;
	}

	#startWith(live: LiveTexts): void {
		this.#live = live;
		this.#entries.clear();
		this.#documentNumbers = 0;
	}

	#readList(db: Connection, live: LiveTexts, { rows, now }: SeenScope, countMax: number): Entry | null {
		const { kind } = this.#address;
		const state = kind === "chunk" ? newestScopeChange(db) : dataVersion(db);
		const followed = kind === "chunk" ? noUpdates : { returns: newestReturn(db), lastKey: newestTextKey(db, kind) };
		const keys = keysInScope(db, kind, rows, countMax);
		if (keys === null) return null;
		const empty = { documentNumbers: new Uint32Array(), unread: [], now, state, deadTexts: live.deadTexts };
		return withKeys(live, { ...empty, memories: { ...followed, listed: keys.length } }, keys);
	}

	/** Updates a list. @returns null if it has to be read again. */
	#update(db: Connection, live: LiveTexts, scope: SeenScope, before: Entry): Entry | null {
		const entry = this.#address.kind === "chunk" ? this.#updateChunks(db, live, scope, before) : this.#updateMemories(db, live, scope, before);
		if (entry === null) return null;
		return withKeys(live, entry.deadTexts === live.deadTexts ? entry : withoutDead(live, entry), []);
	}

	#updateChunks(db: Connection, live: LiveTexts, { rows }: SeenScope, entry: Entry): Entry | null {
		const state = newestScopeChange(db);
		if (state === entry.state) return entry;
		const { organisation } = this.#address;
		const documentsMax = Math.min(documentsMost, Math.max(documentsMin, Math.floor(entry.documentNumbers.length / textsPerDocument)));
		const documents = documentsChanged(db, organisation, entry.state, state, documentsMax);
		if (documents === null) return null;
		if (documents.length === 0) return { ...entry, state };
		const changed = new Set(keysOfDocuments(db, organisation, documents));
		const documentNumbers = entry.documentNumbers.filter((documentNumber) => !changed.has(live.key(documentNumber)));
		const unread = entry.unread.length === 0 ? [] : storedKeys(db, entry.unread).filter((key) => !changed.has(key));
		return withKeys(live, { ...entry, documentNumbers, unread, state }, keysInScopeOf(db, rows, documents));
	}

	#updateMemories(db: Connection, live: LiveTexts, { rows, now, isUpdatable = false }: SeenScope, entry: Entry): Entry | null {
		const state = dataVersion(db);
		if (entry.now > now) return null;
		if (entry.state === state) return entry;
		const { memories } = entry;
		if (!isUpdatable || entry.documentNumbers.length - memories.listed > Math.max(growthMin, growthMax * memories.listed)) return null;
		const { organisation } = this.#address;
		const [returns, lastKey] = [newestReturn(db), newestTextKey(db, "memory")];
		const returned = memoriesReturned(db, organisation, memories.returns, returns, newMemoriesMax);
		const added = memoriesAdded(db, organisation, rows, memories.lastKey, newMemoriesMax);
		if (returned === null || added === null) return null;
		const listedKeys = new Set(
			returned.length === 0 ? [] : [...entry.unread, ...Array.from(entry.documentNumbers, (documentNumber) => live.key(documentNumber)), ...added],
		);
		const back = memoryKeysOf(db, organisation, rows, returned).filter((key) => !listedKeys.has(key));
		return withKeys(live, { ...entry, now, state, memories: { ...memories, returns, lastKey } }, [...added, ...back]);
	}

	#store(name: string, entry: Entry): void {
		if (entry.documentNumbers.length > documentNumbersMax) return;
		this.#entries.set(name, entry);
		this.#documentNumbers += entry.documentNumbers.length;
		for (const oldest of this.#entries.keys()) {
			if (this.#documentNumbers <= documentNumbersMax && this.#entries.size <= entriesMax) return;
			this.#drop(oldest);
		}
	}

	#drop(name: string): void {
		this.#documentNumbers -= this.#entries.get(name)?.documentNumbers.length ?? 0;
		this.#entries.delete(name);
	}
}

/** Adds keys to a list. Those of texts that have not been read yet are stored as `unread`. */
function withKeys(live: LiveTexts, entry: Entry, keys: readonly number[]): Entry {
	if (keys.length === 0 && entry.unread.length === 0) return entry;
	const found: number[] = [];
	const unread: number[] = [];
	for (const key of [...entry.unread, ...keys]) {
		const documentNumber = live.documentNumberOf(key);
		if (documentNumber >= 0) found.push(documentNumber);
		else unread.push(key);
	}
	if (found.length === 0) return { ...entry, unread };
	const documentNumbers = new Uint32Array(entry.documentNumbers.length + found.length);
	documentNumbers.set(entry.documentNumbers);
	documentNumbers.set(found, entry.documentNumbers.length);
	return { ...entry, documentNumbers: documentNumbers.sort(), unread };
}

function withoutDead(live: LiveTexts, entry: Entry): Entry {
	return { ...entry, documentNumbers: entry.documentNumbers.filter((documentNumber) => live.lives(documentNumber)), deadTexts: live.deadTexts };
}
