/** JSON → values as written: numbers keep all digits, repeated names are kept. Tolerates comments, extra commas, and a truncated end. */

import { type DataRecord, type DataValue, isRecord } from "../data/data-value.ts";

export interface JsonReading {
	/** Null when there was nothing to read. */
	readonly value: DataValue | null;
	/** The first error and its position; null when there is none. The value has everything before it. */
	readonly damage: { readonly message: string; readonly at: number } | null;
	/** Where the value ends. */
	readonly end: number;
	/** How many values were nested too deeply and are kept as text. */
	readonly deep: number;
}

/** Deeper values are kept as text, since the readers of values are recursive. */
const depthMax = 100;

interface OpenList {
	readonly kind: "list";
	readonly items: DataValue[];
}
interface OpenRecord {
	readonly kind: "record";
	readonly begin: number;
	readonly entries: [string, DataValue][];
	name: string | null;
}

export interface JsonWatching {
	/** Is called with the position from time to time. */
	readonly report?: (at: number) => void;
	/** Field names read so far, so that equal names share one string. */
	readonly names?: Map<string, string>;
	/** In texts of at least this length, records in lists are not kept but parsed again when accessed. */
	readonly longCharacters?: number;
}

export function parseJson(
	text: string,
	from = 0,
	{ report = () => undefined, names = new Map(), longCharacters = longCharactersMin }: JsonWatching = {},
): JsonReading {
	return new JsonReader(text, from, { report, names, keepsAll: text.length < longCharacters, above: 0 }).read();
}

/** Shorter texts may take twenty times their size as values. */
export const longCharactersMin = 1_000_000;
/** Rare enough to cost nothing. */
const reportEveryCharacters = 200_000;
/** Limits the shared names, for files in which every name is different. */
const knownNamesMax = 10_000;

const blank = /\s+|\/\/[^\n]*|\/\*/y;
const mayBeBlank = /[\s/]/;
const word = /[\w.$+-]{1,1000}/y;

interface ReadState extends Required<Omit<JsonWatching, "longCharacters">> {
	readonly keepsAll: boolean;
	/** The nesting depth at which the text begins. */
	readonly above: number;
}

/** A record of which only the position is kept, and which is parsed again when accessed. A million parsed records take a gigabyte. */
class PassedRecord implements DataRecord {
	readonly kind = "record";
	readonly #text: string;
	readonly #begin: number;
	readonly #above: number;
	readonly #names: Map<string, string>;

	constructor(text: string, begin: number, above: number, names: Map<string, string>) {
		this.#text = text;
		this.#begin = begin;
		this.#above = above;
		this.#names = names;
	}

