/** Parses JSON without converting scalars: numbers keep all digits, repeated names are kept. Tolerates comments, extra commas, and a truncated end. */

import { type DataRecord, type DataValue, isRecord } from "../data/data-value.ts";

export interface JsonReading {
	/** Null if there is no value. */
	readonly value: DataValue | null;
	/** The first error with its offset; null if there is none. The value has everything before it. */
	readonly damage: { readonly message: string; readonly offset: number } | null;
	/** The offset at which the value ends. */
	readonly end: number;
	/** How many values are nested too deeply; they are kept as JSON text. */
	readonly tooDeepCount: number;
}

/** Values nested more deeply are kept as text, since the code that walks values is recursive. */
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

export interface JsonReadOptions {
	/** Called with the offset from time to time. */
	readonly report?: (offset: number) => void;
	/** The field names read so far, so that equal names share one string. */
	readonly names?: Map<string, string>;
	/** In texts of at least this many characters, records in lists are not kept in memory, but parsed again when they are accessed. */
	readonly longCharacters?: number;
}

export function parseJson(
	text: string,
	from = 0,
	{ report = () => undefined, names = new Map(), longCharacters = longCharactersMin }: JsonReadOptions = {},
): JsonReading {
	return new JsonReader(text, from, { report, names, keepsRecords: text.length < longCharacters, startDepth: 0 }).read();
}

/** The default of `longCharacters`. The values of shorter texts may take twenty times the memory of the text. */
export const longCharactersMin = 1_000_000;
/** Progress is reported after this many characters, which is rarely enough not to matter. */
const reportEveryCharacters = 200_000;
/** Limits the number of shared names, since there are files in which every name is different. */
const sharedNamesMax = 10_000;

const spaceOrComment = /\s+|\/\/[^\n]*|\/\*/y;
const startsSpaceOrComment = /[\s/]/;
const word = /[\w.$+-]{1,1000}/y;

interface ReaderOptions extends Required<Omit<JsonReadOptions, "longCharacters">> {
	readonly keepsRecords: boolean;
	/** The nesting depth at which the reader starts. */
	readonly startDepth: number;
}

/** A record of which only the offset is kept, and which is parsed whenever it is accessed: a million parsed records would take a gigabyte. */
class LazyRecord implements DataRecord {
	readonly kind = "record";
	readonly #text: string;
	readonly #start: number;
	readonly #startDepth: number;
	readonly #names: Map<string, string>;

	constructor(text: string, start: number, startDepth: number, names: Map<string, string>) {
		this.#text = text;
		this.#start = start;
		this.#startDepth = startDepth;
		this.#names = names;
	}

