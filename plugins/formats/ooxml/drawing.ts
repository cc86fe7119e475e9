/** The text of a drawing: descriptions of its pictures, and the texts of a diagram. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { attributeOf, elementByPath, elementsOf, isXmlElement, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";

/** The note that Office adds to generated descriptions. */
const generatedNote =
	/(?:\s*(?:description|image description) automatically generated(?: with \w+ confidence)?|\s*AI-generated content may be incorrect\.?)\s*$/i;

/** Default values in place of a description: a file name, or the kind of object. */
const placeholderDescription =
	/^(?:\S+\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|svg|webp|heic|eps|ico)|(?:picture|image|photo|graphic|object|shape|grafik|bild|imagen|immagine|afbeelding|obraz|рисунок|图片|図|그림)\s*\d*)$/iu;

/** The descriptions (alternative texts) of pictures, without duplicates. Text boxes are skipped, since their own text is read. */
export function alternativeTexts(drawing: XmlElement): readonly string[] {
	const found = new Set<string>();
	const visit = (element: XmlElement) => {
		const raw = element.name === "docPr" || element.name === "cNvPr" ? attributeOf(element, "descr") : vmlDescription(element);
		const text = (raw ?? "").replace(/\s+/g, " ").replace(generatedNote, "").trim();
		if (text !== "" && !placeholderDescription.test(text)) found.add(text);
		for (const child of element.children) if (isXmlElement(child) && child.name !== "txbxContent" && child.name !== "Fallback") visit(child);
	};
	visit(drawing);
	return [...found];
}

function vmlDescription(element: XmlElement): string | null {
	return element.name === "shape" || element.name === "rect" ? attributeOf(element, "alt") : null;
}

/** The points of a SmartArt diagram, in the order of the file. */
export function addDiagram(diagram: XmlElement | null, outline: Outline, place: Place = {}): void {
	if (diagram === null) return;
	const [points] = topmostDescendants(diagram, "ptLst");
	for (const point of elementsOf(points ?? null, "pt")) {
		const text = elementsOf(elementByPath(point, "t"), "p").map((paragraph) => [...topmostDescendants(paragraph, "t")].map(textOf).join(""));
		outline.item(0, text.join("\n").trim(), { place });
	}
}
