/**
 * Merges memories that a search has found into new results, which the language model writes. They are added to the results, each with the
 * memories it is merged from. A new result from fewer than two memories, or that says more than they do, is dropped. If the model does not
 * answer, the results stay as they are.
 */

import { fenced, fenceRule } from "../language/fence.ts";
import type { Digest } from "../language/fingerprint.ts";
import { isInstruction } from "../language/is-instruction.ts";
import { isSupported } from "../language/is-supported.ts";
import { withinTime } from "../language/within-time.ts";
import { asId, type MemoryId } from "../model/id.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { ModelClient, ModelRequest, ParsedAnswer, Reranker, Step } from "../plugin/contract.ts";
import { noRelatives } from "./relatives.ts";
import { rerank } from "./rerank.ts";
import type { FoundItem, FoundMemory, MemoryQuery } from "./search-memories.ts";
import { tokensToShow } from "./within-tokens.ts";

/** The most memories in a prompt: about 2,000 tokens. */
const memoriesMax = 20;
const memoryCharactersMax = 400;
const statementsMax = 5;
const statementCharactersMax = 500;
const outputTokensMax = 1_500;
const idCharacters = 22;

const rules = `You are given a question and numbered notes that were found for it, and merge notes that belong together.

Rules:
- ${fenceRule}
- Each statement is one or two sentences that say what two or more notes say together, as far as it helps to answer the question.
- Only what those notes say, in their words and their language. Names and numbers exactly as they stand there. Where they contradict each other say both.
- "notes": the numbers of all notes the statement rests on, at least two.
- At most ${statementsMax} statements. Where nothing belongs together the list is empty; that is a good answer.`;

const statement = {
	type: "object",
	properties: { text: { type: "string" }, notes: { type: "array", items: { type: "integer" } } },
	required: ["text", "notes"],
	additionalProperties: false,
};
const schema: ModelRequest["schema"] = {
	type: "object",
	properties: { statements: { type: "array", items: statement } },
	required: ["statements"],
	additionalProperties: false,
};

interface AggregateParts {
	readonly client: ModelClient;
	readonly digest: Digest;
	readonly reranker: Reranker | null;
}

/** @returns the results and the new ones, best first and at most `query.limit`. */
export async function aggregate(
	found: readonly FoundItem[],
	query: Omit<MemoryQuery, "now">,
	parts: AggregateParts,
	step: Step,
): Promise<readonly FoundItem[]> {
	// A memory that gives instructions to a model is not put into a prompt. It stays among the results.
	const memories = found.filter((item): item is FoundMemory => item.kind === "memory" && !isInstruction(item.memory.text)).slice(0, memoriesMax);
	const room = roomBeside(found, query.tokensMax);
	if (memories.length < 2 || room <= 0) return found;
	const statements = await ask(memories, query.query, parts, step);
	const merged = statements.flatMap((each) => mergedOf(each, memories, parts.digest) ?? []);
	if (merged.length === 0) return found;
	const texts = new Set(found.map((item) => (item.kind === "memory" ? item.memory.text : item.chunk.text)));
	const fresh = merged.filter(({ memory }) => !texts.has(memory.text));
	const ranked = await rerank(
		query.query,
		fresh.map((item) => ({ text: item.memory.text, score: item.score, item })),
		parts.reranker,
		step,
	);
	const shown = ranked.filter(({ score }) => score >= query.threshold).map(({ item, score }) => ({ ...item, score }));
	return [...fitting(shown, room), ...found].sort((a, b) => b.score - a.score).slice(0, query.limit);
}

/** How many tokens the budget leaves beside what was found. */
function roomBeside(found: readonly FoundItem[], tokensMax = Number.POSITIVE_INFINITY): number {
	return tokensMax - found.reduce((sum, item) => sum + tokensToShow(item.kind === "memory" ? item.memory.text : item.chunk.text), 0);
}

/** The statements for which there is room, best first. */
function fitting(statements: readonly FoundMemory[], room: number): readonly FoundMemory[] {
	let left = room;
	return statements.filter(({ memory }) => {
		const needed = tokensToShow(memory.text);
		if (needed > left) return false;
		left -= needed;
		return true;
	});
}

type Statement = { readonly text: string; readonly notes: readonly number[] };

async function ask(memories: readonly FoundMemory[], query: string, { client, digest }: AggregateParts, step: Step): Promise<readonly Statement[]> {
	const notes = memories.map(({ memory }, i) => `${i + 1}. ${memory.text.replaceAll(/\s+/g, " ").slice(0, memoryCharactersMax)}`);
	const prompt = fenced(`Question: ${query.replaceAll(/\s+/g, " ").slice(0, memoryCharactersMax)}\n\n${notes.join("\n")}`, digest);
	try {
		return (
			(await withinTime(limits.modelAggregateTimeoutMs, step.signal, () => client.ask({ system: rules, prompt, schema, outputTokensMax }, readAnswer))) ?? []
		);
	} catch (thrown) {
		if (step.signal.aborted) throw thrown;
		step.log("debug", "memories are not merged by the language model", { reason: thrown instanceof Error ? thrown.message : String(thrown) });
		return [];
	}
}

function readAnswer(object: Json): ParsedAnswer<readonly Statement[]> {
	const { statements } = object as { readonly [key: string]: Json };
	if (!Array.isArray(statements)) return { problem: "it has no list called statements" };
	const valid = statements.flatMap((each: Json): readonly Statement[] => {
		if (typeof each !== "object" || each === null || Array.isArray(each)) return [];
		const { text, notes } = each as { readonly [key: string]: Json };
		if (typeof text !== "string" || !Array.isArray(notes)) return [];
		return [{ text: text.replaceAll(/\s+/g, " ").trim(), notes: notes.filter((note): note is number => typeof note === "number") }];
	});
	return { value: valid.slice(0, statementsMax) };
}

/**
 * A new result, which is not stored: it has the score of the best memory it is merged from, and the evidence of all of them.
 * If they are in several containers, it is in that of the best one, because a memory has one container; responses do not show it.
 * @returns null if it is not supported by its memories
 */
function mergedOf({ text, notes }: Statement, memories: readonly FoundMemory[], digest: Digest): FoundMemory | null {
	const sources = [...new Set(notes)].flatMap((note) => memories[note - 1] ?? []);
	const [best] = sources;
	if (best === undefined || sources.length < 2 || text.length > statementCharactersMax || isInstruction(text)) return null;
	const quote = sources.map(({ memory }) => memory.text).join("\n");
	if (!isSupported({ text, quote, context: "", dates: [] })) return null;
	const ids = sources.map(({ memory }) => memory.id);
	return {
		kind: "memory",
		memory: {
			...best.memory,
			id: asId<MemoryId>(digest(JSON.stringify([text, ids])).slice(0, idCharacters)),
			text,
			version: 1,
			parent: null,
			root: null,
			isLatest: true,
			isForgotten: false,
			metadata: {},
			evidence: sources.flatMap(({ memory }) => memory.evidence),
			updatedAt: new Date(Math.max(...sources.map(({ memory }) => memory.updatedAt.getTime()))),
		},
		score: Math.max(...sources.map(({ score }) => score)),
		relatives: noRelatives,
		documents: [...new Map(sources.flatMap(({ documents }) => documents).map((document) => [document.id, document])).values()],
		chunks: [...new Map(sources.flatMap(({ chunks }) => chunks).map((chunk) => [chunk.id, chunk])).values()],
		mergedFrom: ids,
	};
}
