/** Keeps documents the same as what a service lists: what is new or has another version is read, what is gone is removed. */

import { type Change, type ConnectorItem, type Cursor, type Host, ServiceError, type Step } from "cairn-memory";
import { nameOfKey } from "./item-key.ts";
import { type KeptPages, keepPages } from "./kept-pages.ts";
import { type KnownItems, knownFirst, readKnown, warnOfLimit, writeKnown } from "./known-items.ts";
import { nothingListed } from "./nothing-listed.ts";
import { failedLongMs, retryPausesMs, tryAgainLater } from "./retry-failed.ts";

export interface Listing<Entry> {
	/** What should be a document if there is room, by item key. */
	readonly wanted: ReadonlyMap<string, Entry>;
	/** Whether there is more, which was left out because there is no room. */
	readonly isPartial?: boolean;
	/** Whether the service shows nothing at all, wanted or not: then the sync fails, and what is known stays. Absent where that is nothing unusual. */
	readonly isEmpty?: boolean;
	/** Whether an item that is known and not wanted is certainly gone. It stays if the list of its place could not be read to the end. */
	readonly isGone: (key: string) => boolean;
}

export interface ListedSource<Entry> {
	readonly provider: string;
	/** What progress counts, such as `object`. */
	readonly unit: string;
	/** The code of the warning about an item that could not be read. */
	readonly failureCode: string;
	/** What is listed, as text: a listing that was cut off goes on only where it is the same. */
	readonly scope: string;
	readonly documentsMax: number;
	/** @param pages keeps answers until all is read, so that an attempt after a fault asks for none of them again */
	readonly list: (known: ReadonlyMap<string, string>, pages: KeptPages) => Promise<Listing<Entry>>;
	/**
	 * Whether an item is there at this moment, and is to be a document. Where `list` keeps pages, it is asked of what pages of several attempts do not
	 * name. @param name the whole name, of which a key may have the beginning alone; null if it is not known. @throws ServiceError
	 */
	readonly isThere?: (key: string, name: string | null) => Promise<boolean>;
	/** The name that `itemKey` made the key of; null if the entry does not have it. For sources that are asked by names. */
	readonly nameOf?: (entry: Entry) => string | null;
	/** What the cursor holds besides the known items. */
	readonly state?: () => Cursor;
	/** Empty if the service states none; the item is then read at every sync that is no retry, once. */
	readonly versionOf: (entry: Entry) => string;
	/** Null if the item was deleted after it had been listed; `unchanged` if the document is as it should be. @throws ServiceError */
	readonly read: (key: string, entry: Entry) => Promise<ConnectorItem | "unchanged" | null>;
}

type ReadSource<Entry> = Pick<ListedSource<Entry>, "unit" | "failureCode" | "versionOf" | "read">;
/** What the time between two tries is waited with. */
export type Pauses = Pick<Host["world"], "sleep">;

/** An attempt ends after this many failures in a row. The sync fails with it, unless the last is of an item that has failed for long. */
const failuresMax = 5;
/** The codes of errors that are about the sign-in, whatever item met them. */
const aboutSignIn: ReadonlySet<string> = new Set(["CONNECTION_UNAUTHORIZED", "CONNECTION_FORBIDDEN"]);
/** As often as core stores cursors of changes. */
const unchangedPerCheckpoint = 100;
/** The codes of errors that are about one item alone. */
const aboutOneItem: ReadonlySet<string> = new Set(["ITEM_REFUSED", "FILE_TOO_LARGE"]);

/**
 * A checkpoint lists every item before it is put. So an item that was put right before a crash, and deleted before the next
 * sync, is known and removed.
 * @param pausesLeft loses the pauses that were made; for a sync of several listings, which has no more of them than others
 */