	get entries(): DataRecord["entries"] {
		const options = { report: () => undefined, names: this.#names, keepsRecords: true, startDepth: this.#startDepth };
		const { value } = new JsonReader(this.#text, this.#start, options).read();
		return value !== null && isRecord(value) ? value.entries : [];
	}
}

/** The record at the beginning of a text, which is parsed whenever it is accessed. */
export function lazyRecord(text: string, names: Map<string, string>): DataRecord {
	return new LazyRecord(text, 0, 0, names);
}

/** Reads in one pass with an explicit stack, so that nesting cannot overflow the call stack. */
class JsonReader {
	readonly #text: string;
	readonly #openContainers: (OpenList | OpenRecord)[] = [];
	#offset: number;
	#root: DataValue | null = null;
	#damage: JsonReading["damage"] = null;
	#tooDeepCount = 0;
	readonly #options: ReaderOptions;
	/** The outermost record in a list that will be replaced by a lazy record; null outside of one. */
	#lazyRecordStart: OpenRecord | null = null;
	#nextReportOffset: number;

	constructor(text: string, from: number, options: ReaderOptions) {
		this.#text = text;
		this.#offset = from;
		this.#options = options;
		this.#nextReportOffset = from + reportEveryCharacters;
	}

	read(): JsonReading {
		do this.#skipSpace();
		while (this.#damage === null && this.#offset < this.#text.length && this.#readToken());
		const isTruncated = this.#damage === null && (this.#openContainers.length > 0 || this.#root === null);
		if (isTruncated) this.#fail("it ends too early");
		return { value: this.#root, damage: this.#damage, end: this.#offset, tooDeepCount: this.#tooDeepCount };
	}

	/** Reads one token. @returns whether the value continues */
	#readToken(): boolean {
		if (this.#offset > this.#nextReportOffset) {
			this.#options.report(this.#offset);
			this.#nextReportOffset = this.#offset + reportEveryCharacters;
		}
		const character = this.#text.charAt(this.#offset);
		const container = this.#openContainers.at(-1);
		if (character === "}" || character === "]") return this.#closeContainer(character);
		if (character === "," && container !== undefined) {
			this.#offset++;
			return true;
		}
		if (container?.kind === "record" && container.name === null) return this.#readName(container);
		if (character === "{") return this.#openContainer({ kind: "record", entries: [], name: null, begin: this.#offset });
		if (character === "[") return this.#openContainer({ kind: "list", items: [] });
		const scalar = character === '"' ? this.#readString() : this.#readLiteral();
		if (scalar === null) return false;
		this.#addValue(scalar);
		return this.#openContainers.length > 0;
	}

	#closeContainer(character: string): boolean {
		const container = this.#openContainers.at(-1);
		if ((container?.kind === "record") !== (character === "}") || container === undefined)
			return this.#fail(`there is a ${character} without an opening bracket`);
		this.#offset++;
		this.#openContainers.pop();
		const list = this.#openContainers.at(-1);
		if (container === this.#lazyRecordStart && list?.kind === "list") {
			list.items[list.items.length - 1] = new LazyRecord(this.#text, this.#lazyRecordStart.begin, this.#openContainers.length, this.#options.names);
			this.#lazyRecordStart = null;
		}
		return this.#openContainers.length > 0;
	}

	#openContainer(opened: OpenList | OpenRecord): boolean {
		if (this.#openContainers.length + this.#options.startDepth >= depthMax) {
			const end = endOfNested(this.#text, this.#offset);
			this.#addValue(this.#text.slice(this.#offset, end));
			this.#offset = end;
			this.#tooDeepCount++;
			return true;
		}
		this.#offset++;
		if (!this.#options.keepsRecords && opened.kind === "record" && this.#lazyRecordStart === null && this.#openContainers.at(-1)?.kind === "list")
			this.#lazyRecordStart = opened;
		this.#addValue(opened);
		this.#openContainers.push(opened);
		return true;
	}

	#readName(record: OpenRecord): boolean {
		const name = this.#text.charAt(this.#offset) === '"' ? this.#readString() : this.#readWord();
		if (name === null) return this.#fail("a field name is missing");
		this.#skipSpace();
		if (this.#text.charAt(this.#offset) !== ":") return this.#fail("a field name is not followed by a colon");
		this.#offset++;
		record.name = this.#shareName(name);
		return true;
	}

	#shareName(name: string): string {
		const { names } = this.#options;
		const known = names.get(name);
		if (known !== undefined) return known;
		if (names.size < sharedNamesMax) names.set(name, name);
		return name;
	}

	#addValue(value: DataValue): void {
		const container = this.#openContainers.at(-1);
		if (container === undefined) this.#root = value;
		else if (container.kind === "list") container.items.push(value);
		else {
			container.entries.push([container.name ?? "", value]);
			container.name = null;
		}
	}

	#readString(): string | null {
		const start = this.#offset + 1;
		let end = this.#text.indexOf('"', start);
		while (end >= 0 && isEscaped(this.#text, end, start)) end = this.#text.indexOf('"', end + 1);
		if (end < 0) {
			// The text is truncated. What there is of the string is kept.
			this.#offset = this.#text.length;
			return decodeEscapes(this.#text.slice(start));
		}
		this.#offset = end + 1;
		const raw = this.#text.slice(start, end);
		return raw.includes("\\") ? decodeEscapes(raw) : raw;
	}

	#readLiteral(): string | null {
		const start = this.#offset;
		const literal = this.#readWord();
		if (literal === null || !/^(?:true|false|null|NaN|[+-]?(?:Infinity|[.\d][\w.+-]*))$/.test(literal)) {
			this.#offset = start;
			this.#fail("there is text that is not a JSON value");
			return null;
		}
		return literal === "null" ? "" : literal;
	}

	#readWord(): string | null {
		word.lastIndex = this.#offset;
		const match = word.exec(this.#text)?.[0] ?? null;
		this.#offset += match?.length ?? 0;
		return match;
	}

	/** Skips white space and comments. */
	#skipSpace(): void {
		for (;;) {
			if (!startsSpaceOrComment.test(this.#text.charAt(this.#offset))) return;
			spaceOrComment.lastIndex = this.#offset;
			const match = spaceOrComment.exec(this.#text)?.[0];
			if (match === undefined) return;
			const close = match === "/*" ? this.#text.indexOf("*/", this.#offset + 2) : 0;
			this.#offset = close < 0 ? this.#text.length : match === "/*" ? close + 2 : this.#offset + match.length;
		}
	}

	#fail(message: string): false {
		this.#damage ??= { message, offset: this.#offset };
		return false;
	}
}

/** The offset after the matching closing bracket, or the end of the text. */
function endOfNested(text: string, from: number): number {
	const character = /["[\]{}]/g;
	character.lastIndex = from;
	let depth = 0;
	for (let match = character.exec(text); match !== null; match = character.exec(text)) {
		if (match[0] === '"') {
			let end = text.indexOf('"', match.index + 1);
			while (end >= 0 && isEscaped(text, end, match.index + 1)) end = text.indexOf('"', end + 1);
			if (end < 0) return text.length;
			character.lastIndex = end + 1;
			continue;
		}
		depth += match[0] === "{" || match[0] === "[" ? 1 : -1;
		if (depth === 0) return match.index + 1;
	}
	return text.length;
}

function isEscaped(text: string, offset: number, from: number): boolean {
	let slashes = 0;
	while (offset - 1 - slashes >= from && text[offset - 1 - slashes] === "\\") slashes++;
	return slashes % 2 === 1;
}

const escapes: Readonly<Record<string, string>> = { b: "", f: "\n", n: "\n", r: "", t: "\t", "0": "" };

/** Decodes the escapes of a string. Control characters are removed, and lone surrogates become replacement characters. */
function decodeEscapes(raw: string): string {
	return raw
		.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, character: string | undefined) => {
			if (code !== undefined) return code === "0000" ? "" : String.fromCharCode(Number.parseInt(code, 16));
			return escapes[character ?? ""] ?? character ?? "";
		})
		.replace(/\r\n?/g, "\n")
		.toWellFormed();
}
