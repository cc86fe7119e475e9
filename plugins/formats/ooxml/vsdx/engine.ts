/** Reads Visio drawings since 2013: the text of the shapes, page after page. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline, type Outline } from "../../blocks/outline.ts";
import { attributeOf, elementByPath, elementsOf, prefixedAttribute, textOf, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import { embeddedFiles } from "../embedded-files.ts";
import { mainPart, openPackage, readProperties, targetOf } from "../package.ts";

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const pkg = openPackage(bytes);
	const list = targetOf(pkg.relationships(mainPart(pkg, "visio/document.xml")), "pages") ?? "visio/pages/pages.xml";
	const relationships = pkg.relationships(list);
	const pages = elementsOf(pkg.part(list), "Page");
	const outline = createOutline();
	for (const [index, page] of pages.entries()) {
		const relationship = relationships.get(prefixedAttribute(elementByPath(page, "Rel") ?? page, "id") ?? "");
		const content = relationship === undefined || relationship.isExternal ? null : pkg.partOnce(relationship.target);
		if (content !== null) addPage(content, attributeOf(page, "Name") ?? "", index + 1, outline);
		report({ done: index + 1, total: pages.length, unit: "page" });
	}
	if (outline.blocks.length === 0 && pkg.warnings.length > 0) throw fail("FILE_BROKEN", "none of its pages could be read");
	const { title, description, language } = readProperties(pkg);
	const attachments = embeddedFiles(pkg);
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [title], description, language, type: "text" }),
		warnings: pkg.warnings,
		attachments,
	};
};
export default engine;

/** A page without text is left out, its name too: names such as "Page-1" alone say nothing. */
function addPage(content: XmlElement, name: string, page: number, outline: Outline): void {
	const place = { page };
	const texts = [...topmostDescendants(content, "Text")].map((text) => textOf(text).trim()).filter((text) => text !== "");
	if (texts.length === 0) return;
	outline.heading(1, name.replace(/\s+/g, " ").trim(), { place });
	for (const text of texts) outline.paragraph(text, { place });
}
