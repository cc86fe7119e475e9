/** Title, summary and other findings about a document, taken from its own words, and what its source says about itself. */

import type { Chunk } from "../model/chunk.ts";
import { type Document, type Findings, readableText } from "../model/document.ts";
import type { About, Block, Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import { shorten } from "../text/cut-text.ts";
import { isConversation } from "./converse.ts";
import type { Extracted } from "./stage-results.ts";

const firstWordsMax = 80;
/** Before a turn of a conversation, in its chunks but not in its title. */
const speaker = /^[^:]{1,60}:\s+/;
/** The day of the turns below it. */
const dayLine = /^\d{4}-\d{2}-\d{2}\n+/;

export function describe({ document, extraction }: Extracted): Partial<Findings> {
	const { content, metadata } = document;
	const chosenTitle = metadata["title"];
	const fileTitle = content.kind === "file" ? content.fileName : null;
	return {
		type: extraction.type,
		title: shorten(
			typeof chosenTitle === "string" && chosenTitle !== "" ? chosenTitle : (extraction.title ?? fileTitle ?? firstWords(extraction)),
			limits.titleCharactersMax,
		),
		summary: summarize(extraction),
		language: extraction.language,
		text: content.kind === "text" ? null : extraction.text,
		about: tidyAbout(extraction.about),
	};
}

/** The description that the source gives of itself, else its first sentences: articles mostly begin with the main point. */
function summarize({ description, blocks }: Extraction): string | null {
	if (description !== null && description.trim() !== "") return shorten(description, limits.summaryCharactersMax);
	let summary = "";
	for (const block of blocks) {
		if (!isProse(block)) continue;
		for (const { segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(block.text.slice(0, 4 * limits.summaryCharactersMax))) {
			if (summary !== "" && summary.length + segment.length > limits.summaryCharactersMax) return shorten(summary, limits.summaryCharactersMax);
			summary += `${summary === "" ? "" : " "}${segment.trim()}`;
		}
	}
	return summary === "" ? null : shorten(summary, limits.summaryCharactersMax);
}

function isProse(block: Block): boolean {
	return block.kind === "paragraph" || block.kind === "list-item" || block.kind === "cue" || block.kind === "row";
}

/** Whether its title is only its first words: neither a user nor the source gave it one. */
export function isUntitled(document: Document, chunks: readonly Chunk[]): boolean {
	const { content, metadata, findings } = document;
	const given = metadata["title"];
	if (content.kind === "file" || (typeof given === "string" && given !== "")) return false;
	// The text of a conversation is kept as it came, with its signs.
	const isTalk = isConversation(document);
	const text = isTalk ? (chunks[0]?.text ?? "").replace(dayLine, "").replace(speaker, "") : (readableText(document) ?? "");
	return findings.title === null || findings.title === shorten(text.trimStart().split("\n", 1)[0] ?? "", firstWordsMax);
}

function firstWords({ blocks }: Extraction): string | null {
	const spoken = blocks.filter(({ text }) => text.trim() !== "");
	const line = (spoken.find(({ kind }) => kind !== "caption") ?? spoken[0])?.text.trim().split("\n", 1)[0];
	return line === undefined || line === "" ? null : shorten(line, firstWordsMax);
}

const nameCharactersMax = 200;
/** A day, or an instant with the offset that makes it one. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

/** Cleans what a source says about itself: malformed or overlong values are left out. */
export function tidyAbout(about: About = {}): About {
	const { author, publishedAt, canonical, image, siteName } = about;
	return withoutUnknown({
		author: name(author),
		publishedAt: time(publishedAt),
		canonical: address(canonical),
		image: address(image),
		siteName: name(siteName),
	});
}

function withoutUnknown(facts: Readonly<Record<keyof About, string | null>>): About {
	return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

function name(text = ""): string | null {
	const line = text
		.replace(/[\p{Cc}\s]+/gu, " ")
		.trim()
		.toWellFormed();
	return line === "" || line.length > nameCharactersMax ? null : line;
}

function time(text = ""): string | null {
	if (!isoTime.test(text)) return null;
	const date = new Date(text);
	if (Number.isNaN(date.getTime())) return null;
	return text.length === "2024-05-01".length ? text : date.toISOString();
}

function address(text = ""): string | null {
	const url = text.length > limits.addressCharactersMax ? null : URL.parse(text);
	return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : null;
}
