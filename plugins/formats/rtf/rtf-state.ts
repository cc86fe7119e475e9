/** The state of the RTF parser: the current group, the current paragraph, the known fonts. */

import type { Script } from "../blocks/scripted-text.ts";
import type { Destination } from "./rtf-destinations.ts";
import type { Sink } from "./rtf-sink.ts";

/** State that a group inherits from its parent, and that ends with it. */
export interface Group {
	destination: Destination;
	isBold: boolean;
	isItalic: boolean;
	isHidden: boolean;
	script: Script | null;
	font: number;
	/** How many fallback characters follow each `\u` (`\uc`). */
	substitutes: number;
	address: string | null;
	sink: Sink;
}

export interface Paragraph {
	style: number;
	outlineLevel: number | null;
	depth: number;
	isInTable: boolean;
}

export interface Font {
	page: number | null;
	isSymbol: boolean;
	name: string;
}

/** Destinations whose paragraphs become blocks. */
export const formed: ReadonlySet<Destination> = new Set(["text", "head", "note", "comment", "box"]);

export const freshParagraph = (): Paragraph => ({ style: 0, outlineLevel: null, depth: 0, isInTable: false });
