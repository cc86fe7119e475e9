/** Reads XML: feeds, OPML, SVG and prose as such, anything else as fields and tables. Runs in the sandbox. */

import { type Engine, fail, type Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { createDataOutline } from "../data/data-outline.ts";
import { decodeText, looksBinary } from "../text/decode-text.ts";
import { paragraphsOf } from "../text/plain-text.ts";
import { streamXml } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import { addDrawing } from "./add-drawing.ts";
import { addFeed, type FeedMetadata, isFeed } from "./add-feed.ts";
import { addOpml } from "./add-opml.ts";
import { addProse, isProse } from "./add-prose.ts";
import { dataOfXml } from "./data-of-xml.ts";

const engine: Engine<Content, SandboxResult> = async (content) => {
	const bytes = content.text === null ? content.bytes : new TextEncoder().encode(content.text.replace(/^(\s*<\?xml[^>]*?)\sencoding=["'][^"']*["']/, "$1"));
	const roots: XmlElement[] = [];
	const { damage } = streamXml(bytes, null, (element) => {
		roots.push(element);
	});
	const outline = createOutline();
	const [first, ...others] = roots;
	// A fragment of a document has several roots.
	const root = first === undefined || others.length === 0 ? first : { name: "", attributes: {}, children: roots };
	const metadata = root === undefined ? {} : addRoot(root, outline);
	// Without any block the source itself is added: names of elements may say something, unless they are those of a drawing.
	if (outline.blocks.length === 0 && root?.name !== "svg") addSource(bytes, outline);
	const warnings: readonly Warning[] = damage === null ? [] : [{ code: "XML_BROKEN", message: damage.slice(0, 200) }];
	return { extraction: completeExtraction({ ...metadata, titles: [metadata.title], blocks: outline.blocks, type: "text" }), warnings };
};
export default engine;

function addRoot(root: XmlElement, outline: Outline): Partial<FeedMetadata> {
	if (isFeed(root)) return addFeed(root, outline);
	if (root.name === "svg") return addDrawing(root, outline);
	if (root.name === "opml") return addOpml(root, outline);
	if (isProse(root)) return addProse(root, outline);
	const data = createDataOutline(outline);
	data.add(dataOfXml(root));
	data.endParagraph();
	return {};
}

function addSource(bytes: Uint8Array, outline: Outline): void {
	const text = decodeText(bytes, null);
	if (text.trim() === "") throw fail("CONTENT_EMPTY");
	if (looksBinary(text)) throw fail("FILE_BROKEN", "its bytes are not text in any known encoding");
	for (const block of paragraphsOf(text)) outline.paragraph(block.text);
}
