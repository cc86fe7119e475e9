/** Blocks → readable Markdown with the span of every block. This one file decides how an extraction reads. */

import { fail } from "../errors/fail.ts";
import type { About, Block, DocumentType, Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";

/** A block as an extractor hands it over: with, where the source has them, the marks that plain text cannot carry. */
export type ReadableBlock = Block & {
	/** The text with links and emphasis, for reading; without it the text is shown as it is. */
	readonly markdown?: string;
	/** What stands between a cue and the cue before, when the same speaker goes on: a blank, say. A new paragraph when absent. */
	readonly joint?: string;
};

export interface Readable {
	readonly text: string;
	readonly blocks: readonly Block[];
}

/** What an extractor knows at the end of its reading. */
export interface Draft extends DraftFacts {
	readonly blocks: readonly ReadableBlock[];
}

/** What it knows besides the words. */
export interface DraftFacts {
	/** Candidates, best first; the first that says something wins. */
	readonly titles?: readonly (string | null | undefined)[];
	readonly description?: string | null | undefined;
	readonly language?: string | null | undefined;
	readonly type: DocumentType;
	readonly about?: About;
}

/**
 * A draft as an extraction: readable text, spans, a title that is never blank.
 * @throws CONTENT_EMPTY when no block says anything, OUTPUT_TOO_LARGE when they say too much.
 */
export function completeExtraction(draft: Draft): Extraction {
	const spoken = draft.blocks.filter((block) => block.text.trim() !== "");
	if (spoken.length === 0) throw fail("CONTENT_EMPTY");
	const { text, blocks } = blocksToMarkdown(spoken);
	if (text.length > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	if (blocks.length > limits.blocksMax) throw fail("OUTPUT_TOO_LARGE", `${limits.blocksMax} blocks`);
	return { blocks, text, ...completeFacts(draft) };
}

/** All of an extraction but its words. */
export function completeFacts({ titles = [], description, language, type, about }: DraftFacts): Omit<Extraction, "blocks" | "text"> {
	return {
		title: firstTitle(titles),
		description: oneLine(description),
		language: languageTag(language),
		type,
		...(about !== undefined && { about }),
	};
}

/**
 * Joins blocks to Markdown and gives each its span: the characters of its words, without the marks around them. Spans never
 * overlap and never go backwards. Rows of one table that follow each other share one header line. Linear in the text.
 */
export function blocksToMarkdown(blocks: readonly ReadableBlock[]): Readable {
	const pieces: string[] = [];
	const placed: Block[] = [];
	const set = createTypesetter();
	let length = 0;
	for (const block of blocks) {
		const { before, words, after } = set(block);
		pieces.push(before, words, after);
		const begin = length + before.length;
		length = begin + words.length + after.length;
		placed.push({ ...withoutMarks(block), place: { ...block.place, span: [begin, begin + words.length] } });
	}
	return { text: pieces.join(""), blocks: placed };
}

/** How a block is written behind those that came before it. Of a row the text is not looked at. */
export function createTypesetter(): (block: ReadableBlock) => Rendered {
	let last: Block | null = null;
	return (block) => {
		const joint = last === null ? "" : jointOf(last, block);
		const { before, words, after } = render(block, last !== null && (isSameTable(last, block) || goesOn(last, block)));
		last = block;
		return { before: joint + before, words, after };
	};
}

/** Most blocks have none, and a copy of each of a million rows would be felt. */
export function withoutMarks(block: ReadableBlock): Block {
	if (block.markdown === undefined && block.joint === undefined) return block;
	const { markdown: _, joint: __, ...plain } = block;
	return plain;
}

export interface Rendered {
	readonly before: string;
	readonly words: string;
	readonly after: string;
}

/** @param continues whether the row before belongs to the same table, or the cue before to the same paragraph. */
function render(block: ReadableBlock, continues: boolean): Rendered {
	const words = block.markdown ?? block.text;
	switch (block.kind) {
		case "heading":
			return { before: `${"#".repeat(block.level)} `, words: words.replace(/\s+/g, " ").trim(), after: "" };
		case "list-item":
			return { before: `${"  ".repeat(block.depth)}${block.marker ?? "-"} `, words: words.replace(/\s+/g, " ").trim(), after: "" };
		case "row":
			return { before: continues ? "" : headerLines(block.header, block.cells), words: tableLine(block.cells, block.header.length), after: "" };
		case "code": {
			const fence = fenceFor(block.text);
			return { before: `${fence}${block.language ?? ""}\n`, words: block.text, after: `\n${fence}` };
		}
		case "cue":
			return { before: block.speaker === null || continues ? "" : `**${block.speaker}:** `, words, after: "" };
		default:
			return { before: "", words, after: "" };
	}
}

function jointOf(last: Block, next: ReadableBlock): string {
	if (goesOn(last, next)) return next.joint ?? "";
	return areOneList(last, next) ? "\n" : "\n\n";
}

/** Whether two cues read as one paragraph: they keep their places, and a sentence that runs over both is in one piece. */
function goesOn(last: Block, next: ReadableBlock): boolean {
	return next.joint !== undefined && next.kind === "cue" && last.kind === "cue" && last.speaker === next.speaker;
}

function areOneList(last: Block, next: Block): boolean {
	return (last.kind === "list-item" && next.kind === "list-item") || isSameTable(last, next);
}

function isSameTable(last: Block, next: Block): boolean {
	return last.kind === "row" && next.kind === "row" && last.table === next.table;
}

/** Markdown has no table without a header: one without gets an empty line. */
function headerLines(header: readonly string[], cells: readonly string[]): string {
	const width = Math.max(header.length, cells.length, 1);
	return `${tableLine(header, width)}\n|${" --- |".repeat(width)}\n`;
}

function tableLine(cells: readonly string[], width: number): string {
	const padded = Array.from({ length: Math.max(width, cells.length) }, (_, column) => tableCell(cells[column] ?? ""));
	return `| ${padded.join(" | ")} |`;
}

function tableCell(cell: string): string {
	if (!/[\s|]/.test(cell)) return cell; // most have one word, and there are millions
	return cell.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}

/** A fence longer than any run of backticks within. */
function fenceFor(code: string): string {
	let longest = 2;
	for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	return "`".repeat(longest + 1);
}

function firstTitle(candidates: readonly (string | null | undefined)[]): string | null {
	for (const candidate of candidates) {
		const title = oneLine(candidate);
		if (title !== null)
			return title.length <= limits.titleCharactersMax
				? title
				: `${title
						.slice(0, limits.titleCharactersMax - 1)
						.toWellFormed()
						.trimEnd()}…`;
	}
	return null;
}

/** The text on one line, without control characters; null when nothing is left. */
function oneLine(text: string | null | undefined): string | null {
	const line = (text ?? "").replace(/[\p{Cc}\s]+/gu, " ").trim();
	return line === "" ? null : line.toWellFormed();
}

/** BCP 47 in its usual spelling (`EN-us` → `en-US`), or null for what is no language tag. */
function languageTag(tag: string | null | undefined): string | null {
	const plain = (tag ?? "").trim().replaceAll("_", "-");
	if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(plain)) return null;
	const [language = "", ...rest] = plain.split("-");
	return [language.toLowerCase(), ...rest.map(subtag)].join("-");
}

function subtag(part: string): string {
	if (part.length === 2) return part.toUpperCase();
	if (part.length === 4 && /^[a-z]/i.test(part)) return part.charAt(0).toUpperCase() + part.slice(1).toLowerCase();
	return part.toLowerCase();
}
