/**
 * Gives a document to the language model in pieces, the most informative ones first, up to the limit of calls. The rules read
 * the other pieces, and a warning says so. An outage concerns all pieces: it is thrown, and the document waits.
 */

import type { ErrorCode } from "../errors/catalog.ts";
import { ServiceError } from "../errors/fail.ts";
import type { Chunk } from "../model/chunk.ts";
import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { MemoryDraft } from "../model/memory.ts";
import type { ExtractedDraft, KnownMemory, MemoryExtractor, MemoryInput, ModelClient, Step } from "../plugin/contract.ts";

export interface ExtractedMemory {
	readonly draft: MemoryDraft;
	readonly extractor: string;
	/** What a model has said of the known memories that it was shown; absent where none was asked. */
	readonly judged?: Judged;
}

export interface Judged {
	readonly shown: ReadonlySet<MemoryId>;
	/** Those of them that the draft makes untrue. */
	readonly replaces: ReadonlySet<MemoryId>;
}

export interface MemoryExtraction {
	readonly input: MemoryInput;
	/** What the rules find in the whole document. */
	readonly byRules: readonly ExtractedMemory[];
	readonly extractor: MemoryExtractor;
	readonly callsMax: number;
	/** The known memories that are nearest to some chunks. */
	readonly knownNear: (chunks: readonly Chunk[]) => Promise<readonly KnownMemory[]>;
}

type Piece = readonly Chunk[];

/** A dozen turns of a chat: whom a pronoun means stands there. */
const beforeCharactersMax = 1_500;

/** One of four calls is reserved for answers that have to be asked for again. */
const secondTriesShare = 1 / 4;
/** After these errors the rules do the work; other errors are thrown on. */
const withoutModel: ReadonlySet<ErrorCode> = new Set(["MODEL_DECLINED", "MODEL_MALFORMED", "MODEL_REFUSED", "MODEL_SPENT"]);

export async function extractWithModel(
	{ input, byRules, extractor, callsMax, knownNear }: MemoryExtraction,
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
		const about = async () => ({ ...input, chunks: piece, ...beforeOf(pieces[i - 1]), known: await knownNear(piece) });
		const found = chosen.has(piece) ? await read(await about(), extractor, step) : `it is longer than ${piecesMax} pieces, and these were the least telling`;
		if (typeof found === "string") {
			reasons.set(found, (reasons.get(found) ?? 0) + 1);
			extracted.push(...within(piece));
		} else extracted.push(...found.map((each) => ({ ...each, extractor: name })));
		step.progress({ done: i + 1, total: pieces.length, unit: "pieces" });
	}
	for (const [reason, count] of reasons)
		step.warn("MEMORIES_BY_RULES", `the memories of ${count} of ${pieces.length} pieces were drawn by rules and not by the language model: ${reason}`);
	return extracted;
}

/**
 * The drafts, or why there are none. What a provider refuses may be among the known memories, or before the piece: then the piece
 * is asked about alone, so that one text that it does not take spoils no other document.
 */
async function read(input: MemoryInput, extractor: MemoryExtractor, step: Step): Promise<readonly Omit<ExtractedMemory, "extractor">[] | string> {
	const shown = new Set(input.known?.map(({ id }) => id));
	try {
		return (await extractor.extract(input, step)).map((draft) => judgedOf(draft, shown));
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || !withoutModel.has(thrown.code)) throw thrown;
		const { before, known, ...alone } = input;
		if (thrown.code === "MODEL_DECLINED" && (before !== undefined || shown.size > 0)) return read(alone, extractor, step);
		step.log("debug", "a piece was read by rules", { document: input.document.id, code: thrown.code });
		return thrown.message;
	}
}

/** What a model says of memories that it was not shown counts for nothing. */
function judgedOf({ replaces = [], ...draft }: ExtractedDraft, shown: ReadonlySet<MemoryId>): Omit<ExtractedMemory, "extractor"> {
	return { draft, judged: { shown, replaces: new Set(replaces.filter((id) => shown.has(id))) } };
}

/** The end of what stands before, from the beginning of a line or a word on. */
function beforeOf(piece: Piece | undefined): { readonly before?: string } {
	const text = piece?.map((chunk) => chunk.text).join("\n") ?? "";
	if (text === "") return {};
	const end = text.slice(-beforeCharactersMax);
	return { before: end.length < text.length ? end.slice(end.search(/\s/) + 1) : end };
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
