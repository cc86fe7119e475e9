/** A far side in memory and a connector that reads it, sound in every way: what the mutants are made from. */

import { type Change, type Connector, type Cursor, fail } from "cairn-memory";
import type { ConnectorScene } from "../../contract/connector-scene.ts";

/** Changes of a sync, as a mutant spoils them. */
export type Spoil = (connector: Connector) => Connector;

/** Where a sync breaks its promises from inside. */
export interface Faults {
	/** Lets things be put that no checkpoint named. */
	readonly announcesNothing?: true;
	/** Counts all as read before anything is. */
	readonly movesOnTooEarly?: true;
	/** Gives the cursor out and goes on writing in it. */
	readonly writesInOldCursors?: true;
	/** Believes any cursor. */
	readonly trustsCursors?: true;
	/** Never looks at the signal. */
	readonly isDeaf?: true;
	/** Keys that no other start knows. */
	readonly keysOfTheDay?: true;
}

export function shelfScene(spoil: Spoil = (connector) => connector, faults: Faults = {}): ConnectorScene {
	const things = new Map([1, 2, 3, 4].map((number) => [`thing-${number}`, `words of thing ${number}`]));
	const shelf = { things, isStalled: false };
	return {
		start: async () => spoil(shelfConnector(shelf, faults)),
		metadata: { shelf: "main", password: "correct horse" },
		nonsense: [
			{ metadata: { password: "correct horse" }, key: "shelf" },
			{ metadata: { shelf: "main" }, key: "password" },
		],
		refused: { shelf: "main", password: "wrong horse" },
		there: () => new Map(things),
		change: async () => {
			things.set("thing-2", "other words");
			things.set("thing-5", "words of thing 5");
			things.delete("thing-1");
		},
		stall: () => {
			shelf.isStalled = true;
		},
		close: async () => undefined,
	};
}

interface Shelf {
	readonly things: ReadonlyMap<string, string>;
	isStalled: boolean;
}

function shelfConnector(shelf: Shelf, faults: Faults): Connector {
	const day = faults.keysOfTheDay ? `-${Math.random()}` : "";
	return {
		name: "shelf",
		secrets: ["password"],
		syncEveryMs: 3_600_000,
		configure: (metadata, documentsMax) => {
			for (const key of ["shelf", "password"]) if (typeof metadata[key] !== "string") throw fail("CONNECTION_INVALID", "shelf", key, "it is required");
			return { shelf: String(metadata["shelf"]), password: String(metadata["password"]), documentsMax };
		},
		async *sync(config, from, step): AsyncGenerator<Change> {
			if (config["password"] !== "correct horse") throw fail("CONNECTION_FORBIDDEN", "shelf", "the password is wrong");
			const read = readCursor(from, faults);
			const pause = async () => {
				if (shelf.isStalled) await new Promise((_, reject) => step.signal.addEventListener("abort", () => reject(step.signal.reason)));
				if (!faults.isDeaf) step.signal.throwIfAborted();
			};
			await pause();
			const cursor = () => (faults.writesInOldCursors ? (live(read) as Cursor) : { version: 1, read: Object.fromEntries(read) });
			const there = [...shelf.things].slice(0, Number(config["documentsMax"])).map(([key, words]) => [`${key}${day}`, words] as const);
			const gone = [...read.keys()].filter((key) => !there.some(([one]) => one === key));
			for (const key of gone) {
				read.delete(key);
				yield { kind: "remove", key, cursor };
			}
			const news = there.filter(([key, words]) => read.get(key) !== words);
			for (const [key, words] of news) if (!faults.announcesNothing) read.set(key, faults.movesOnTooEarly ? words : (read.get(key) ?? ""));
			if (news.length > 0 && !faults.announcesNothing) yield { kind: "checkpoint", cursor };
			yield* put(news, read, cursor, pause);
		},
	};
}

async function* put(
	news: readonly (readonly [string, string])[],
	read: Map<string, string>,
	cursor: () => Cursor,
	pause: () => Promise<void>,
): AsyncGenerator<Change> {
	for (const [key, words] of news) {
		await pause();
		read.set(key, words);
		const item = { key, content: { kind: "text", text: words, mediaType: "text/plain" }, title: null, metadata: {}, containerTag: null } as const;
		yield { kind: "put", item, cursor };
	}
}

function readCursor(from: Cursor | null, faults: Faults): Map<string, string> {
	const read = from?.["read"];
	if (faults.trustsCursors) return new Map(Object.entries(from === null ? {} : (read as Record<string, string>)));
	if (from?.["version"] !== 1 || read === null || typeof read !== "object" || Array.isArray(read)) return new Map();
	return new Map(Object.entries(read).map(([key, words]) => [key, String(words)]));
}

const lives = new WeakMap<object, Record<string, unknown>>();

/** One object for one sync, written in at each call. */
function live(read: ReadonlyMap<string, string>): object {
	const cursor = lives.get(read) ?? {};
	lives.set(read, cursor);
	return Object.assign(cursor, { version: 1, read: Object.fromEntries(read) });
}
