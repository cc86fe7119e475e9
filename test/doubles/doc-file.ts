/** Documents of Word 97 made for tests. */

import { compoundOf, type Node, streamNode } from "./compound-file.ts";

export interface DocParagraphParts {
	readonly text: string;
	/** 0 is plain, 1 to 9 are headings, 10 is the title. */
	readonly style?: number;
	/** Level in the only list, which counts `1.` and then `a)`. */
	readonly level?: number;
	/** Ends a cell, or a row: then of cells with these edges; negative where a cell goes on from above. */
	readonly cell?: true;
	readonly row?: readonly (readonly [right: number, goesOn?: boolean])[];
	readonly inTable?: true;
	/** The first so many characters are deleted under the eyes of a reviewer. */
	readonly deleted?: number;
}

export interface DocParts {
	readonly body: readonly DocParagraphParts[];
	readonly footnotes?: readonly string[];
	readonly heads?: readonly string[];
	readonly comments?: readonly string[];
	readonly isEncrypted?: boolean;
	/** Storages beside the text. */
	readonly beside?: readonly Node[];
}

/** Text begins here; the tables of looks follow it, each on pages of their own. */
const textAt = 0x600;
const page = 512;

export function docOf({ body, footnotes = [], heads = [], comments = [], isEncrypted = false, beside = [] }: DocParts): Uint8Array {
	const ends = ({ cell, row }: DocParagraphParts) => (cell === true || row !== undefined ? "\u0007" : "\r");
	const plain = (text: string): DocParagraphParts => ({ text });
	const stories = [body, footnotes.map(plain), heads.map(plain), [], comments.map(plain)];
	const lengths = stories.map((story) => story.reduce((sum, { text }) => sum + text.length + 1, 0));
	const paragraphs = stories.flat();
	const text = paragraphs.map((paragraph) => paragraph.text + ends(paragraph)).join("");
	const bytes = Buffer.from(text, "utf16le");
	const looksAt = Math.ceil((textAt + bytes.length) / page) * page;
	const { pages, first } = paragraphPages(paragraphs);
	const characterPage = charactersPage(paragraphs);
	const main = Buffer.alloc(looksAt + pages.length * page + page);
	bytes.copy(main, textAt);
	for (const [index, each] of pages.entries()) each.copy(main, looksAt + index * page);
	characterPage.copy(main, looksAt + pages.length * page);

	const tables = new Map<number, Buffer>([
		[1, styles()],
		[12, Buffer.concat([long(textAt), long(textAt + bytes.length), long(looksAt / page + pages.length)])],
		[13, Buffer.concat([...first.map(long), long(textAt + bytes.length), ...pages.map((_, index) => long(looksAt / page + index))])],
		[33, Buffer.concat([Buffer.from([2]), long(16), long(0), long(text.length), Buffer.alloc(2), long(textAt), Buffer.alloc(2)])],
		[73, lists().head],
		[74, Buffer.concat([long(1), long(77), Buffer.alloc(12)])],
	]);
	const table: Buffer[] = [];
	let at = 0;
	main.writeUInt16LE(0xa5ec, 0);
	main.writeUInt16LE(0xc1, 2);
	main.writeUInt16LE(isEncrypted ? 0x0300 : 0x0200, 0x0a);
	for (const [index, length] of lengths.entries()) main.writeUInt32LE(length, 0x4c + index * 4);
	for (const [number, content] of tables) {
		main.writeUInt32LE(at, 0x9a + number * 8);
		main.writeUInt32LE(content.length, 0x9a + number * 8 + 4);
		// The levels of lists stand behind their list and are not counted.
		const stored = number === 73 ? Buffer.concat([content, lists().levels]) : content;
		table.push(stored);
		at += stored.length;
	}
	return compoundOf([streamNode("WordDocument", main), streamNode("1Table", Buffer.concat(table)), ...beside]);
}

/** Four paragraphs on a page: their looks are short enough. */
function paragraphPages(paragraphs: readonly DocParagraphParts[]) {
	const pages: Buffer[] = [];
	const first: number[] = [];
	let at = textAt;
	for (let start = 0; start < paragraphs.length; start += 4) {
		const some = paragraphs.slice(start, start + 4);
		const buffer = Buffer.alloc(page);
		buffer.writeUInt8(some.length, page - 1);
		first.push(at);
		let free = page - 2;
		for (const [index, paragraph] of some.entries()) {
			buffer.writeUInt32LE(at, index * 4);
			at += (paragraph.text.length + 1) * 2;
			buffer.writeUInt32LE(at, index * 4 + 4);
			const look = lookOf(paragraph);
			// An odd length counts itself in words and a byte.
			const stored = Buffer.concat([Buffer.from([0, Math.ceil(look.length / 2)]), look]);
			free -= stored.length + (stored.length & 1);
			free -= free & 1;
			stored.copy(buffer, free);
			buffer.writeUInt8(free / 2, (some.length + 1) * 4 + index * 13);
		}
		pages.push(buffer);
	}
	return { pages, first };
}

