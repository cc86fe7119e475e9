/** Reads rich text. Runs in the sandbox. */

import { completeExtraction, type Engine, fail } from "cairn-memory";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { readRtf } from "./rtf-reader.ts";

/** Blanks or a byte order mark may precede it. */
const beginning = /^(?:\xef\xbb\xbf)?\s{0,100}\{\\rtf/;

/** Languages that old programs set by default are left out, since they are mostly wrong. */
const languages: Readonly<Record<number, string>> = {
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
	if (!beginning.test(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))) throw fail("FILE_BROKEN", "it does not begin like rich text");
	const { body, notes, comments, heads, title, subject, language } = readRtf(bytes);
	for (const [index, note] of notes.entries()) body.outline.paragraph(note, { markdown: `[^${index + 1}]: ${note}` });
	for (const comment of comments) body.outline.paragraph(comment);
	for (const head of new Set(heads)) if (/\p{L}/u.test(head)) body.outline.paragraph(head);
	const { blocks } = body.outline;
	const heading = blocks.find(({ kind }) => kind === "heading");
	const extraction = completeExtraction({
		blocks,
		titles: [body.titles[0], title, heading?.text],
		description: subject,
		language: language === null ? null : (languages[language] ?? null),
		type: "text",
	});
	return { extraction, warnings: [] };
};
export default engine;
