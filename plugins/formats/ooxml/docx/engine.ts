/** Reads Word documents: the text, then notes, comments, headers and footers. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline } from "../../blocks/outline.ts";
import { elementsOf } from "../../xml/xml-element.ts";
import { embeddedFiles } from "../embedded-files.ts";
import { mainPart, type OfficePackage, openPackage, readProperties, targetOf } from "../package.ts";
import { addElements, type DocxBody, flatText } from "./body.ts";
import { collectNotes } from "./notes.ts";
import { readNumbering } from "./numbering.ts";
import { readStyles } from "./styles.ts";

/** These elements are streamed (nested ones as part of the outer one), so that a long document is never in memory as a whole. */
const blockElements = new Set(["p", "tbl", "sdt", "altChunk", "AlternateContent"]);

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	const path = mainPart(office, "word/document.xml");
	const body = beginBody(office, path);
	report({ done: 0, total: 1, unit: "part" });
	office.stream(path, blockElements, (element) => addElements([element], body));
	addNotes(body);
	addHeadersAndFooters(body);
	report({ done: 1, total: 1, unit: "part" });

	const properties = readProperties(office);
	const { blocks } = body.outline;
	const [warning] = office.warnings;
	if (blocks.length === 0 && warning !== undefined) throw fail("FILE_BROKEN", warning.message);
	const firstHeading = blocks.find(({ kind }) => kind === "heading");
	const extraction = completeExtraction({
		blocks,
		titles: [...body.titles, properties.title, firstHeading?.text],
		description: properties.description,
		language: properties.language ?? body.styles.language,
		type: "text",
	});
	const attachments = embeddedFiles(office);
	return { extraction, warnings: office.warnings, attachments };
};
export default engine;

function beginBody(office: OfficePackage, path: string): DocxBody {
	const relations = office.relations(path);
	const partOf = (type: string) => office.part(targetOf(relations, type));
	const styles = readStyles(partOf("styles"));
	return {
		office,
		styles,
		numbering: readNumbering(partOf("numbering"), (style) => styles.numbering(style)?.id ?? null),
		notes: collectNotes({ footnotes: partOf("footnotes"), endnotes: partOf("endnotes"), comments: partOf("comments") }),
		relations,
		outline: createOutline(),
		titles: [],
		describedPictures: new Set(),
	};
}

/** Repeats until no note is left, since a note may refer to another note. */
function addNotes(body: DocxBody): void {
	for (let notes = body.notes.takeNotes(); notes.length > 0; notes = body.notes.takeNotes()) {
		for (const { number, elements } of notes) {
			const text = flatText(elements, body);
			body.outline.paragraph(text, { markdown: `[^${number}]: ${text}` });
		}
	}
	for (let comments = body.notes.takeComments(); comments.length > 0; comments = body.notes.takeComments()) {
		for (const { author, elements } of comments) {
			const text = flatText(elements, body);
			if (text !== "") body.outline.paragraph(author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`);
		}
	}
}

/** Adds each header and footer once, after the text, which they would interrupt. Those without letters, such as page numbers, are left out. */
function addHeadersAndFooters(body: DocxBody): void {
	const seen = new Set<string>();
	for (const { type, target, isExternal } of body.relations.values()) {
		if (isExternal || (type !== "header" && type !== "footer")) continue;
		const bodyOfPart: DocxBody = { ...body, relations: body.office.relations(target) };
		const text = flatText(elementsOf(body.office.partOnce(target)), bodyOfPart);
		if (!/\p{L}/u.test(text) || seen.has(text)) continue;
		seen.add(text);
		body.outline.paragraph(text);
	}
}
