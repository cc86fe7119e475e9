/** Reads Word documents: the text, then notes, comments, headers and footers. Runs in the sandbox. */

import { completeExtraction, type Engine, fail } from "cairn-memory";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline } from "../../blocks/outline.ts";
import { elementsOf } from "../../xml/xml-element.ts";
import { embeddedFiles } from "../embedded-files.ts";
import { mainPart, type OfficePackage, openPackage, readProperties, targetOf } from "../package.ts";
import { addElements, type DocxBody, flatText } from "./body.ts";
import { collectNotes } from "./notes.ts";
import { readNumbering } from "./numbering.ts";
import { readStyles } from "./styles.ts";

/** The outermost of these elements are streamed, so that a long document is never in memory as a whole. */
const blockElements = new Set(["p", "tbl", "sdt", "altChunk", "AlternateContent"]);

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	const path = mainPart(office, "word/document.xml");
	const body = beginBody(office, path);
	report({ done: 0, total: 1, unit: "part" });
	office.stream(path, blockElements, (element) => addElements([element], body));
	addNotes(body);
	addRunningHeads(body);
	report({ done: 1, total: 1, unit: "part" });

	const properties = readProperties(office);
	const { blocks } = body.outline;
	const [warn] = office.warnings;
	if (blocks.length === 0 && warn !== undefined) throw fail("FILE_BROKEN", warn.message);
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
		described: new Set(),
	};
}

/** Loops, since a note may refer to another note. */
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

/** Adds headers and footers, each once, behind the text, which they would interrupt. Mere page numbers are left out. */
function addRunningHeads(body: DocxBody): void {
	const said = new Set<string>();
	for (const { type, target, isExternal } of body.relations.values()) {
		if (isExternal || (type !== "header" && type !== "footer")) continue;
		const outlineOfPart: DocxBody = { ...body, relations: body.office.relations(target) };
		const text = flatText(elementsOf(body.office.partOnce(target)), outlineOfPart);
		if (!/\p{L}/u.test(text) || said.has(text)) continue;
		said.add(text);
		body.outline.paragraph(text);
	}
}