export async function* syncListing<Entry>(
	source: ListedSource<Entry>,
	from: Cursor | null,
	step: Step,
	world: Pauses,
	pausesLeft: number[] = [...retryPausesMs],
): AsyncGenerator<Change> {
	const known = readKnown(from);
	const pages = keepPages(from, source.scope);
	const cursor = () => ({ ...pages.cursor(), ...source.state?.(), ...writeKnown(known) });
	const list = async (kept: KeptPages) => {
		const listed = await source.list(known, kept);
		if (listed.isEmpty === true && known.size > 0) throw nothingListed(source);
		return listed;
	};
	const listed = yield* pages.listing(list, cursor);
	keepLongNames(listed.wanted, source, known);
	const isThere = async (key: string) => source.isThere?.(key, known.names.get(key) ?? nameOfKey(key)) ?? true;
	const wanted = knownFirst(listed.wanted, known, source.documentsMax);
	for (const key of [...known.keys()].filter((key) => !wanted.has(key))) {
		const isOver = listed.wanted.has(key);
		if (!isOver && !(listed.isGone(key) && (yield* pages.isGone(key, isThere, cursor)))) continue;
		known.delete(key);
		yield { kind: "remove", key, cursor };
	}
	// What stays and is not wanted takes room too. One that was known and is no document would later take the place of one that is.
	const fresh = [...wanted.keys()].filter((key) => !known.has(key));
	const leftOut = new Set(fresh.slice(Math.max(0, source.documentsMax - known.size)));
	const versionOf = (entry: Entry) => source.versionOf(entry) || pages.name;
	// Nothing tells whether it has changed, and all was read at the last whole sync.
	const isLater = (key: string, entry: Entry) =>
		step.isRetry === true && source.versionOf(entry) === "" && (known.get(key) ?? "") !== "" && !known.failed.has(key);
	const changed = [...wanted].filter(([key, entry]) => !leftOut.has(key) && known.get(key) !== versionOf(entry) && !isLater(key, entry));
	for (const [key] of changed) known.set(key, known.get(key) ?? "");
	const pending = new Set(changed.map(([key]) => key));
	for (const key of known.failed.keys()) if (wanted.has(key) && !pending.has(key)) known.failed.delete(key);
	if (listed.isPartial === true || wanted.size < listed.wanted.size || leftOut.size > 0) warnOfLimit(step, source.documentsMax);
	if (changed.length > 0 || source.state !== undefined) yield { kind: "checkpoint", cursor };
	yield* pages.until(putAll(changed, { ...source, versionOf }, known, cursor, step, world, pausesLeft), cursor);
}

function keepLongNames<Entry>(wanted: Listing<Entry>["wanted"], { nameOf }: Pick<ListedSource<Entry>, "nameOf">, { names }: KnownItems): void {
	if (nameOf === undefined) return;
	for (const [key, entry] of wanted) {
		const name = nameOfKey(key) === null ? nameOf(entry) : null;
		if (name !== null) names.set(key, name);
	}
}

/**
 * Reads entries that a checkpoint has listed, and puts them. Those that failed before come last and take turns, so that they neither keep others from
 * being read nor end the sync. What fails for a moment is tried again after pauses, and then by a sync that comes early.
 * @param known gets the version of each.
 */
export async function* putAll<Entry>(
	entries: readonly (readonly [string, Entry])[],
	source: ReadSource<Entry>,
	known: KnownItems,
	cursor: () => Cursor,
	step: Step,
	world: Pauses,
	pausesLeft: number[] = [...retryPausesMs],
): AsyncGenerator<Change> {
	const failures = new Map<string, ServiceError>();
	// A long sync is no long failure.
	const startedAt = Date.now();
	const reading = { source, known, cursor, step, startedAt, total: entries.length, failures };
	yield* readAll(failedLast(entries, known), reading, false);
	const isFresh = ([key]: readonly [string, unknown]) => failures.get(key)?.mayPass === true && startedAt - (known.failed.get(key) ?? startedAt) < failedLongMs;
	while (pausesLeft.length > 0) {
		const again = failedLast(entries.filter(isFresh), known);
		if (again.length === 0) break;
		const pauseMs = pausesLeft.shift() ?? 0;
		await world.sleep(
			again.reduce((longest, [key]) => Math.max(longest, failures.get(key)?.earliestRetryMs ?? 0), pauseMs),
			step.signal,
		);
		yield* readAll(again, reading, true);
	}
	for (const { message } of failures.values()) step.warn(source.failureCode, message);
	const passing = [...failures].filter(([, { mayPass }]) => mayPass).map(([key]) => startedAt - (known.failed.get(key) ?? startedAt));
	if (passing.length > 0) tryAgainLater(step, Math.min(...passing));
}

