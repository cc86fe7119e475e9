/** Reads a paragraph of OpenDocument: pieces of text, and anchored objects (drawings, notes, comments). */

import type { RenderedFormula } from "../blocks/formula.ts";
import { formulaPiece, isExternalUrl, type Piece } from "../blocks/inline-text.ts";
import { attributeOf, elementByPath, elementsOf, isXmlElement, numberOf, textOf, type XmlElement } from "../xml/xml-element.ts";
import type { Styles } from "./styles.ts";

export interface Paragraph {
	readonly pieces: readonly Piece[];
	readonly drawings: readonly XmlElement[];
	readonly comments: readonly XmlElement[];
}

/** The names of drawing elements, which are anchored in the text but not part of it. */
export const drawingElements: ReadonlySet<string> = new Set(
	"frame custom-shape rect ellipse circle line connector polygon polyline path caption g a3d".split(" "),
);
/** Elements without text of the paragraph: bookmarks, deletions. */
const ignored: ReadonlySet<string> = new Set(
	"bookmark bookmark-start bookmark-end soft-page-break annotation-end change change-start change-end tracked-changes event-listeners note-citation number toc-mark ruby-text".split(
		" ",
	),
);
/** Limits the number of spaces that a `text:s` element may stand for. */
const spacesMax = 100;

export interface ParagraphReader {
	/** Queues a note and returns its reference mark for the text. */
	readonly noteMark: (note: XmlElement) => string;
	/** The formula in a frame; null if it contains something else. */
	readonly formulaIn: (frame: XmlElement) => RenderedFormula | null;
}

export function readParagraph(paragraph: XmlElement, styles: Styles, { noteMark, formulaIn }: ParagraphReader): Paragraph {
	const pieces: Piece[] = [];
	const drawings: XmlElement[] = [];
	const comments: XmlElement[] = [];
	const walk = (element: XmlElement, formatting: Omit<Piece, "text">): void => {
		for (const child of element.children) {
			if (!isXmlElement(child)) pieces.push({ ...formatting, text: child.replace(/\s+/g, " ") });
			else if (child.name === "s") pieces.push({ text: " ".repeat(Math.min(numberOf(child, "c", 1), spacesMax)) });
			else if (child.name === "tab") pieces.push({ text: "\t" });
			else if (child.name === "line-break") pieces.push({ text: "\n" });
			else if (child.name === "note") pieces.push({ text: noteMark(child) });
			else if (child.name === "annotation") comments.push(child);
			else if (drawingElements.has(child.name)) addDrawing(child);
			else if (child.name === "a") walk(child, { ...formatting, url: linkUrl(child) });
			else if (child.name === "span") walkSpan(child, formatting);
			else if (!ignored.has(child.name)) walk(child, formatting);
		}
	};
	/** Adds a drawing. A formula that is anchored as a character becomes part of the text. */
	const addDrawing = (drawing: XmlElement): void => {
		const formula = attributeOf(drawing, "anchor-type") === "as-char" ? formulaIn(drawing) : null;
		if (formula === null) drawings.push(drawing);
		else pieces.push(formulaPiece({ ...formula, isDisplay: false }));
	};
	const walkSpan = (span: XmlElement, formatting: Omit<Piece, "text">): void => {
		const style = attributeOf(span, "style-name");
		if (styles.isHidden(style)) return;
		const { isBold, isItalic, script } = styles.emphasis(style);
		walk(span, {
			...formatting,
			isBold: isBold || (formatting.isBold ?? false),
			isItalic: isItalic || (formatting.isItalic ?? false),
			script: script ?? formatting.script ?? null,
		});
	};
	walk(paragraph, {});
	return { pieces, drawings, comments };
}

function linkUrl(element: XmlElement): string | null {
	const url = attributeOf(element, "href") ?? "";
	return isExternalUrl(url) ? url : null;
}

/** The text of a comment with its author. */
export function commentText(comment: XmlElement): string {
	const author = textOf(elementByPath(comment, "creator")).trim();
	const lines = elementsOf(comment, "p", "list").map((line) => textOf(line).replace(/\s+/g, " ").trim());
	const text = lines.filter((line) => line !== "").join("\n");
	if (text === "") return "";
	return author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`;
}
