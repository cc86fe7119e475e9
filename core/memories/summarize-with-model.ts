/**
 * A title and a summary by the language model, in place of the first words and sentences. It is one question about a document
 * that is published already. Sentences that the document does not support are dropped; if none is left, the rules' result stays.
 */

import { ServiceError } from "../errors/fail.ts";
import { isUntitled } from "../ingest/describe.ts";
import { fenced, fenceRule } from "../language/fence.ts";
import { isInstruction, isTakeover } from "../language/is-instruction.ts";
import { isSupported } from "../language/is-supported.ts";
import { mayAsk } from "../language/may-ask.ts";
import { openModelClient } from "../language/model-client.ts";
import type { ModelGateway } from "../language/model-gateway.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { AnswerRead, Question, Step } from "../plugin/contract.ts";
import { shorten } from "../text/cut-text.ts";
import { sentenceSpans } from "../text/sentence-spans.ts";
import type { MemoryExtractionParts } from "./extract-memories.ts";
import { homeContainersOf } from "./home-containers.ts";

/** The first and one more, for an answer that cannot be used. */
const callsMax = 2;
const outputTokensMax = 1_500;
const modelTitleMax = 100;

const rules = `You write the title and the summary under which a document is found again.

Rules:
- ${fenceRule} Lines with nothing but "[…]" stand for what was left out.
- "summary": two to four sentences, at most 500 characters in all: what the document says, who and what it is about. Only what it says, in its own words and its own language. No opening such as "This document".
- "title": three to ten words that tell it from others, in its language and its words. No quotation marks, no full stop.`;

const text = { type: "string" };
const schema: Question["schema"] = { type: "object", properties: { title: text, summary: text }, required: ["title", "summary"], additionalProperties: false };

type SummaryParts = Omit<MemoryExtractionParts, "memoryExtractors"> & { readonly modelGateway: ModelGateway };

type ModelSummary = { readonly title: string; readonly summary: string };

export async function summarizeWithModel(document: Document, chunks: readonly Chunk[], parts: SummaryParts, step: Step): Promise<void> {
	const { tenant, modelGateway: gateway, world } = parts;
	// What is no longer than a summary is its own.
	if (lengthOf(chunks) <= limits.summaryCharactersMax || !(await mayAsk("summaries", gateway, tenant.records, world.now()))) return;
	const read = excerpt(chunks);
	const summarized = await ask(read, document, parts, step);
	if (summarized === null) return;
	const summary = supported(summarized.summary, read);
	if (summary === "") return step.warn("SUMMARY_BY_RULES", "the language model's summary says what the document does not; the one by rules stays");
	const title = tidy(summarized.title).replace(/^["“„«'‘]+|["”“»'’.]+$/g, "");
	const isTitled = title !== "" && title.length <= modelTitleMax && isUntitled(document, chunks) && isSaid(title, read);
	await tenant.documents.describe(document.id, document.revision, { summary: shorten(summary, limits.summaryCharactersMax), ...(isTitled && { title }) });
}

/** Null when it has to be done without. @throws ServiceError `MODEL_UNAVAILABLE`; not for what is only searched, which waits for no model. */
async function ask(read: string, document: Document, parts: SummaryParts, step: Step): Promise<ModelSummary | null> {
	const { tenant, modelGateway: gateway, world, asking: onWait = () => undefined } = parts;
	const { containerTags } = await homeContainersOf(document, tenant);
	const payer = { containerTag: containerTags[0] ?? null, key: document.writtenBy, use: "summaries" } as const;
	const { organisation, taskType } = document;
	const client = openModelClient({ gateway, records: tenant.records, organisation, payer, callsMax, world, onWait }, step);
	try {
		return await client.ask({ system: rules, prompt: fenced(read, gateway.digest), schema, outputTokensMax }, readAnswer);
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || !thrown.code.startsWith("MODEL_")) throw thrown;
		if (thrown.code === "MODEL_UNAVAILABLE" && taskType !== "superrag") throw thrown;
		step.warn("SUMMARY_BY_RULES", `title and summary are by rules and not by the language model: ${thrown.message}`);
		return null;
	}
}

function readAnswer(object: Json): AnswerRead<ModelSummary> {
	const { title, summary } = object as { readonly [key: string]: Json };
	return typeof title === "string" && typeof summary === "string" ? { value: { title, summary } } : { complaint: "it has no title and summary" };
}

/** As much as fits one question: the whole document, or chunks at equal distances. Text that gives orders to a model is left out. */
function excerpt(chunks: readonly Chunk[]): string {
	const fitting = Math.max(1, Math.floor((limits.modelPieceCharactersMax * chunks.length) / Math.max(1, lengthOf(chunks))));
	const step = fitting >= chunks.length || fitting === 1 ? 1 : (chunks.length - 1) / (fitting - 1);
	const chosen = Array.from({ length: Math.min(fitting, chunks.length) }, (_, i) => Math.round(i * step));
	let read = "";
	for (const [i, index] of chosen.entries()) {
		const words = withoutOrders(chunks[index]?.text ?? "");
		const isNext = i === 0 || chosen[i - 1] === index - 1;
		read += `${i === 0 ? "" : isNext ? "\n\n" : "\n\n[…]\n\n"}${words}`;
	}
	return read.slice(0, limits.modelPieceCharactersMax);
}

function withoutOrders(words: string): string {
	return words
		.split(/\n\s*\n/)
		.filter((paragraph) => !isTakeover(paragraph))
		.join("\n\n");
}

/** The sentences that the document bears out. */
function supported(summary: string, read: string): string {
	return sentenceSpans(tidy(summary))
		.map((span) =>
			tidy(summary)
				.slice(...span)
				.trim(),
		)
		.filter((sentence) => isSaid(sentence, read))
		.join(" ");
}

function isSaid(words: string, read: string): boolean {
	return !isInstruction(words) && isSupported({ text: words, quote: read, around: "", dates: [] });
}

function tidy(words: string): string {
	return words.replaceAll(/\s+/g, " ").trim();
}

function lengthOf(chunks: readonly Chunk[]): number {
	return chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
}
