/**
 * What GitHub answered before, by address, with the tag of each answer: where GitHub says that nothing has changed since, the request counts towards no limit.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */

import { createHash } from "node:crypto";
import type { Cursor, Json } from "cairn-memory";
import { z } from "zod";

interface Tag<Brief> {
	readonly etag: string;
	/** What is kept of the answer besides its items. */
	readonly brief: Brief;
}

/** About a megabyte of a cursor. Lists beyond are asked for in full. */
const tagsMax = 2_000;
const tagSchema = z.object({ etag: z.string(), print: z.string(), brief: z.custom<Json>() });
const stateSchema = z.object({ scope: z.string(), answers: z.record(z.string(), tagSchema) });
type Stored = z.infer<typeof tagSchema>;

/**
 * The items of an answer are not kept a second time: they are those that the connection knows. A tag is used only while it knows them all, in
 * the versions in which the answer named them. So neither a kill, nor an item that could not be read, nor a limit can make a change be missed.
 */
export class Tags {
	readonly #known: ReadonlyMap<string, string>;
	readonly #scope: string;
	readonly #answers: Map<string, Stored>;
	readonly #used = new Set<string>();
	#room: number;

	/** @param scope what is listed, as text: tags of another scope are forgotten. @param itemsMax as many as can be known: a tag of others would never be used */
	constructor(from: Cursor | null, scope: string, known: ReadonlyMap<string, string>, itemsMax: number) {
		const { data } = stateSchema.safeParse(from?.["tags"]);
		this.#known = known;
		this.#scope = scope;
		this.#room = itemsMax;
		this.#answers = new Map(data?.scope === scope ? Object.entries(data.answers) : []);
	}

	/** The answer before, if it is of use. @param keysOf the keys of its items */
	before<Brief extends Json>(address: string, keysOf: (brief: Brief) => Iterable<string>): Tag<Brief> | null {
		const stored = this.#answers.get(address);
		if (stored === undefined) return null;
		const brief = stored.brief as Brief;
		return printOf(this.known(keysOf(brief))) === stored.print ? { etag: stored.etag, brief } : null;
	}

	/** The items with these keys, as they are known. */
	known(keys: Iterable<string>): readonly (readonly [key: string, version: string])[] {
		return [...keys].map((key) => [key, this.#known.get(key) ?? ""] as const);
	}

	knownBelow(beginning: string): readonly string[] {
		return [...this.#known.keys()].filter((key) => key.startsWith(beginning));
	}

	/** For an answer that is new. @param etag null if GitHub gave none */
	keep(address: string, etag: string | null, brief: Json, items: readonly (readonly [key: string, version: string])[]): void {
		this.#answers.delete(address);
		this.#room -= items.length;
		if (etag === null || this.#room < 0 || this.#answers.size >= tagsMax) return;
		this.#answers.set(address, { etag, brief, print: printOf(items) });
		this.#used.add(address);
	}

	/** For an answer that is the same as before. */
	keepOn(address: string): void {
		this.#used.add(address);
	}

	/** Forgets what was not asked for. */
	forgetOthers(): void {
		for (const address of this.#answers.keys()) if (!this.#used.has(address)) this.#answers.delete(address);
	}

	cursor(): Cursor {
		return { tags: { scope: this.#scope, answers: Object.fromEntries(this.#answers) } };
	}
}

function printOf(items: Iterable<readonly [key: string, version: string]>): string {
	const lines = [...items].map(([key, version]) => `${key}\0${version}\n`).sort();
	return createHash("sha256").update(lines.join("")).digest("base64url");
}