function lookOf({ style = 0, level, cell, row, inTable }: DocParagraphParts): Buffer {
	const settings: Buffer[] = [Buffer.from(Uint16Array.of(style).buffer)];
	const set = (code: number, ...value: readonly number[]) => settings.push(Buffer.from([code & 0xff, code >> 8, ...value]));
	if (level !== undefined) {
		set(0x260a, level);
		set(0x460b, 1, 0);
	}
	if (cell === true || inTable === true || row !== undefined) set(0x2416, 1);
	if (row !== undefined) {
		set(0x2417, 1);
		const edges = Int16Array.from([0, ...row.map(([right]) => right)]);
		const flags = row.map(([, goesOn = false]) => Buffer.concat([Buffer.from([goesOn ? 0x20 : 0, 0]), Buffer.alloc(18)]));
		const shape = Buffer.concat([Buffer.from([row.length]), Buffer.from(edges.buffer), ...flags]);
		settings.push(Buffer.from([0x08, 0xd6]), Buffer.from(Uint16Array.of(shape.length + 1).buffer), shape);
	}
	const whole = Buffer.concat(settings);
	return whole.length % 2 === 0 ? whole : Buffer.concat([whole, Buffer.alloc(1)]);
}

function charactersPage(paragraphs: readonly DocParagraphParts[]): Buffer {
	const buffer = Buffer.alloc(page);
	const runs: (readonly [length: number, isDeleted: boolean])[] = paragraphs.flatMap(({ text, deleted = 0 }) =>
		deleted === 0
			? [[text.length + 1, false]]
			: [
					[deleted, true],
					[text.length + 1 - deleted, false],
				],
	);
	const merged = runs.some(([, isDeleted]) => isDeleted) ? runs : [[runs.reduce((sum, [length]) => sum + length, 0), false] as const];
	const lookAt = page - 8;
	Buffer.from([3, 0x00, 0x08, 1]).copy(buffer, lookAt);
	buffer.writeUInt8(merged.length, page - 1);
	let at = textAt;
	for (const [index, [length, isDeleted]] of merged.entries()) {
		buffer.writeUInt32LE(at, index * 4);
		at += length * 2;
		buffer.writeUInt32LE(at, index * 4 + 4);
		buffer.writeUInt8(isDeleted ? lookAt / 2 : 0, (merged.length + 1) * 4 + index);
	}
	return buffer;
}

/** Plain, nine headings, a title. */
function styles(): Buffer {
	const head = Buffer.alloc(18);
	head.writeUInt16LE(11, 0);
	head.writeUInt16LE(10, 2);
	const all = Array.from({ length: 11 }, (_, number) => {
		const style = Buffer.alloc(10 + 2 + 2);
		style.writeUInt16LE(number === 10 ? 62 : number, 0);
		style.writeUInt16LE(1 + (0xfff << 4), 2);
		return Buffer.concat([Buffer.from(Uint16Array.of(style.length).buffer), style]);
	});
	return Buffer.concat([Buffer.from(Uint16Array.of(head.length).buffer), head, ...all]);
}

function lists(): { readonly head: Buffer; readonly levels: Buffer } {
	const list = Buffer.alloc(28);
	list.writeInt32LE(77, 0);
	const level = (format: number, text: string) => {
		const facts = Buffer.alloc(28);
		facts.writeInt32LE(1, 0);
		facts.writeUInt8(format, 4);
		return Buffer.concat([facts, Buffer.from(Uint16Array.of(text.length).buffer), Buffer.from(text, "utf16le")]);
	};
	const levels = [level(0, "\0."), level(4, "\u0001)"), ...Array.from({ length: 7 }, () => level(23, "·"))];
	return { head: Buffer.concat([Buffer.from([1, 0]), list]), levels: Buffer.concat(levels) };
}

function long(value: number): Buffer {
	return Buffer.from(Int32Array.of(value).buffer);
}
