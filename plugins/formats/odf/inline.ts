/** A paragraph of OpenDocument → pieces of text, and anchored objects: drawings, notes, comments. */

import type { RenderedFormula } from "../blocks/formula.ts";
import { formulaPiece, isExternalUrl, type Piece } from "../blocks/inline-text.ts";
import { attributeOf, elementByPath, elementsOf, isXmlElement, numberOf, textOf, type XmlElement } from "../xml/xml-element.ts";
import type { Styles } from "./styles.ts";

export interface Paragraph {
	readonly pieces: readonly Piece[];
	readonly drawings: readonly XmlElement[];
	readonly comments: readonly XmlElement[];
}

/** Elements of drawings, which are anchored in the text but not part of it. */
export const drawingElements: ReadonlySet<string> = new Set(
	"frame custom-shape rect ellipse circle line connector polygon polyline path caption g a3d".split(" "),
);
/** Elements without text to read: bookmarks, deletions. */
const ignored: ReadonlySet<string> = new Set(
	"bookmark bookmark-start bookmark-end soft-page-break annotation-end change change-start change-end tracked-changes event-listeners note-citation number toc-mark ruby-text".split(
		" ",
	),
);
/** `text:s` may claim any number of blanks. */
const blanksMax = 100;

export interface ParagraphReader {
	/** The note's mark in the text. */
	readonly noteMark: (note: XmlElement) => string;
	/** The formula in a frame; null when it contains something else. */
	readonly formulaIn: (frame: XmlElement) => RenderedFormula | null;
}

export function readParagraph(paragraph: XmlElement, styles: Styles, { noteMark, formulaIn }: ParagraphReader): Paragraph {
	const pieces: Piece[] = [];
	const drawings: XmlElement[] = [];
	const comments: XmlElement[] = [];
	const walk = (element: XmlElement, marks: Omit<Piece, "text">): void => {
		for (const child of element.children) {
			if (!isXmlElement(child)) pieces.push({ ...marks, text: child.replace(/\s+/g, " ") });
			else if (child.name === "s") pieces.push({ text: " ".repeat(Math.min(numberOf(child, "c", 1), blanksMax)) });
			else if (child.name === "tab") pieces.push({ text: "\t" });
			else if (child.name === "line-break") pieces.push({ text: "\n" });
			else if (child.name === "note") pieces.push({ text: noteMark(child) });
			else if (child.name === "annotation") comments.push(child);
			else if (drawingElements.has(child.name)) addDrawing(child);
			else if (child.name === "a") walk(child, { ...marks, url: linkOf(child) });
			else if (child.name === "span") walkSpan(child, marks);
			else if (!ignored.has(child.name)) walk(child, marks);
		}
	};
	/** A formula anchored as a character is part of the text. */
	const addDrawing = (drawing: XmlElement): void => {
		const formula = attributeOf(drawing, "anchor-type") === "as-char" ? formulaIn(drawing) : null;
		if (formula === null) drawings.push(drawing);
		else pieces.push(formulaPiece({ ...formula, isDisplay: false }));
	};
	const walkSpan = (span: XmlElement, marks: Omit<Piece, "text">): void => {
		const style = attributeOf(span, "style-name");
		if (styles.isHidden(style)) return;
		const { isBold, isItalic, script } = styles.emphasis(style);
		walk(span, {
			...marks,
			isBold: isBold || (marks.isBold ?? false),
			isItalic: isItalic || (marks.isItalic ?? false),
			script: script ?? marks.script ?? null,
		});
	};
	walk(paragraph, {});
	return { pieces, drawings, comments };
}

function linkOf(element: XmlElement): string | null {
	const address = attributeOf(element, "href") ?? "";
	return isExternalUrl(address) ? address : null;
}

/** A comment with its author. */
export function commentText(comment: XmlElement): string {
	const author = textOf(elementByPath(comment, "creator")).trim();
	const lines = elementsOf(comment, "p", "list").map((line) => textOf(line).replace(/\s+/g, " ").trim());
	const words = lines.filter((line) => line !== "").join("\n");
	if (words === "") return "";
	return author === "" ? `Comment: ${words}` : `Comment by ${author}: ${words}`;
}
