/** Reads presentations: slide after slide in the order they are shown. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline } from "../../blocks/outline.ts";
import { attributeOf, elementByPath, elementsOf, prefixedAttribute } from "../../xml/xml-element.ts";
import { embeddedFiles } from "../embedded-files.ts";
import { mainPart, openPackage, readProperties } from "../package.ts";
import { addBesideSlide, readAuthors } from "./beside-slide.ts";
import { type Placeholders, readPlaceholders } from "./placeholders.ts";
import { collectRunningHeads } from "./running-heads.ts";
import { addSlide } from "./slide.ts";

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const office = openPackage(bytes);
	const path = mainPart(office, "ppt/presentation.xml");
	const relations = office.relations(path);
	const slides = elementsOf(elementByPath(office.part(path), "sldIdLst"), "sldId").map((slide) => relations.get(prefixedAttribute(slide, "id") ?? ""));
	const authors = readAuthors(office, path);
	const outline = createOutline();
	const layouts = new Map<string, Placeholders>();
	/** Paths of the slides already read: a slide is read once, however often it is listed. */
	const readSlides = new Set<string>();
	const runningHeads = collectRunningHeads();
	let firstTitle: string | null = null;
	for (const [index, relation] of slides.entries()) {
		const place = { slide: index + 1 };
		const target = relation === undefined || relation.isExternal || readSlides.has(relation.target) ? null : relation.target;
		const slide = office.part(target);
		if (target === null || slide === null) {
			office.warnings.push({ code: "SLIDE_MISSING", message: `slide ${index + 1} could not be read`, place });
			continue;
		}
		readSlides.add(target);
		const walk = { office, relations: office.relations(target), placeholders: readPlaceholders(office, target, layouts), outline, place };
		const title = addSlide(slide, attributeOf(slide, "show") === "0" || attributeOf(slide, "show") === "false", walk);
		firstTitle ??= title;
		addBesideSlide(authors, walk);
		runningHeads.collect(slide, walk);
		report({ done: index + 1, total: slides.length, unit: "slide" });
	}
	for (const text of runningHeads.texts()) outline.paragraph(text);
	if (outline.blocks.length === 0 && office.warnings.length > 0) throw fail("FILE_BROKEN", "none of its slides could be read");
	const { title, description, language } = readProperties(office);
	const attachments = embeddedFiles(office);
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [title, firstTitle], description, language, type: "text" }),
		warnings: office.warnings,
		attachments,
	};
};
export default engine;
