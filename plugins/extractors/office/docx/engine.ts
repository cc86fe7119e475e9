/** Reads Word documents: the text as one reads it, then notes, comments, headers and footers. Runs in the sandbox. */

import { completeExtraction, type Engine, fail } from "cairn-memory";
import { createOutline } from "../../outline.ts";
import type { Reading } from "../../read-in-sandbox.ts";
import { elementsOf } from "../../xml-element.ts";
import { embeddedFiles } from "../embedded-files.ts";
import type { OfficeInput } from "../office-input.ts";
import { mainPart, type OfficePackage, openPackage, readProperties, targetOf } from "../package.ts";
import { collectNotes } from "./notes.ts";
import { readNumbering } from "./numbering.ts";
import { addElements, flatText, type Story } from "./story.ts";
import { readStyles } from "./styles.ts";

/** The outermost of these is handed over, one after the other: a long document is never in memory as a whole. */
const blockElements = new Set(["p", "tbl", "sdt", "altChunk", "AlternateContent"]);

const engine: Engine<OfficeInput, Reading> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	const path = mainPart(office, "word/document.xml");
	const story = beginStory(office, path);
	report({ done: 0, total: 1, unit: "part" });
	office.stream(path, blockElements, (element) => addElements([element], story));
	addNotes(story);
	addRunningHeads(story);
	report({ done: 1, total: 1, unit: "part" });

	const properties = readProperties(office);
	const { blocks } = story.outline;
	const [remark] = office.remarks;
	if (blocks.length === 0 && remark !== undefined) throw fail("FILE_BROKEN", remark.message);
	const firstHeading = blocks.find(({ kind }) => kind === "heading");
	const extraction = completeExtraction({
		blocks,
		titles: [...story.titles, properties.title, firstHeading?.text],
		description: properties.description,
		language: properties.language ?? story.styles.language,
		type: "text",
	});
	const members = embeddedFiles(office);
	return { extraction, remarks: office.remarks, members };
};
export default engine;

function beginStory(office: OfficePackage, path: string): Story {
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

/** A note may hold a mark of another note. */
function addNotes(story: Story): void {
	for (let notes = story.notes.takeNotes(); notes.length > 0; notes = story.notes.takeNotes()) {
		for (const { number, elements } of notes) {
			const text = flatText(elements, story);
			story.outline.paragraph(text, { markdown: `[^${number}]: ${text}` });
		}
	}
	for (let comments = story.notes.takeComments(); comments.length > 0; comments = story.notes.takeComments()) {
		for (const { author, elements } of comments) {
			const text = flatText(elements, story);
			if (text !== "") story.outline.paragraph(author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`);
		}
	}
}

/** Headers and footers, each once, behind the text that they would cut to pieces. Page numbers alone say nothing. */
function addRunningHeads(story: Story): void {
	const said = new Set<string>();
	for (const { type, target, isExternal } of story.relations.values()) {
		if (isExternal || (type !== "header" && type !== "footer")) continue;
		const outlineOfPart: Story = { ...story, relations: story.office.relations(target) };
		const text = flatText(elementsOf(story.office.partOnce(target)), outlineOfPart);
		if (!/\p{L}/u.test(text) || said.has(text)) continue;
		said.add(text);
		story.outline.paragraph(text);
	}
}
