/** Reads OpenDocument texts, spreadsheets and presentations. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction, createExtractionWriter, type DraftFacts } from "cairn-memory/words";
import type { BytesInput, PackedSandboxResult, SandboxResult } from "../blocks/content.ts";
import { createLongOutline, createOutline } from "../blocks/outline.ts";
import { type OfficePackage, openPackage } from "../ooxml/package.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { addElements, flatText, type OdfContext } from "./body.ts";
import { addSheets } from "./sheets.ts";
import { addSlides } from "./slides.ts";
import { addStyles, createStyles } from "./styles.ts";

const engine: Engine<BytesInput, SandboxResult | PackedSandboxResult> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	refuseEncrypted(office);
	if (!office.zip.has("content.xml")) throw fail("FILE_BROKEN", "it has no part content.xml");
	const styles = createStyles();
	const shared = office.part("styles.xml");
	addStyles(shared, styles);
	const writer = kindOf(office) === "spreadsheet" ? createExtractionWriter() : null;
	const outline = writer === null ? createOutline() : createLongOutline(writer);
	const context: OdfContext = { office, styles, outline, place: {}, notes: [], titles: [], counts: new Map() };

	if (writer !== null) addSheets(context, report);
	else {
		const content = office.part("content.xml");
		addStyles(elementByPath(content, "automatic-styles"), styles);
		const [body = null] = elementsOf(elementByPath(content, "body"));
		if (body?.name === "presentation") addSlides(body, context, report);
		else addElements(elementsOf(body), context);
		addNotes(context);
		if (body?.name === "text") addRunningHeads(shared, context);
		if (body?.name === "presentation") addSlideHeads(body, context);
	}
	demandText(context);
	const facts = factsOf(context, shared);
	if (writer === null) return { extraction: completeExtraction({ blocks: outline.blocks, ...facts }), warnings: office.warnings };
	return { extraction: writer.complete(facts), warnings: [...writer.warnings(), ...office.warnings] };
};
export default engine;

function kindOf(office: OfficePackage): string {
	const type = new TextDecoder().decode(office.zip.read("mimetype") ?? new Uint8Array());
	return /opendocument\.(\w+)/.exec(type)?.[1] ?? "text";
}

/** Parts are encrypted one by one, which the manifest declares. */
function refuseEncrypted(office: OfficePackage): void {
	const manifest = office.part("META-INF/manifest.xml");
	if (manifest !== null && !topmostDescendants(manifest, "encryption-data").next().done) throw fail("FILE_ENCRYPTED");
}

/** Loops, since a note may contain another note. */
function addNotes(context: OdfContext): void {
	for (let index = 0; index < context.notes.length; index++) {
		const text = flatText(elementsOf(elementByPath(context.notes[index] ?? null, "note-body")), context);
		context.outline.paragraph(text, { markdown: `[^${index + 1}]: ${text}` });
	}
}

/** Adds headers and footers, each once, behind the text, which they would interrupt. */
function addRunningHeads(shared: XmlElement | null, context: OdfContext): void {
	const said = new Set<string>();
	for (const page of elementsOf(elementByPath(shared, "master-styles"), "master-page")) {
		for (const head of elementsOf(page, "header", "header-first", "header-left", "footer", "footer-first", "footer-left")) {
			const text = flatText(elementsOf(head), context);
			if (!/\p{L}/u.test(text) || said.has(text)) continue;
			said.add(text);
			context.outline.paragraph(text);
		}
	}
}

/** Adds the headers and footers that slides refer to, each once. */
function addSlideHeads(body: XmlElement, context: OdfContext): void {
	const words = elementsOf(body, "header-decl", "footer-decl").map((declared) => textOf(declared).replace(/\s+/g, " ").trim());
	for (const text of new Set(words)) if (/\p{L}/u.test(text)) context.outline.paragraph(text);
}

/** Refuses a document without text; sheet names alone do not count. */
function demandText({ outline, office }: OdfContext): void {
	if (outline.blocks.some(({ kind, place }) => kind !== "heading" || place.sheet === undefined)) return;
	const [warn] = office.warnings;
	throw warn === undefined ? fail("CONTENT_EMPTY") : fail("FILE_BROKEN", warn.message);
}

function factsOf({ office, outline, titles }: OdfContext, shared: XmlElement | null): DraftFacts {
	const meta = elementByPath(office.part("meta.xml"), "meta");
	const say = (name: string) => textOf(elementByPath(meta, name)).trim() || null;
	const isSheet = outline.blocks.some(({ place }) => place.sheet !== undefined);
	const heading = isSheet ? undefined : outline.blocks.find(({ kind }) => kind === "heading");
	return {
		titles: [say("title"), titles[0], heading?.text],
		description: say("description"),
		language: say("language") ?? defaultLanguage(shared),
		type: "text",
	};
}

function defaultLanguage(shared: XmlElement | null): string | null {
	for (const style of elementsOf(elementByPath(shared, "styles"), "default-style")) {
		const text = elementByPath(style, "text-properties");
		const [language, country] = [attributeOf(text, "language"), attributeOf(text, "country")];
		if (language !== null && language !== "none") return country === null || country === "none" ? language : `${language}-${country}`;
	}
	return null;
}
