/** Reads rich text. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { readRtf } from "./rtf-reader.ts";

/** The beginning of an RTF file. White space or a byte order mark may come before it. */
const signature = /^(?:\xef\xbb\xbf)?\s{0,100}\{\\rtf/;

/** Languages by their Windows number. Those that old programs set by default are left out, since they are mostly wrong. */
const trustedLanguages: Readonly<Record<number, string>> = {
	1031: "de",
	1036: "fr",
	1034: "es",
	1040: "it",
	1041: "ja",
	1042: "ko",
	1045: "pl",
	1049: "ru",
	1029: "cs",
};

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }) => {
	if (!signature.test(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))) throw fail("FILE_BROKEN", "it does not begin with the RTF signature");
	const { body, notes, comments, headersAndFooters, title, subject, language } = readRtf(bytes);
	for (const [index, note] of notes.entries()) body.outline.paragraph(note, { markdown: `[^${index + 1}]: ${note}` });
	for (const comment of comments) body.outline.paragraph(comment);
	for (const text of new Set(headersAndFooters)) if (/\p{L}/u.test(text)) body.outline.paragraph(text);
	const { blocks } = body.outline;
	const heading = blocks.find(({ kind }) => kind === "heading");
	const extraction = completeExtraction({
		blocks,
		titles: [body.titles[0], title, heading?.text],
		description: subject,
		language: language === null ? null : (trustedLanguages[language] ?? null),
		type: "text",
	});
	return { extraction, warnings: [] };
};
export default engine;
