/** Splits transcripts at pauses and changes of speaker. Each chunk keeps the times of its cues. */

import { type Block, type ChunkDraft, type Chunker, definePlugin } from "cairn-memory";
import { joinPieces, mergePlaces, type Piece, pieceSplitter, separatorBefore, targetSize } from "cairn-memory/words";

/** Text is a transcript when more than half of its blocks are cues. */
const cueShareMin = 0.5;
/** A gap of this length between two cues is a pause; shorter gaps are normal within speech. */
const pauseSeconds = 1.5;
/** After a gap of this length a new chunk begins, however short the last one is. */
const sectionGapSeconds = 20;
/** A chunk that has reached this share of the target ends at the next pause or change of speaker. */
const fillMin = 0.6;

const transcript: Chunker = {
	name: "transcript",
	accepts: ["*/*"],
	recognizes: ({ blocks }) => blocks.filter((block) => block.kind === "cue").length > blocks.length * cueShareMin,
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		const split = pieceSplitter(charactersMax, text);
		const pieces = blocks.flatMap((block) => {
			step.signal.throwIfAborted();
			return split(block);
		});
		return groupPieces(pieces, target).map(draftOf);
	},
};

export default definePlugin({
	name: "chunker-transcript",
	contract: 1,
	start: () => ({ chunker: [transcript] }),
});

function groupPieces(pieces: readonly Piece[], target: number): readonly (readonly Piece[])[] {
	const groups: Piece[][] = [];
	let size = 0;
	let last: Piece | undefined;
	for (const piece of pieces) {
		const newSize = size + separatorBefore(last, piece).length + piece.text.length;
		const current = groups.at(-1);
		if (current === undefined || last === undefined || newSize > target || isBreak(last.block, piece.block, size >= target * fillMin)) {
			groups.push([piece]);
			size = joinPieces([piece]).length;
		} else {
			current.push(piece);
			size = newSize;
		}
		last = piece;
	}
	return groups;
}

/** Whether a chunk ends between two blocks: after a long gap, or, if the chunk is full enough, at any pause or change of speaker. */
function isBreak(before: Block, after: Block, isFull: boolean): boolean {
	const pause = (after.place.seconds?.[0] ?? 0) - (before.place.seconds?.[1] ?? 0);
	if (pause >= sectionGapSeconds) return true;
	if (!isFull) return false;
	return pause >= pauseSeconds || speakerOf(before) !== speakerOf(after);
}

/** Spoken cues have a duration; chat messages have one time, or none. */
function isSpoken({ place }: Block): boolean {
	return place.seconds !== undefined && place.seconds[1] > place.seconds[0];
}

function speakerOf(block: Block): string | null {
	return block.kind === "cue" ? block.speaker : null;
}

/** Writes `Speaker: text` lines. Consecutive spoken cues of one speaker, or without a speaker, share a line; every chat message gets its own. */
function draftOf(group: readonly Piece[]): ChunkDraft {
	let text = "";
	let speaker: string | null | undefined;
	for (const [i, piece] of group.entries()) {
		const { block, text: line } = piece;
		const name = speakerOf(block);
		const label = name === null || name.trim() === "" ? "" : `${name.trim()}: `;
		const continuesLine = name === speaker && block.kind === "cue" && line.startsWith(label) && (label === "" || isSpoken(block));
		if (block.kind === "row" || text === "") text += separatorBefore(group[i - 1], piece) + line;
		else text += continuesLine ? ` ${line.slice(label.length)}` : `\n${line}`;
		speaker = name;
	}
	return { text, indexedText: text, place: mergePlaces(group.map((piece) => piece.place)) };
}
