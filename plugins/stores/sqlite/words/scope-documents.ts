/**
 * Which texts a scope may see, remembered from one search to the next. After a write only the documents are looked at again
 * that scopes may see otherwise than before; what memories a scope holds, where more may change it, is listed anew.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import { dataVersion } from "../vectors/vector-tables.ts";
import type { LiveTexts } from "./live-texts.ts";
import { documentsChanged, keysInScope, keysInScopeOf, keysOfDocuments, newestScopeChange, storedKeys } from "./scope-tables.ts";
import type { WordAddress } from "./word-address.ts";

/** Four bytes each. Past this the list that was not asked for longest is forgotten. */
const documentNumbersMax = 2_000_000;
/** An empty list costs something too. */
const entriesMax = 2_000;
/** Looking at a document again costs as much as listing so many texts; and so few documents are never worth a list. */
const textsPerDocument = 8;
const documentsMin = 16;

export interface SeenScope {
	readonly rows: ScopedRows;
	/** Two scopes with one name see the same, but for what expires in the meantime. */
	readonly name: string;
	/** Milliseconds. What a list of an earlier time lacks, a later one lacks as well, since time only hides memories. */
	readonly now: number;
}

interface Entry {
	/** Ascending, and all of them living. */
	readonly documentNumbers: Uint32Array;
	/** Keys of texts in scope that have not been read yet. */
	readonly unread: readonly number[];
	readonly now: number;
	/** The newest change that is heeded; of memories the state of the database. */
	readonly state: number;
	/** How many texts had gone. */
	readonly deadTexts: number;
}

export class ScopeDocuments {
	readonly #address: WordAddress;
	/** Whose document numbers all entries name. */
	#live: LiveTexts | null = null;
	/** In the order in which they were last asked for. */
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
	 * To be asked within the snapshot that `live` is of.
	 * @returns the document numbers in ascending order, all of them living; null when they are more than `countMax`. That is believed until
	 * the texts are a fifth more, or a large scope would be counted again with every search.
	 */
	of(db: Connection, live: LiveTexts, scope: SeenScope, countMax: number): Uint32Array | null {
		if (live !== this.#live) this.#begin(live);
		const then = this.#tooLarge.get(scope.name);
		if (countMax < live.texts && then !== undefined && live.texts - then < then / 5) return null;
		const before = this.#entries.get(scope.name);
		const entry = (before === undefined ? null : this.#followed(db, live, scope, before)) ?? this.#listed(db, live, scope, countMax);
		this.#forget(scope.name);
		if (entry !== null && entry.documentNumbers.length <= countMax) {
			this.#remember(scope.name, entry);
			return entry.documentNumbers;
		}
		if (this.#tooLarge.size >= entriesMax) this.#tooLarge.clear();
		this.#tooLarge.set(scope.name, live.texts);
		return null;
	}

	#begin(live: LiveTexts): void {
		this.#live = live;
		this.#entries.clear();
		this.#documentNumbers = 0;
	}

	#listed(db: Connection, live: LiveTexts, { rows, now }: SeenScope, countMax: number): Entry | null {
		const { kind } = this.#address;
		const state = kind === "chunk" ? newestScopeChange(db) : dataVersion(db);
		const keys = keysInScope(db, kind, rows, countMax);
		return keys === null ? null : withKeys(live, { documentNumbers: new Uint32Array(), unread: [], now, state, deadTexts: live.deadTexts }, keys);
	}

	/** @returns null when it is better listed anew. */
	#followed(db: Connection, live: LiveTexts, scope: SeenScope, before: Entry): Entry | null {
		const entry = this.#address.kind === "chunk" ? this.#chunksFollowed(db, live, scope, before) : memoriesFollowed(db, scope, before);
		if (entry === null) return null;
		return withKeys(live, entry.deadTexts === live.deadTexts ? entry : withoutDead(live, entry), []);
	}

	#chunksFollowed(db: Connection, live: LiveTexts, { rows }: SeenScope, entry: Entry): Entry | null {
		const state = newestScopeChange(db);
		if (state === entry.state) return entry;
		const { organisation } = this.#address;
		const documentsMax = Math.max(documentsMin, Math.floor(entry.documentNumbers.length / textsPerDocument));
		const documents = documentsChanged(db, organisation, entry.state, state, documentsMax);
		if (documents === null) return null;
		if (documents.length === 0) return { ...entry, state };
		const changed = new Set(keysOfDocuments(db, organisation, documents));
		const documentNumbers = entry.documentNumbers.filter((documentNumber) => !changed.has(live.key(documentNumber)));
		const unread = entry.unread.length === 0 ? [] : storedKeys(db, entry.unread).filter((key) => !changed.has(key));
		return withKeys(live, { ...entry, documentNumbers, unread, state }, keysInScopeOf(db, rows, documents));
	}

	#remember(name: string, entry: Entry): void {
		if (entry.documentNumbers.length > documentNumbersMax) return;
		this.#entries.set(name, entry);
		this.#documentNumbers += entry.documentNumbers.length;
		for (const oldest of this.#entries.keys()) {
			if (this.#documentNumbers <= documentNumbersMax && this.#entries.size <= entriesMax) return;
			this.#forget(oldest);
		}
	}

	#forget(name: string): void {
		this.#documentNumbers -= this.#entries.get(name)?.documentNumbers.length ?? 0;
		this.#entries.delete(name);
	}
}

function memoriesFollowed(db: Connection, { now }: SeenScope, entry: Entry): Entry | null {
	return entry.state === dataVersion(db) && entry.now <= now ? entry : null;
}

/** With those that are read; the others wait. */
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
