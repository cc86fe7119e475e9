/** Keeps the pages of a listing in the cursor: one that a fault or a kill has cut off is given them again, and asks only for the rest. */

import { randomUUID } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Change, type Cursor, type Json, ServiceError } from "cairn-memory";

export interface KeptPages {
	/**
	 * The answer that an earlier attempt got; else asks. Answers are JSON, and a page has the same name at every attempt.
	 * @param brief what is kept of an answer
	 */
	readonly page: <Answer>(name: string, ask: () => Promise<Answer>, brief?: (answer: Answer) => Answer) => Promise<Answer>;
	/** Says that the state of the source has grown, for one that keeps what it has listed by itself. */
	readonly grown: () => Promise<void>;
}

/** For lists that are short, or of one item. */
export const unkept: Pick<KeptPages, "page"> = { page: (_name, ask) => ask() };

export interface PageKeeper {
	/** The part of the cursor. */
	readonly cursor: () => Cursor;
	/**
	 * Whether the listing has pages of an earlier attempt. What is on none of its pages may have moved from one that is not read yet to
	 * one that was kept: so they alone do not tell that it is gone.
	 */
	readonly isResumed: () => boolean;
	/** The same in all attempts at one listing, and another one for the next. */
	readonly name: string;
	/**
	 * Whether an item that no page names is gone. Pages of one attempt say it themselves; where there are some of an earlier one, the service is
	 * asked for the item. What is there is kept like a page, so that no attempt asks for it twice.
	 */
	readonly isGone: (key: string, isThere: (key: string) => Promise<boolean>, cursor: () => Cursor) => AsyncGenerator<Change, boolean>;
	/** When the listing is of no more use. @returns whether a cursor has any of it, so that another should be written */
	readonly forget: () => boolean;
	/**
	 * Lists, with a checkpoint now and then and before a fault that may pass ends it. Where pages of an earlier attempt lead nowhere any
	 * more, because their service has forgotten where they end, everything is listed again.
	 */
	readonly listing: <Listed>(list: (pages: KeptPages) => Promise<Listed>, cursor: () => Cursor) => AsyncGenerator<Change, Listed>;
	/** Does what needs the listing, which is forgotten at the end, and also at a fault that does not pass. */
	readonly until: (work: AsyncGenerator<Change>, cursor: () => Cursor) => AsyncGenerator<Change>;
}

/** A page is a request, and a cursor may be megabytes long: a kill costs at most so many requests. */
const pagesBetweenCheckpoints = 20;
/** A quarter of what a cursor may have. Pages beyond are asked for again by every attempt. */
const bytesMax = 4 * 1024 * 1024;
/** Older pages say little of what there is. */
const ageMaxMs = 24 * 60 * 60_000;

