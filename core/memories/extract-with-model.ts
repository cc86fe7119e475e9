/**
 * Gives a document to the language model in pieces, the most informative ones first, up to the limit of calls. The rules read
 * the other pieces, and a warning says so. An outage concerns all pieces: it is thrown, and the document waits.
 */

import type { ErrorCode } from "../errors/catalog.ts";
import { ServiceError } from "../errors/fail.ts";
import type { Chunk } from "../model/chunk.ts";
import { limits } from "../model/limits.ts";
import type { MemoryDraft } from "../model/memory.ts";
import type { MemoryExtractor, MemoryInput, ModelClient, Step } from "../plugin/contract.ts";

export interface ExtractedMemory {
	readonly draft: MemoryDraft;
	readonly extractor: string;
}

export interface MemoryExtraction {
	readonly input: MemoryInput;
	/** What the rules find in the whole document. */
	readonly byRules: readonly ExtractedMemory[];
	readonly extractor: MemoryExtractor;
	readonly callsMax: number;
}

type Piece = readonly Chunk[];

/** One of four calls is reserved for answers that have to be asked for again. */
const secondTriesShare = 1 / 4;
/** After these errors the rules do the work; other errors are thrown on. */
const withoutModel: ReadonlySet<ErrorCode> = new Set(["MODEL_DECLINED", "MODEL_MALFORMED", "MODEL_REFUSED", "MODEL_SPENT"]);

export async function extractWithModel(
	{ input, byRules, extractor, callsMax }: MemoryExtraction,
	step: Step & { readonly model: ModelClient },
): Promise<readonly ExtractedMemory[]> {
	const pieces = piecesOf(input.chunks);
	const ruled = Map.groupBy(byRules, ({ draft: { evidence } }) => evidence[0]?.chunk);
	const within = (piece: Piece) => piece.flatMap(({ id }) => ruled.get(id) ?? []);
	const piecesMax = Math.max(1, callsMax - Math.floor(callsMax * secondTriesShare));
	const chosen = mostInformative(pieces, within, piecesMax);
	const name = `${extractor.name} (${step.model.name})`;
	const extracted: ExtractedMemory[] = [];
	const reasons = new Map<string, number>();
	for (const [i, piece] of pieces.entries()) {
		const found = chosen.has(piece) ? await read(piece, input, extractor, step) : `it is longer than ${piecesMax} pieces, and these were the least telling`;
		if (typeof found === "string") {
			reasons.set(found, (reasons.get(found) ?? 0) + 1);
			extracted.push(...within(piece));
		} else extracted.push(...found.map((draft) => ({ draft, extractor: name })));
		step.progress({ done: i + 1, total: pieces.length, unit: "pieces" });
	}
	for (const [reason, count] of reasons)
		step.warn("MEMORIES_BY_RULES", `the memories of ${count} of ${pieces.length} pieces were drawn by rules and not by the language model: ${reason}`);
	return extracted;
}

/** The drafts, or why there are none. */
async function read(chunks: readonly Chunk[], input: MemoryInput, extractor: MemoryExtractor, step: Step): Promise<readonly MemoryDraft[] | string> {
	try {
		return await extractor.extract({ ...input, chunks }, step);
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || !withoutModel.has(thrown.code)) throw thrown;
		step.log("debug", "a piece was read by rules", { document: input.document.id, code: thrown.code });
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

/** The pieces in which the rules find most; of equal ones the earlier. */
function mostInformative(pieces: readonly Piece[], within: (piece: Piece) => readonly ExtractedMemory[], max: number): ReadonlySet<Piece> {
	const ranked = pieces.map((piece) => ({ piece, found: within(piece).length })).sort((a, b) => b.found - a.found);
	return new Set(ranked.slice(0, max).map(({ piece }) => piece));
}
