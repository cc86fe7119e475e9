/** The state of the RTF parser: the current group, the current paragraph, the known fonts. */

import type { Script } from "../blocks/scripted-text.ts";
import type { Destination } from "./rtf-destinations.ts";
import type { Sink } from "./rtf-sink.ts";

/** State that a group inherits from its parent, and that is restored at the end of the group. */
export interface Group {
	destination: Destination;
	isBold: boolean;
	isItalic: boolean;
	isHidden: boolean;
	script: Script | null;
	font: number;
	/** How many fallback characters follow each `\u` escape; set by `\uc`. */
	substitutes: number;
	url: string | null;
	sink: Sink;
}

export interface Paragraph {
	style: number;
	outlineLevel: number | null;
	depth: number;
	isInTable: boolean;
}

export interface Font {
	codePage: number | null;
	isSymbol: boolean;
	name: string;
}

/** Destinations whose paragraphs become blocks. */
export const textDestinations: ReadonlySet<Destination> = new Set(["text", "page-header", "note", "comment", "box"]);

export const newParagraph = (): Paragraph => ({ style: 0, outlineLevel: null, depth: 0, isInTable: false });