	get entries(): DataRecord["entries"] {
		const how = { report: () => undefined, names: this.#names, keepsAll: true, above: this.#above };
		const { value } = new JsonReader(this.#text, this.#begin, how).read();
		return value !== null && isRecord(value) ? value.entries : [];
	}
}

/** The record at the beginning of a text, parsed whenever it is accessed. */
export function passedRecord(text: string, names: Map<string, string>): DataRecord {
	return new PassedRecord(text, 0, 0, names);
}

/** One pass with an explicit stack, so that nesting cannot overflow the call stack. */
class JsonReader {
	readonly #text: string;
	readonly #open: (OpenList | OpenRecord)[] = [];
	#at: number;
	#root: DataValue | null = null;
	#damage: JsonReading["damage"] = null;
	#deep = 0;
	readonly #how: ReadState;
	/** The outermost list record that is being skipped over; null outside of one. */
	#passing: OpenRecord | null = null;
	#reportAt: number;

	constructor(text: string, from: number, how: ReadState) {
		this.#text = text;
		this.#at = from;
		this.#how = how;
		this.#reportAt = from + reportEveryCharacters;
	}

	read(): JsonReading {
		do this.#skipBlank();
		while (this.#damage === null && this.#at < this.#text.length && this.#step());
		const isCut = this.#damage === null && (this.#open.length > 0 || this.#root === null);
		if (isCut) this.#fail("it ends too early");
		return { value: this.#root, damage: this.#damage, end: this.#at, deep: this.#deep };
	}

	/** Reads one token. @returns whether there is more. */
	#step(): boolean {
		if (this.#at > this.#reportAt) {
			this.#how.report(this.#at);
			this.#reportAt = this.#at + reportEveryCharacters;
		}
		const sign = this.#text.charAt(this.#at);
		const inside = this.#open.at(-1);
		if (sign === "}" || sign === "]") return this.#close(sign);
		if (sign === "," && inside !== undefined) {
			this.#at++;
			return true;
		}
		if (inside?.kind === "record" && inside.name === null) return this.#readName(inside);
		if (sign === "{") return this.#enter({ kind: "record", entries: [], name: null, begin: this.#at });
		if (sign === "[") return this.#enter({ kind: "list", items: [] });
		const scalar = sign === '"' ? this.#readString() : this.#readLiteral();
		if (scalar === null) return false;
		this.#put(scalar);
		return this.#open.length > 0;
	}

	#close(sign: string): boolean {
		const inside = this.#open.at(-1);
		if ((inside?.kind === "record") !== (sign === "}") || inside === undefined) return this.#fail(`there is a ${sign} that closes nothing`);
		this.#at++;
		this.#open.pop();
		const list = this.#open.at(-1);
		if (inside === this.#passing && list?.kind === "list") {
			list.items[list.items.length - 1] = new PassedRecord(this.#text, this.#passing.begin, this.#open.length, this.#how.names);
			this.#passing = null;
		}
		return this.#open.length > 0;
	}

	#enter(opened: OpenList | OpenRecord): boolean {
		if (this.#open.length + this.#how.above >= depthMax) {
			const end = endOfNested(this.#text, this.#at);
			this.#put(this.#text.slice(this.#at, end));
			this.#at = end;
			this.#deep++;
			return true;
		}
		this.#at++;
		if (!this.#how.keepsAll && opened.kind === "record" && this.#passing === null && this.#open.at(-1)?.kind === "list") this.#passing = opened;
		this.#put(opened);
		this.#open.push(opened);
		return true;
	}

	#readName(record: OpenRecord): boolean {
		const name = this.#text.charAt(this.#at) === '"' ? this.#readString() : this.#readWord();
		if (name === null) return this.#fail("there is no name where one belongs");
		this.#skipBlank();
		if (this.#text.charAt(this.#at) !== ":") return this.#fail("a name is not followed by a colon");
		this.#at++;
		record.name = this.#known(name);
		return true;
	}

	#known(name: string): string {
		const { names } = this.#how;
		const known = names.get(name);
		if (known !== undefined) return known;
		if (names.size < knownNamesMax) names.set(name, name);
		return name;
	}

	#put(value: DataValue): void {
		const inside = this.#open.at(-1);
		if (inside === undefined) this.#root = value;
		else if (inside.kind === "list") inside.items.push(value);
		else {
			inside.entries.push([inside.name ?? "", value]);
			inside.name = null;
		}
	}

	#readString(): string | null {
		const begin = this.#at + 1;
		let end = this.#text.indexOf('"', begin);
		while (end >= 0 && isEscaped(this.#text, end, begin)) end = this.#text.indexOf('"', end + 1);
		if (end < 0) {
			// Of a truncated text everything read so far is kept.
			this.#at = this.#text.length;
			return unescaped(this.#text.slice(begin));
		}
		this.#at = end + 1;
		const raw = this.#text.slice(begin, end);
		return raw.includes("\\") ? unescaped(raw) : raw;
	}

	#readLiteral(): string | null {
		const begin = this.#at;
		const written = this.#readWord();
		if (written === null || !/^(?:true|false|null|NaN|[+-]?(?:Infinity|[.\d][\w.+-]*))$/.test(written)) {
			this.#at = begin;
			this.#fail("there is something that is no value");
			return null;
		}
		return written === "null" ? "" : written;
	}

	#readWord(): string | null {
		word.lastIndex = this.#at;
		const found = word.exec(this.#text)?.[0] ?? null;
		this.#at += found?.length ?? 0;
		return found;
	}

	/** Blanks and comments. */
	#skipBlank(): void {
		for (;;) {
			if (!mayBeBlank.test(this.#text.charAt(this.#at))) return;
			blank.lastIndex = this.#at;
			const found = blank.exec(this.#text)?.[0];
			if (found === undefined) return;
			const close = found === "/*" ? this.#text.indexOf("*/", this.#at + 2) : 0;
			this.#at = close < 0 ? this.#text.length : found === "/*" ? close + 2 : this.#at + found.length;
		}
	}

	#fail(message: string): false {
		this.#damage ??= { message, at: this.#at };
		return false;
	}
}

/** The position behind the matching closing bracket, or the end of the text. */
function endOfNested(text: string, from: number): number {
	const sign = /["[\]{}]/g;
	sign.lastIndex = from;
	let depth = 0;
	for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
		if (found[0] === '"') {
			let end = text.indexOf('"', found.index + 1);
			while (end >= 0 && isEscaped(text, end, found.index + 1)) end = text.indexOf('"', end + 1);
			if (end < 0) return text.length;
			sign.lastIndex = end + 1;
			continue;
		}
		depth += found[0] === "{" || found[0] === "[" ? 1 : -1;
		if (depth === 0) return found.index + 1;
	}
	return text.length;
}

function isEscaped(text: string, at: number, from: number): boolean {
	let slashes = 0;
	while (at - 1 - slashes >= from && text[at - 1 - slashes] === "\\") slashes++;
	return slashes % 2 === 1;
}

const escapes: Readonly<Record<string, string>> = { b: "", f: "\n", n: "\n", r: "", t: "\t", "0": "" };

/** Control characters are removed, lone surrogates become replacement characters. */
function unescaped(raw: string): string {
	return raw
		.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, sign: string | undefined) => {
			if (code !== undefined) return code === "0000" ? "" : String.fromCharCode(Number.parseInt(code, 16));
			return escapes[sign ?? ""] ?? sign ?? "";
		})
		.replace(/\r\n?/g, "\n")
		.toWellFormed();
}
