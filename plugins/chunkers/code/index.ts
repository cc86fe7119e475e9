/**
 * Splits source code along its syntax: functions, classes and statements that fit stay whole, and are indexed with the names of their
 * enclosing declarations.
 */

import { type Block, type ChunkDraft, type Chunker, definePlugin } from "cairn-memory";
import { blockPieces, packPieces, pieceSplitter, splitText, targetSize } from "cairn-memory/words";
import { cutCode } from "./cut-code.ts";

type Code = Extract<Block, { kind: "code" }>;

/** Text is mostly code when more than half of its characters are. */
const codeShareMin = 0.5;
/** The enclosing names may take this share of a chunk; if they are longer, the outermost are left out. */
const pathShare = 0.25;
/** Characters that a Markdown fence with its language takes. */
const fenceCharacters = 30;
const separator = " › ";

const code: Chunker = {
	name: "code",
	accepts: ["*/*"],
	recognizes: ({ blocks }) => !blocks.some(({ kind }) => kind === "heading") && codeShare(blocks) > codeShareMin,
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		return groupBlocks(blocks, target).flatMap((group) => {
			step.signal.throwIfAborted();
			const [first] = group;
			if (group.length === 1 && first?.kind === "code" && first.text.length > target) return codeChunks(first, text, target, charactersMax);
			return packPieces(group.flatMap(pieceSplitter(charactersMax, text)), target, charactersMax);
		});
	},
};

export default definePlugin({
	name: "chunker-code",
	contract: 1,
	start: () => ({ chunker: [code] }),
});

function codeShare(blocks: readonly Block[]): number {
	let [all, code] = [0, 0];
	for (const { kind, text } of blocks) {
		all += text.length;
		if (kind === "code") code += text.length;
	}
	return all === 0 ? 0 : code / all;
}

/** Groups neighbouring blocks; a long code block is a group of its own. */
function groupBlocks(blocks: readonly Block[], target: number): readonly (readonly Block[])[] {
	const groups: Block[][] = [];
	let isOpen = false;
	for (const block of blocks) {
		const isLong = block.kind === "code" && block.text.length > target;
		if (isLong || !isOpen) groups.push([block]);
		else groups.at(-1)?.push(block);
		isOpen = !isLong;
	}
	return groups;
}

function codeChunks(block: Code, documentText: string, target: number, charactersMax: number): readonly ChunkDraft[] {
	const pathMax = Math.floor(charactersMax * pathShare);
	const codeMax = charactersMax - pathMax - 2;
	const max = Math.max(1, codeMax - fenceCharacters);
	const offset = offsetOf(block, documentText);
	return cutCode(block.text, block.language, { target: Math.min(target, max), max }).flatMap(({ begin, end, path }) => {
		const place = offset === null ? block.place : { ...block.place, span: [offset + begin, offset + end] as const };
		const prefix = pathText([...block.headings, ...path], pathMax);
		return blockPieces({ ...block, text: block.text.slice(begin, end), place }, codeMax, documentText).map((piece) => ({
			text: piece.text,
			indexedText: prefix === "" ? piece.text : `${prefix}\n\n${piece.text}`,
			place: piece.place,
		}));
	});
}

/** The offset of the block's text in the document; null unless the document contains it verbatim. */
function offsetOf({ text, place: { span } }: Code, documentText: string): number | null {
	if (span === undefined) return null;
	return documentText.startsWith(text, span[0]) ? span[0] : null;
}

function pathText(path: readonly string[], charactersMax: number): string {
	const names = path.map((name) => name.replace(/\s+/g, " ").trim()).filter((name) => name !== "");
	while (names.length > 1 && names.join(separator).length > charactersMax) names.shift();
	const joined = names.join(separator);
	const [span] = splitText(joined, charactersMax);
	return span === undefined ? "" : joined.slice(...span);
}
