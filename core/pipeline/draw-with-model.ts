/**
 * A document is given to the language model in pieces, the most telling ones as far as the calls go. What it does not read
 * is read by rules, and a remark says so. An outage is for all pieces: it is thrown, and the document waits.
 */

import type { ErrorCode } from "../errors/catalog.ts";
import { ServiceError } from "../errors/fail.ts";
import type { Chunk } from "../model/chunk.ts";
import { limits } from "../model/limits.ts";
import type { MemoryDraft } from "../model/memory.ts";
import type { MemoryExtractor, ModelDoor, Reading, Step } from "../plugin/contract.ts";

export interface Drawn {
	readonly draft: MemoryDraft;
	readonly extractor: string;
}

export interface Drawing {
	readonly reading: Reading;
	/** What the rules find in the whole document. */
	readonly byRules: readonly Drawn[];
	readonly extractor: MemoryExtractor;
	readonly callsMax: number;
}

type Piece = readonly Chunk[];

/** Of four calls one is kept for answers that have to be asked for again. */
const secondTriesShare = 1 / 4;
/** With these it is done without the model; whatever else is thrown is thrown on. */
const withoutModel: ReadonlySet<ErrorCode> = new Set(["MODEL_DECLINED", "MODEL_MALFORMED", "MODEL_REFUSED", "MODEL_SPENT"]);

export async function drawWithModel({ reading, byRules, extractor, callsMax }: Drawing, step: Step & { readonly model: ModelDoor }): Promise<readonly Drawn[]> {
	const pieces = piecesOf(reading.chunks);
	const ruled = Map.groupBy(byRules, ({ draft: { evidence } }) => evidence[0]?.chunk);
	const within = (piece: Piece) => piece.flatMap(({ id }) => ruled.get(id) ?? []);
	const piecesMax = Math.max(1, callsMax - Math.floor(callsMax * secondTriesShare));
	const chosen = mostTelling(pieces, within, piecesMax);
	const name = `${extractor.name} (${step.model.name})`;
	const drawn: Drawn[] = [];
	const reasons = new Map<string, number>();
	for (const [i, piece] of pieces.entries()) {
		const found = chosen.has(piece) ? await read(piece, reading, extractor, step) : `it is longer than ${piecesMax} pieces, and these were the least telling`;
		if (typeof found === "string") {
			reasons.set(found, (reasons.get(found) ?? 0) + 1);
			drawn.push(...within(piece));
		} else drawn.push(...found.map((draft) => ({ draft, extractor: name })));
		step.progress({ done: i + 1, total: pieces.length, unit: "pieces" });
	}
	for (const [reason, count] of reasons)
		step.remark("MEMORIES_BY_RULES", `the memories of ${count} of ${pieces.length} pieces were drawn by rules and not by the language model: ${reason}`);
	return drawn;
}

/** The drafts, or why there are none. */
async function read(chunks: readonly Chunk[], reading: Reading, extractor: MemoryExtractor, step: Step): Promise<readonly MemoryDraft[] | string> {
	try {
		return await extractor.extract({ ...reading, chunks }, step);
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || !withoutModel.has(thrown.code)) throw thrown;
		step.log("debug", "a piece was read by rules", { document: reading.document.id, code: thrown.code });
		return thrown.message;
	}
}

/** Whole chunks in their order, as many as fit. */
function piecesOf(chunks: readonly Chunk[]): readonly Piece[] {
	const pieces: Chunk[][] = [];
	let room = 0;
	for (const chunk of chunks) {
		if (chunk.text.length > room || pieces.length === 0) {
			pieces.push([]);
			room = limits.modelPieceCharactersMax;
		}
		pieces.at(-1)?.push(chunk);
		room -= chunk.text.length;
	}
	return pieces;
}

/** Where the rules find most there is most to find; of equals the earlier. */
function mostTelling(pieces: readonly Piece[], within: (piece: Piece) => readonly Drawn[], max: number): ReadonlySet<Piece> {
	const ranked = pieces.map((piece) => ({ piece, found: within(piece).length })).sort((a, b) => b.found - a.found);
	return new Set(ranked.slice(0, max).map(({ piece }) => piece));
}
