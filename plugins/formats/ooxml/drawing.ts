/** The text of a drawing: descriptions of its pictures, and the texts of a diagram. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { attributeOf, elementAt, elementsOf, isXmlElement, outermost, textOf, type XmlElement } from "../xml/xml-element.ts";

/** The note that Office adds to generated descriptions. */
const generatorsNote =
	/(?:\s*(?:description|image description) automatically generated(?: with \w+ confidence)?|\s*AI-generated content may be incorrect\.?)\s*$/i;

/** Default values in place of a description: a file name, or the kind of object. */
const mereName =
	/^(?:\S+\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|svg|webp|heic|eps|ico)|(?:picture|image|photo|graphic|object|shape|grafik|bild|imagen|immagine|afbeelding|obraz|рисунок|图片|図|그림)\s*\d*)$/iu;

/** Descriptions of pictures, each once. Text boxes are left out, since their text is read. */
export function alternativeTexts(drawing: XmlElement): readonly string[] {
	const found = new Set<string>();
	const visit = (element: XmlElement) => {
		const written = element.name === "docPr" || element.name === "cNvPr" ? attributeOf(element, "descr") : vmlDescription(element);
		const text = (written ?? "").replace(/\s+/g, " ").replace(generatorsNote, "").trim();
		if (text !== "" && !mereName.test(text)) found.add(text);
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
	const [points] = outermost(diagram, "ptLst");
	for (const point of elementsOf(points ?? null, "pt")) {
		const text = elementsOf(elementAt(point, "t"), "p").map((paragraph) => [...outermost(paragraph, "t")].map(textOf).join(""));
		outline.item(0, text.join("\n").trim(), { place });
	}
}
