/** Splits transcripts at pauses and changes of speaker, and keeps the times. */

import {
	type Block,
	type ChunkDraft,
	type Chunker,
	definePlugin,
	joinPieces,
	jointBefore,
	type Piece,
	pieceCutter,
	targetSize,
	unitePlaces,
} from "cairn-memory";
import { z } from "zod";

/** Text is a transcript when more than half of its blocks are cues. */
const cueShareMin = 0.5;
/** Seconds; a shorter silence is only a breath. */
const pauseSeconds = 1.5;
/** Seconds of silence after which a new scene begins. */
const sceneSeconds = 20;
/** From this share of the target on, a pause or another speaker ends the chunk. */
const fillMin = 0.6;

const transcript: Chunker = {
	name: "transcript",
	accepts: ["*/*"],
	recognizes: ({ blocks }) => blocks.filter((block) => block.kind === "cue").length > blocks.length * cueShareMin,
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		const cut = pieceCutter(charactersMax, text);
		const pieces = blocks.flatMap((block) => {
			step.signal.throwIfAborted();
			return cut(block);
		});
		return groups(pieces, target).map(draftOf);
	},
};

export default definePlugin({
	name: "chunker-transcript",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ chunker: [transcript] }),
});

function groups(pieces: readonly Piece[], target: number): readonly (readonly Piece[])[] {
	const done: Piece[][] = [];
	let size = 0;
	let last: Piece | undefined;
	for (const piece of pieces) {
		const grown = size + jointBefore(last, piece).length + piece.text.length;
		const open = done.at(-1);
		if (open === undefined || last === undefined || grown > target || isBreak(last.block, piece.block, size >= target * fillMin)) {
			done.push([piece]);
			size = joinPieces([piece]).length;
		} else {
			open.push(piece);
			size = grown;
		}
		last = piece;
	}
	return done;
}

/** Whether a chunk ends between two blocks: at a new scene, or at any pause when the chunk is full enough. */
function isBreak(before: Block, after: Block, isFull: boolean): boolean {
	const pause = (after.place.seconds?.[0] ?? 0) - (before.place.seconds?.[1] ?? 0);
	if (pause >= sceneSeconds) return true;
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

/** `Speaker: text` lines; consecutive cues of one speaker, or without one, are one line where they were spoken: a message is a line of its own. */
function draftOf(group: readonly Piece[]): ChunkDraft {
	let text = "";
	let speaker: string | null | undefined;
	for (const [i, piece] of group.entries()) {
		const { block, text: line } = piece;
		const own = speakerOf(block);
		const label = own === null || own.trim() === "" ? "" : `${own.trim()}: `;
		const goesOn = own === speaker && block.kind === "cue" && line.startsWith(label) && (label === "" || isSpoken(block));
		if (block.kind === "row" || text === "") text += jointBefore(group[i - 1], piece) + line;
		else text += goesOn ? ` ${line.slice(label.length)}` : `\n${line}`;
		speaker = own;
	}
	return { text, indexedText: text, place: unitePlaces(group.map((piece) => piece.place)) };
}