/** @param scope what is listed, as text: pages of another scope are forgotten */
export function keepPages(from: Cursor | null, scope: string, now = Date.now()): PageKeeper {
	const { pages, since, name } = pagesIn(from, scope, now);
	let bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(pages)));
	let [unsaved, isInCursor, isResumed] = [0, from?.["listing"] !== undefined, pages.size > 0];

	async function* listing<Listed>(list: (kept: KeptPages) => Promise<Listed>, cursor: () => Cursor): AsyncGenerator<Change, Listed> {
		const wasResumed = isResumed;
		const work = stepwise((pause) => list(pausing(pause)));
		try {
			for (let next = await work.next(); ; next = await work.next()) {
				if (next.done === true) return next.value;
				unsaved = 0;
				yield { kind: "checkpoint", cursor };
			}
		} catch (thrown) {
			if (isNews(thrown)) yield { kind: "checkpoint", cursor };
			if (!isOver(thrown) || !wasResumed) throw thrown;
		} finally {
			await work.return(undefined as never);
		}
		return yield* listing(list, cursor);
	}

	async function* isGone(key: string, isThere: (key: string) => Promise<boolean>, cursor: () => Cursor): AsyncGenerator<Change, boolean> {
		if (!isResumed) return true;
		const name = `item ${key}`;
		if (pages.has(name)) return false;
		try {
			if (!(await isThere(key))) return true;
		} catch (thrown) {
			// A service that refuses one item says nothing of it.
			const isOfThisItem = isOver(thrown) && thrown.code !== "CONNECTION_UNAUTHORIZED";
			if (!isOfThisItem) {
				if (isOver(thrown)) forget();
				// What was removed before it is news too.
				if (thrown instanceof ServiceError) yield { kind: "checkpoint", cursor };
				throw thrown;
			}
		}
		if (keep(name, true) && unsaved >= pagesBetweenCheckpoints) {
			unsaved = 0;
			yield { kind: "checkpoint", cursor };
		}
		return false;
	}

	/** @returns whether there is something to be saved before a fault ends the attempt */
	function isNews(thrown: unknown): boolean {
		return isOver(thrown) ? forget() : thrown instanceof ServiceError && unsaved > 0;
	}

	async function* until(work: AsyncGenerator<Change>, cursor: () => Cursor): AsyncGenerator<Change> {
		try {
			yield* work;
		} catch (thrown) {
			if (isOver(thrown) && forget()) yield { kind: "checkpoint", cursor };
			throw thrown;
		}
		if (forget()) yield { kind: "checkpoint", cursor };
	}

	function pausing(pause: () => Promise<void>): KeptPages {
		const pauseIfDue = async () => {
			if (unsaved >= pagesBetweenCheckpoints) await pause();
		};
		return {
			grown: () => {
				unsaved += 1;
				return pauseIfDue();
			},
			page: async <Answer>(name: string, ask: () => Promise<Answer>, brief = (answer: Answer) => answer) => {
				const known = pages.get(name);
				if (known !== undefined) return unpacked(known) as Answer;
				const answer = await ask();
				if (keep(name, brief(answer) as Json)) await pauseIfDue();
				return answer;
			},
		};
	}

	/** @returns false if there is no room for it */
	function keep(name: string, answer: Json): boolean {
		const page = packed(answer);
		bytes += Buffer.byteLength(JSON.stringify([name, page]));
		if (bytes > bytesMax) return false;
		pages.set(name, page);
		unsaved += 1;
		return true;
	}

	function forget(): boolean {
		const was = isInCursor;
		pages.clear();
		[bytes, unsaved, isInCursor, isResumed] = [0, 0, false, false];
		return was;
	}

	const cursor = () => {
		if (pages.size === 0) return {};
		isInCursor = true;
		return { listing: { scope, name, since: isResumed ? since : now, packed: Object.fromEntries(pages) } };
	};
	return { cursor, isResumed: () => isResumed, name, isGone, forget, listing, until };
}

function isOver(thrown: unknown): thrown is ServiceError {
	return thrown instanceof ServiceError && !thrown.mayPass;
}

function pagesIn(cursor: Cursor | null, scope: string, now: number) {
	const listing = objectOf(cursor?.["listing"]);
	const since = Number(listing?.["since"]);
	const isOfUse = listing?.["scope"] === scope && Math.abs(now - since) < ageMaxMs;
	const entries = Object.entries(isOfUse ? (objectOf(listing["packed"]) ?? {}) : {});
	const pages = new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
	const name = isOfUse && typeof listing["name"] === "string" ? listing["name"] : `listing ${randomUUID().slice(0, 8)}`;
	return { since, pages, name };
}

/** Pages are lists of things that are alike: packed they are a third as long, or shorter. */
function packed(answer: Json): string {
	return deflateRawSync(JSON.stringify(answer)).toString("base64");
}

function unpacked(page: string): Json {
	return JSON.parse(inflateRawSync(Buffer.from(page, "base64")).toString()) as Json;
}

function objectOf(value: Json | undefined): { readonly [key: string]: Json } | null {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json }) : null;
}

/** Runs work that pauses now and then as a generator that yields at each pause. When the generator is left, the pause fails, and the work with it. */
async function* stepwise<Value>(work: (pause: () => Promise<void>) => Promise<Value>): AsyncGenerator<undefined, Value> {
	let [paused, going] = [Promise.withResolvers<null>(), Promise.withResolvers<void>()];
	const pause = () => {
		going = Promise.withResolvers();
		paused.resolve(null);
		return going.promise;
	};
	const done = work(pause).then((value) => ({ value }));
	done.catch(() => undefined);
	try {
		for (;;) {
			const ended = await Promise.race([done, paused.promise]);
			if (ended !== null) return ended.value;
			paused = Promise.withResolvers();
			yield;
			going.resolve();
		}
	} finally {
		going.reject(new Error("the listing was left"));
		going.promise.catch(() => undefined);
	}
}
