/** Splits transcripts at pauses and changes of speaker. Each chunk keeps the times of its cues. */

import { type Block, type ChunkDraft, type Chunker, definePlugin } from "cairn-memory";
import { joinPieces, mergePlaces, type Piece, pieceSplitter, separatorBefore, targetSize } from "cairn-memory/words";

/** Text is a transcript when more than half of its blocks are cues. */
const cueShareMin = 0.5;
/** A gap of this length between two cues is a pause; shorter gaps are normal within speech. */
const pauseSeconds = 1.5;
/** After a gap of this length in speech a new chunk begins, however short the last one is. */
const sectionGapSeconds = 20;
/** A chunk that has reached this share of the target ends at the next pause or change of speaker. */
const fillMin = 0.6;
/** After a gap of this length between two messages of a chat, a chunk ends that has reached the share below: people mostly speak of something else. */
const sessionGapSeconds = 6 * 3_600;
const sessionFillMin = 0.2;

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

/** A chunk begins with the day on which its first words were said, if the transcript names days, also where the day began in an earlier chunk. */
function groupPieces(pieces: readonly Piece[], target: number): readonly (readonly Piece[])[] {
	const groups: Piece[][] = [];
	let size = 0;
	let last: Piece | undefined;
	let day: Piece | undefined;
	for (const unit of withCaptions(pieces)) {
		const [first, cue] = [unit[0], unit.at(-1)];
		if (first === undefined || cue === undefined) continue;
		const newSize = size + separatorBefore(last, first).length + joinPieces(unit).length;
		const current = groups.at(-1);
		if (current === undefined || last === undefined || newSize > target || isBreak(last.block, cue.block, size / target)) {
			groups.push(day === undefined || isCaption(first) ? [...unit] : [{ ...day, place: {} }, ...unit]);
			size = joinPieces(groups.at(-1) ?? []).length;
		} else {
			current.push(...unit);
			size = newSize;
		}
		day = unit.findLast(isDay) ?? day;
		last = cue;
	}
	return groups;
}

function isCaption({ block }: Piece): boolean {
	return block.kind === "caption";
}

function isDay(piece: Piece): boolean {
	return isCaption(piece) && /^\d{4}-\d{2}-\d{2}$/.test(piece.text.trim());
}

/** Each piece with the captions right before it. */
function withCaptions(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
	const units: Piece[][] = [];
	for (const piece of pieces) {
		const last = units.at(-1);
		if (last?.every(isCaption)) last.push(piece);
		else units.push([piece]);
	}
	return units;
}

/**
 * Whether a chunk ends between two blocks: after a long gap, or, if the chunk is full enough, at any pause or change of speaker.
 * In a chat minutes or hours pass between two messages about one thing, so a gap counts later there than in speech.
 *
 * @param fill the share of the target length that the chunk has reached
 */
function isBreak(before: Block, after: Block, fill: number): boolean {
	const pause = (after.place.seconds?.[0] ?? 0) - (before.place.seconds?.[1] ?? 0);
	if (pause >= sectionGapSeconds && (isSpoken(before) || isSpoken(after))) return true;
	if (pause >= sessionGapSeconds && fill >= sessionFillMin) return true;
	if (fill < fillMin) return false;
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