interface Reading<Entry> {
	readonly source: ReadSource<Entry>;
	readonly known: KnownItems;
	readonly cursor: () => Cursor;
	readonly step: Step;
	/** In milliseconds. */
	readonly startedAt: number;
	readonly total: number;
	/** Why the entries that could not be read could not. */
	readonly failures: Map<string, ServiceError>;
}

/** @param isRetry whether all of them have failed in this sync: if they still do, nothing new is told by that */
async function* readAll<Entry>(
	entries: readonly (readonly [string, Entry])[],
	{ source, known, cursor, step, startedAt, total, failures }: Reading<Entry>,
	isRetry: boolean,
): AsyncGenerator<Change> {
	let [inRow, unchanged] = [0, 0];
	let hasNewMarks = false;
	for (const [done, [key, entry]] of entries.entries()) {
		step.signal.throwIfAborted();
		step.progress({ done: total - entries.length + done, total, unit: source.unit });
		const item = await source.read(key, entry).catch((thrown: unknown) => serviceErrorOf(thrown, step));
		// What is wrong with a single item says nothing about the next.
		inRow = item instanceof ServiceError && !aboutOneItem.has(item.code) ? inRow + 1 : 0;
		const failedSince = known.failed.get(key) ?? Date.now();
		if (known.failed.delete(key)) hasNewMarks = true;
		failures.delete(key);
		if (item instanceof ServiceError && item.code === "FILE_TOO_LARGE") {
			// It would be as large at the next try, and what it said before is out of date. With another version it is tried again.
			step.warn(item.code, `${key.slice(0, 100)} is left out: ${item.message}`);
			known.set(key, source.versionOf(entry));
			yield { kind: "remove", key, cursor };
			continue;
		}
		if (item instanceof ServiceError) {
			const isOfSignIn = aboutSignIn.has(item.code);
			if (!isOfSignIn) known.failed.set(key, failedSince);
			failures.set(key, item);
			hasNewMarks = true;
			// A service that says when it answers again answers nothing before.
			if (inRow < failuresMax && item.retryAfterMs === null) continue;
			// Core stores a cursor every hundred changes; a service that wants a pause more often would see the same items asked for again and again.
			yield { kind: "checkpoint", cursor };
			const isOutage = !isRetry && startedAt - failedSince < failedLongMs;
			if (isOutage || isOfSignIn || item.retryAfterMs !== null) throw item;
			const left = entries.length - done - 1;
			if (left > 0 && !isRetry) step.warn(source.failureCode, `${left} more that could not be read before are tried again another time`);
			return;
		}
		if (item === null) {
			known.delete(key);
			yield { kind: "remove", key, cursor };
			continue;
		}
		// This is the version of the list, not of the response: an item replaced in between is read once more, but never missed.
		known.set(key, source.versionOf(entry));
		if (item !== "unchanged") yield { kind: "put", item, cursor };
		else if (++unchanged % unchangedPerCheckpoint === 0) yield { kind: "checkpoint", cursor };
	}
	if (unchanged > 0 || hasNewMarks) yield { kind: "checkpoint", cursor };
}

function failedLast<Entry>(entries: readonly (readonly [string, Entry])[], { failed }: KnownItems): readonly (readonly [string, Entry])[] {
	const pending = new Map(entries);
	const again = [...failed.keys()].flatMap((key) => {
		const entry = pending.get(key);
		return entry === undefined ? [] : [[key, entry] as const];
	});
	return [...entries.filter(([key]) => !failed.has(key)), ...again];
}

/** The others go on. @throws what is a fault of this side */
function serviceErrorOf(thrown: unknown, { signal }: Step): ServiceError {
	signal.throwIfAborted();
	if (!(thrown instanceof ServiceError)) throw thrown;
	return thrown;
}
