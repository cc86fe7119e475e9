/**
 * Replaces a document's title and summary, which are its first words and sentences, by those of the language model. It takes one prompt,
 * after the document was published. Sentences that the document does not support are dropped; if none is left, the old summary stays.
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
import type { ModelRequest, ParsedAnswer, Step } from "../plugin/contract.ts";
import { shorten } from "../text/cut-text.ts";
import { sentenceSpans } from "../text/sentence-spans.ts";
import type { MemoryExtractionParts } from "./extract-memories.ts";
import { homeContainersOf } from "./home-containers.ts";

/** One call, and another one if the response is unusable. */
const callsMax = 2;
const outputTokensMax = 1_500;
const modelTitleMax = 100;

const rules = `You write the title and the summary under which a document is found again.

Rules:
- ${fenceRule} Lines with nothing but "[…]" stand for what was left out.
- "summary": two to four sentences, at most 500 characters in all: what the document says, who and what it is about. Only what it says, in its own words and its own language. No opening such as "This document".
- "title": three to ten words that tell it from others, in its language and its words. No quotation marks, no full stop.`;

const text = { type: "string" };
const schema: ModelRequest["schema"] = {
	type: "object",
	properties: { title: text, summary: text },
	required: ["title", "summary"],
	additionalProperties: false,
};

type SummaryParts = Omit<MemoryExtractionParts, "memoryExtractors"> & { readonly modelGateway: ModelGateway };

type ModelSummary = { readonly title: string; readonly summary: string };

export async function summarizeWithModel(document: Document, chunks: readonly Chunk[], parts: SummaryParts, step: Step): Promise<void> {
	const { tenant, modelGateway: gateway, world } = parts;
	// A document that is not longer than a summary needs none.
	if (lengthOf(chunks) <= limits.summaryCharactersMax || !(await mayAsk("summaries", gateway, tenant.records, world.now()))) return;
	const excerptText = excerpt(chunks);
	const summarized = await ask(excerptText, document, parts, step);
	if (summarized === null) return;
	const summary = supportedSentences(summarized.summary, excerptText);
	if (summary === "") return step.warn("SUMMARY_BY_RULES", "the language model's summary says what the document does not; the one by rules stays");
	const title = collapseSpaces(summarized.title).replace(/^["“„«'‘]+|["”“»'’.]+$/g, "");
	const isTitled = title !== "" && title.length <= modelTitleMax && isUntitled(document, chunks) && isSupportedBy(title, excerptText);
	await tenant.documents.describe(document.id, document.revision, { summary: shorten(summary, limits.summaryCharactersMax), ...(isTitled && { title }) });
}

/** Null if the model cannot be used. @throws ServiceError `MODEL_UNAVAILABLE`, except for documents that are only searched, which do not wait for the model. */
async function ask(excerptText: string, document: Document, parts: SummaryParts, step: Step): Promise<ModelSummary | null> {
	const { tenant, modelGateway: gateway, world, asking: onWait = () => undefined } = parts;
	const { containerTags } = await homeContainersOf(document, tenant);
	const payer = { containerTag: containerTags[0] ?? null, key: document.writtenBy, use: "summaries" } as const;
	const { organisation, taskType } = document;
	const client = openModelClient({ gateway, records: tenant.records, organisation, payer, callsMax, world, onWait }, step);
	try {
		return await client.ask({ system: rules, prompt: fenced(excerptText, gateway.digest), schema, outputTokensMax }, readAnswer);
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || !thrown.code.startsWith("MODEL_")) throw thrown;
		if (thrown.code === "MODEL_UNAVAILABLE" && taskType !== "superrag") throw thrown;
		step.warn("SUMMARY_BY_RULES", `title and summary are by rules and not by the language model: ${thrown.message}`);
		return null;
	}
}

function readAnswer(object: Json): ParsedAnswer<ModelSummary> {
	const { title, summary } = object as { readonly [key: string]: Json };
	return typeof title === "string" && typeof summary === "string" ? { value: { title, summary } } : { problem: "it has no title and summary" };
}

/** As much text as fits one prompt: the whole document, or chunks at equal distances. Paragraphs with instructions to a model are left out. */
function excerpt(chunks: readonly Chunk[]): string {
	const chunksMax = Math.max(1, Math.floor((limits.modelPieceCharactersMax * chunks.length) / Math.max(1, lengthOf(chunks))));
	const stride = chunksMax >= chunks.length || chunksMax === 1 ? 1 : (chunks.length - 1) / (chunksMax - 1);
	const chosen = Array.from({ length: Math.min(chunksMax, chunks.length) }, (_, i) => Math.round(i * stride));
	let excerptText = "";
	for (const [i, index] of chosen.entries()) {
		const chunkText = withoutOrders(chunks[index]?.text ?? "");
		const isNext = i === 0 || chosen[i - 1] === index - 1;
		excerptText += `${i === 0 ? "" : isNext ? "\n\n" : "\n\n[…]\n\n"}${chunkText}`;
	}
	return excerptText.slice(0, limits.modelPieceCharactersMax);
}

function withoutOrders(words: string): string {
	return words
		.split(/\n\s*\n/)
		.filter((paragraph) => !isTakeover(paragraph))
		.join("\n\n");
}

/** The sentences of the summary that the document supports. */
function supportedSentences(summary: string, excerptText: string): string {
	return sentenceSpans(collapseSpaces(summary))
		.map((span) =>
			collapseSpaces(summary)
				.slice(...span)
				.trim(),
		)
		.filter((sentence) => isSupportedBy(sentence, excerptText))
		.join(" ");
}

function isSupportedBy(words: string, excerptText: string): boolean {
	return !isInstruction(words) && isSupported({ text: words, quote: excerptText, context: "", dates: [] });
}

function collapseSpaces(words: string): string {
	return words.replaceAll(/\s+/g, " ").trim();
}

function lengthOf(chunks: readonly Chunk[]): number {
	return chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
}
