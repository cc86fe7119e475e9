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
	const pkg = openPackage(bytes);
	const path = mainPart(pkg, "ppt/presentation.xml");
	const relationships = pkg.relationships(path);
	const slides = elementsOf(elementByPath(pkg.part(path), "sldIdLst"), "sldId").map((slide) => relationships.get(prefixedAttribute(slide, "id") ?? ""));
	const authors = readAuthors(pkg, path);
	const outline = createOutline();
	const layouts = new Map<string, Placeholders>();
	/** Paths of the slides already read: a slide is read once, however often it is listed. */
	const readSlides = new Set<string>();
	const runningHeads = collectRunningHeads();
	let firstTitle: string | null = null;
	for (const [index, relationship] of slides.entries()) {
		const place = { slide: index + 1 };
		const target = relationship === undefined || relationship.isExternal || readSlides.has(relationship.target) ? null : relationship.target;
		const slide = pkg.part(target);
		if (target === null || slide === null) {
			pkg.warnings.push({ code: "SLIDE_MISSING", message: `slide ${index + 1} could not be read`, place });
			continue;
		}
		readSlides.add(target);
		const walk = { pkg, relationships: pkg.relationships(target), placeholders: readPlaceholders(pkg, target, layouts), outline, place };
		const title = addSlide(slide, attributeOf(slide, "show") === "0" || attributeOf(slide, "show") === "false", walk);
		firstTitle ??= title;
		addBesideSlide(authors, walk);
		runningHeads.collect(slide, walk);
		report({ done: index + 1, total: slides.length, unit: "slide" });
	}
	for (const text of runningHeads.texts()) outline.paragraph(text);
	if (outline.blocks.length === 0 && pkg.warnings.length > 0) throw fail("FILE_BROKEN", "none of its slides could be read");
	const { title, description, language } = readProperties(pkg);
	const attachments = embeddedFiles(pkg);
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [title, firstTitle], description, language, type: "text" }),
		warnings: pkg.warnings,
		attachments,
	};
};
export default engine;
