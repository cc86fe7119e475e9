/** Derives a document's title, summary and other findings from its text and from the metadata of its source. */

import type { Chunk } from "../model/chunk.ts";
import { type Document, type Findings, readableText } from "../model/document.ts";
import type { About, Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import { shorten } from "../text/cut-text.ts";
import { givenTitle } from "../text/given-title.ts";
import { isConversation } from "./converse.ts";
import type { ExtractedDocument } from "./stage-results.ts";
import { summarize } from "./summarize.ts";

const firstLineCharactersMax = 80;
/** The speaker label before a turn of a conversation. Chunks have it, titles do not. */
const speakerLabel = /^[^:]{1,60}:\s+/;
/** A line with the date of the turns below it. */
const dayLine = /^\d{4}-\d{2}-\d{2}\n+/;

export function describe({ document, extraction }: ExtractedDocument): Partial<Findings> {
	const { content, metadata } = document;
	const fileTitle = content.kind === "file" ? content.fileName : null;
	return {
		type: extraction.type,
		title: givenTitle(metadata) ?? shorten(extraction.title ?? fileTitle ?? firstLine(extraction), limits.titleCharactersMax),
		summary: summarize(extraction),
		language: extraction.language,
		text: content.kind === "text" ? null : extraction.text,
		about: cleanAbout(extraction.about),
	};
}

/** Whether neither a user nor the source gave the document a title, so that its title is only the first line of its text. */
export function isUntitled(document: Document, chunks: readonly Chunk[]): boolean {
	const { content, metadata, findings } = document;
	if (content.kind === "file" || givenTitle(metadata) !== null) return false;
	// The stored text of a conversation is JSON, so the first chunk is used, without its date line and speaker label.
	const inConversation = isConversation(document);
	const text = inConversation ? (chunks[0]?.text ?? "").replace(dayLine, "").replace(speakerLabel, "") : (readableText(document) ?? "");
	return findings.title === null || findings.title === shorten(text.trimStart().split("\n", 1)[0] ?? "", firstLineCharactersMax);
}

function firstLine({ blocks }: Extraction): string | null {
	const nonBlankBlocks = blocks.filter(({ text }) => text.trim() !== "");
	const line = (nonBlankBlocks.find(({ kind }) => kind !== "caption") ?? nonBlankBlocks[0])?.text.trim().split("\n", 1)[0];
	return line === undefined || line === "" ? null : shorten(line, firstLineCharactersMax);
}

const nameCharactersMax = 200;
/** A date, or a date and time with a UTC offset. */
const isoTimePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

/** Cleans the metadata of a source: malformed and overlong values are left out. */
export function cleanAbout(about: About = {}): About {
	const { author, publishedAt, canonical, image, siteName } = about;
	return omitNulls({
		author: nameOf(author),
		publishedAt: isoTimeOf(publishedAt),
		canonical: httpUrl(canonical),
		image: httpUrl(image),
		siteName: nameOf(siteName),
	});
}

function omitNulls(fields: Readonly<Record<keyof About, string | null>>): About {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function nameOf(text = ""): string | null {
	const line = text
		.replace(/[\p{Cc}\s]+/gu, " ")
		.trim()
		.toWellFormed();
	return line === "" || line.length > nameCharactersMax ? null : line;
}

function isoTimeOf(text = ""): string | null {
	if (!isoTimePattern.test(text)) return null;
	const date = new Date(text);
	if (Number.isNaN(date.getTime())) return null;
	return text.length === "2024-05-01".length ? text : date.toISOString();
}

function httpUrl(text = ""): string | null {
	const url = text.length > limits.addressCharactersMax ? null : URL.parse(text);
	return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : null;
}
