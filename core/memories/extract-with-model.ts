/**
 * Extracts memories with the language model, piece by piece. If a document has more pieces than calls are allowed, the model gets the most
 * informative ones; the rules read the others, and a warning states this. An outage of the model is thrown, and the document waits.
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
	/** The model's judgement of the known memories that were in its prompt; absent if no model was used. */
	readonly judgement?: ModelJudgement;
}

export interface ModelJudgement {
	/** The known memories that were in the prompt. */
	readonly shown: ReadonlySet<MemoryId>;
	/** Those of them that are no longer true because of the draft. */
	readonly replaces: ReadonlySet<MemoryId>;
}

export interface MemoryExtraction {
	readonly input: MemoryInput;
	/** The memories that the rules have found in the whole document. */
	readonly byRules: readonly ExtractedMemory[];
	readonly extractor: MemoryExtractor;
	readonly callsMax: number;
	/** Finds the known memories that are most similar to some chunks. */
	readonly knownNear: (chunks: readonly Chunk[]) => Promise<readonly KnownMemory[]>;
}

type Piece = readonly Chunk[];

/** How much of the text before a piece is added to the prompt: about a dozen turns of a chat, in which pronouns are explained. */
const beforeCharactersMax = 1_500;

/** A quarter of the calls is reserved for repeating prompts whose response was unusable. */
const retriesShare = 1 / 4;
/** After these errors the rules are used instead; other errors are rethrown. */
const fallbackErrors: ReadonlySet<ErrorCode> = new Set(["MODEL_DECLINED", "MODEL_MALFORMED", "MODEL_REFUSED", "MODEL_SPENT"]);

export async function extractWithModel(
	{ input, byRules, extractor, callsMax, knownNear }: MemoryExtraction,
	step: Step & { readonly model: ModelClient },
): Promise<readonly ExtractedMemory[]> {
	const pieces = piecesOf(input.chunks);
	const rulesByChunk = Map.groupBy(byRules, ({ draft: { evidence } }) => evidence[0]?.chunk);
	const rulesIn = (piece: Piece) => piece.flatMap(({ id }) => rulesByChunk.get(id) ?? []);
	const piecesMax = Math.max(1, callsMax - Math.floor(callsMax * retriesShare));
	const piecesForModel = mostInformative(pieces, rulesIn, piecesMax);
	const name = `${extractor.name} (${step.model.name})`;
	const extracted: ExtractedMemory[] = [];
	const reasons = new Map<string, number>();
	for (const [i, piece] of pieces.entries()) {
		const pieceInput = async () => ({ ...input, chunks: piece, ...beforeOf(pieces[i - 1]), known: await knownNear(piece) });
		const pieceResult = piecesForModel.has(piece)
			? await extractPiece(await pieceInput(), extractor, step)
			: `it is longer than ${piecesMax} pieces, and these were the least informative`;
		if (typeof pieceResult === "string") {
			reasons.set(pieceResult, (reasons.get(pieceResult) ?? 0) + 1);
			extracted.push(...rulesIn(piece));
		} else extracted.push(...pieceResult.map((each) => ({ ...each, extractor: name })));
		step.progress({ done: i + 1, total: pieces.length, unit: "pieces" });
	}
	for (const [reason, count] of reasons)
		step.warn("MEMORIES_BY_RULES", `the memories of ${count} of ${pieces.length} pieces were extracted by rules and not by the language model: ${reason}`);
	return extracted;
}

/**
 * The drafts of one piece, or the reason why there are none. If the provider rejects the prompt, the known memories or the text before the
 * piece may be the cause, so the piece is tried again without them. Otherwise one rejected text could affect other documents.
 */
async function extractPiece(input: MemoryInput, extractor: MemoryExtractor, step: Step): Promise<readonly Omit<ExtractedMemory, "extractor">[] | string> {
	const shown = new Set(input.known?.map(({ id }) => id));
	try {
		return (await extractor.extract(input, step)).map((draft) => withJudgement(draft, shown));
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || !fallbackErrors.has(thrown.code)) throw thrown;
		const { before, known, ...withoutContext } = input;
		if (thrown.code === "MODEL_DECLINED" && (before !== undefined || shown.size > 0)) return extractPiece(withoutContext, extractor, step);
		step.log("debug", "a piece was read by rules", { document: input.document.id, code: thrown.code });
		return thrown.message;
	}
}

/** Adds the model's judgement to a draft, without memories that were not in its prompt. */
function withJudgement({ replaces = [], ...draft }: ExtractedDraft, shown: ReadonlySet<MemoryId>): Omit<ExtractedMemory, "extractor"> {
	return { draft, judgement: { shown, replaces: new Set(replaces.filter((id) => shown.has(id))) } };
}

/** The end of the text before a piece, beginning at a word. */
function beforeOf(piece: Piece | undefined): { readonly before?: string } {
	const text = piece?.map((chunk) => chunk.text).join("\n") ?? "";
	if (text === "") return {};
	const lastCharacters = text.slice(-beforeCharactersMax);
	return { before: lastCharacters.length < text.length ? lastCharacters.slice(lastCharacters.search(/\s/) + 1) : lastCharacters };
}

/** Groups the chunks into pieces. Each piece consists of as many whole chunks, in order, as fit. */
function piecesOf(chunks: readonly Chunk[]): readonly Piece[] {
	const pieces: Chunk[][] = [];
	let charactersLeft = 0;
	for (const chunk of chunks) {
		if (chunk.text.length > charactersLeft || pieces.length === 0) {
			pieces.push([]);
			charactersLeft = limits.modelPieceCharactersMax;
		}
		pieces.at(-1)?.push(chunk);
		charactersLeft -= chunk.text.length;
	}
	return pieces;
}

/** The pieces in which the rules find the most memories; of pieces with the same number, the earlier ones. */
function mostInformative(pieces: readonly Piece[], rulesIn: (piece: Piece) => readonly ExtractedMemory[], max: number): ReadonlySet<Piece> {
	const ranked = pieces.map((piece) => ({ piece, found: rulesIn(piece).length })).sort((a, b) => b.found - a.found);
	return new Set(ranked.slice(0, max).map(({ piece }) => piece));
}
