/** Splits source code along its syntax: functions, classes and statements stay whole where they fit, and are indexed with their enclosing names. */

import { type Block, blockPieces, type ChunkDraft, type Chunker, definePlugin, packPieces, pieceCutter, splitText, targetSize } from "cairn-memory";
import { z } from "zod";
import { cutCode } from "./cut-code.ts";

type Code = Extract<Block, { kind: "code" }>;

/** Text is mostly code when more than half of its characters are. */
const codeShareMin = 0.5;
/** The names may take this share of a chunk; beyond it the outermost are left out. */
const pathShare = 0.25;
/** Characters of a fence with its language. */
const fenceCharacters = 30;
const separator = " › ";

const code: Chunker = {
	name: "code",
	accepts: ["*/*"],
	recognizes: ({ blocks }) => !blocks.some(({ kind }) => kind === "heading") && codeShare(blocks) > codeShareMin,
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		return runs(blocks, target).flatMap((run) => {
			step.signal.throwIfAborted();
			const [first] = run;
			if (run.length === 1 && first?.kind === "code" && first.text.length > target) return codeChunks(first, text, target, charactersMax);
			return packPieces(run.flatMap(pieceCutter(charactersMax, text)), target, charactersMax);
		});
	},
};

export default definePlugin({
	name: "chunker-code",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ chunker: [code] }),
});

function codeShare(blocks: readonly Block[]): number {
	let [all, own] = [0, 0];
	for (const { kind, text } of blocks) {
		all += text.length;
		if (kind === "code") own += text.length;
	}
	return all === 0 ? 0 : own / all;
}

/** Long code blocks are separate; other blocks are grouped. */
function runs(blocks: readonly Block[], target: number): readonly (readonly Block[])[] {
	const done: Block[][] = [];
	let isOpen = false;
	for (const block of blocks) {
		const isLong = block.kind === "code" && block.text.length > target;
		if (isLong || !isOpen) done.push([block]);
		else done.at(-1)?.push(block);
		isOpen = !isLong;
	}
	return done;
}

function codeChunks(block: Code, whole: string, target: number, charactersMax: number): readonly ChunkDraft[] {
	const pathMax = Math.floor(charactersMax * pathShare);
	const room = charactersMax - pathMax - 2;
	const most = Math.max(1, room - fenceCharacters);
	const offset = offsetOf(block, whole);
	return cutCode(block.text, block.language, { target: Math.min(target, most), most }).flatMap(({ begin, end, path }) => {
		const place = offset === null ? block.place : { ...block.place, span: [offset + begin, offset + end] as const };
		const above = pathText([...block.headings, ...path], pathMax);
		return blockPieces({ ...block, text: block.text.slice(begin, end), place }, room, whole).map((piece) => ({
			text: piece.text,
			indexedText: above === "" ? piece.text : `${above}\n\n${piece.text}`,
			place: piece.place,
		}));
	});
}

/** The offset of the block's text in the document, when it is there verbatim. */
function offsetOf({ text, place: { span } }: Code, whole: string): number | null {
	if (span === undefined) return null;
	return whole.startsWith(text, span[0]) ? span[0] : null;
}

function pathText(path: readonly string[], charactersMax: number): string {
	const names = path.map((name) => name.replace(/\s+/g, " ").trim()).filter((name) => name !== "");
	while (names.length > 1 && names.join(separator).length > charactersMax) names.shift();
	const joined = names.join(separator);
	const [span] = splitText(joined, charactersMax);
	return span === undefined ? "" : joined.slice(...span);
}
