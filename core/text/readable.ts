/** Converts blocks to readable Markdown, and records the span of every block. All extractions are rendered here. */

import { fail } from "../errors/fail.ts";
import type { About, Block, DocumentType, Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";

/** A block as an extractor returns it, with formatting that plain text cannot represent. */
export type ReadableBlock = Block & {
	/** The text with links and emphasis as Markdown; if absent, the plain text is shown. */
	readonly markdown?: string;
	/** The separator between a cue and the cue before if both have the same speaker, such as a space. If absent, a new paragraph begins. */
	readonly separator?: string;
};

export interface Readable {
	readonly text: string;
	readonly blocks: readonly Block[];
}

/** The result of an extractor before it is rendered. */
export interface Draft extends DraftFacts {
	readonly blocks: readonly ReadableBlock[];
}

/** The result of an extractor without its blocks. */
export interface DraftFacts {
	/** Candidates, best first; the first that is not blank is used. */
	readonly titles?: readonly (string | null | undefined)[];
	readonly description?: string | null | undefined;
	readonly language?: string | null | undefined;
	readonly type: DocumentType;
	readonly about?: About;
}

/**
 * Converts a draft to an extraction: renders its text, computes spans, and chooses a title.
 * @throws CONTENT_EMPTY if all blocks are blank, OUTPUT_TOO_LARGE if they exceed the limits.
 */
export function completeExtraction(draft: Draft): Extraction {
	const nonBlank = draft.blocks.filter((block) => block.text.trim() !== "");
	if (nonBlank.length === 0) throw fail("CONTENT_EMPTY");
	const { text, blocks } = blocksToMarkdown(nonBlank);
	if (text.length > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	if (blocks.length > limits.blocksMax) throw fail("OUTPUT_TOO_LARGE", `${limits.blocksMax} blocks`);
	return { blocks, text, ...completeFacts(draft) };
}

/** The fields of an extraction besides its text and blocks. */
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
 * Joins blocks to Markdown and gives each its span: the characters of its text, without the Markdown around it. Spans are in
 * order and do not overlap. Consecutive rows of one table share one header line. The time is linear in the text.
 */
export function blocksToMarkdown(blocks: readonly ReadableBlock[]): Readable {
	const pieces: string[] = [];
	const placed: Block[] = [];
	const renderNext = createBlockRenderer();
	let length = 0;
	for (const block of blocks) {
		const { before, words, after } = renderNext(block);
		pieces.push(before, words, after);
		const begin = length + before.length;
		length = begin + words.length + after.length;
		placed.push({ ...withoutMarks(block), place: { ...block.place, span: [begin, begin + words.length] } });
	}
	return { text: pieces.join(""), blocks: placed };
}

/** Renders blocks one after the other; the separator depends on the block before. A row is rendered from its cells, not from its text. */
export function createBlockRenderer(): (block: ReadableBlock) => Rendered {
	let last: Block | null = null;
	return (block) => {
		const separator = last === null ? "" : separatorBetween(last, block);
		const { before, words, after } = render(block, last !== null && (isSameTable(last, block) || continuesCue(last, block)));
		last = block;
		return { before: separator + before, words, after };
	};
}

/** The block without the fields that only rendering needs. Most blocks have none and are returned uncopied, since there may be a million. */
export function withoutMarks(block: ReadableBlock): Block {
	if (block.markdown === undefined && block.separator === undefined) return block;
	const { markdown: _, separator: __, ...plain } = block;
	return plain;
}

export interface Rendered {
	readonly before: string;
	readonly words: string;
	readonly after: string;
}

/** @param continues whether the block before is a row of the same table, or a cue of the same paragraph */
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

function separatorBetween(last: Block, next: ReadableBlock): string {
	if (continuesCue(last, next)) return next.separator ?? "";
	return areInOneList(last, next) ? "\n" : "\n\n";
}

/** Whether two cues are rendered as one paragraph, so that a sentence that spans both is not interrupted. */
function continuesCue(last: Block, next: ReadableBlock): boolean {
	return next.separator !== undefined && next.kind === "cue" && last.kind === "cue" && last.speaker === next.speaker;
}

function areInOneList(last: Block, next: Block): boolean {
	return (last.kind === "list-item" && next.kind === "list-item") || isSameTable(last, next);
}

function isSameTable(last: Block, next: Block): boolean {
	return last.kind === "row" && next.kind === "row" && last.table === next.table;
}

/** A Markdown table needs a header, so a table without one gets an empty header line. */
function headerLines(header: readonly string[], cells: readonly string[]): string {
	const width = Math.max(header.length, cells.length, 1);
	return `${tableLine(header, width)}\n|${" --- |".repeat(width)}\n`;
}

function tableLine(cells: readonly string[], width: number): string {
	const padded = Array.from({ length: Math.max(width, cells.length) }, (_, column) => tableCell(cells[column] ?? ""));
	return `| ${padded.join(" | ")} |`;
}

function tableCell(cell: string): string {
	if (!/[\s|]/.test(cell)) return cell; // a fast path, since there may be millions of cells, most of them single words
	return cell.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}

/** A fence that is longer than any run of backticks in the code. */
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

/** The text on one line, without control characters; null if nothing is left. */
function oneLine(text: string | null | undefined): string | null {
	const line = (text ?? "").replace(/[\p{Cc}\s]+/gu, " ").trim();
	return line === "" ? null : line.toWellFormed();
}

/** BCP 47 in its usual spelling (`EN-us` → `en-US`), or null if it is not a language tag. */
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
