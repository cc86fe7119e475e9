/** The result of an extractor: blocks of text, each with its place in the source. */

/** Where something is in its source. Only known properties are present. */
export interface Place {
	/** From 1. */
	readonly page?: number;
	/** Left, top, right, bottom in points from the page's top left corner; for an image, pixels. */
	readonly box?: readonly [number, number, number, number];
	/** From 1. */
	readonly slide?: number;
	readonly sheet?: string;
	/** From 1, counted as a spreadsheet shows it: the header is row 1. */
	readonly row?: number;
	/** Begin and end, in seconds from the start of the recording. */
	readonly seconds?: readonly [number, number];
	/** Begin and end, as character offsets in `Extraction.text`. */
	readonly span?: readonly [number, number];
	/** Of a chunk: the headings above its text, outermost first. */
	readonly headings?: readonly string[];
	/** Of a chunk: the caption of its table. */
	readonly caption?: string;
}

interface BlockBase {
	/** The readable text of this block alone, without markup. */
	readonly text: string;
	/** The headings above this block, outermost first; a heading does not contain itself. */
	readonly headings: readonly string[];
	readonly place: Place;
}

export type Block =
	| (BlockBase & { readonly kind: "heading" /** 1 to 6 */; readonly level: number })
	| (BlockBase & { readonly kind: "paragraph" })
	| (BlockBase & {
			readonly kind: "list-item" /** 0 is outermost */;
			readonly depth: number /** The number or letter before the item, such as `3.` or `b)`; absent for a bullet. */;
			readonly marker?: string;
	  })
	| (BlockBase & {
			readonly kind: "row";
			readonly cells: readonly string[];
			readonly header: readonly string[] /** the number of the table in the document, from 1 */;
			readonly table: number;
	  })
	| (BlockBase & { readonly kind: "code"; readonly language: string | null })
	| (BlockBase & { readonly kind: "caption" })
	| (BlockBase & { readonly kind: "cue"; readonly speaker: string | null });

export type BlockKind = Block["kind"];

/** A problem that did not stop the extraction. */
export interface Warning {
	readonly code: string;
	readonly message: string;
	readonly place?: Place;
}

/** Metadata that a source states about itself, such as its author. Only known properties are present. */
export interface About {
	readonly author?: string;
	/** A date, or a date and time, in ISO 8601. */
	readonly publishedAt?: string;
	/** The canonical URL that the source states; absolute. */
	readonly canonical?: string;
	/** The URL of a preview image; absolute. */
	readonly image?: string;
	readonly siteName?: string;
}

export interface Extraction {
	readonly blocks: readonly Block[];
	/** The whole content as readable Markdown. Clients get it as `content` for a file or a URL. */
	readonly text: string;
	readonly title: string | null;
	readonly description: string | null;
	/** A BCP 47 language tag, such as `en`; null if unknown. */
	readonly language: string | null;
	/** The kind of document, determined from the bytes. */
	readonly type: DocumentType;
	readonly about?: About;
}

/** The document types of the API. */
export const documentTypes = [
	"text",
	"pdf",
	"tweet",
	"google_doc",
	"google_slide",
	"google_sheet",
	"image",
	"video",
	"audio",
	"notion_doc",
	"webpage",
	"onedrive",
	"github_markdown",
	"granola",
] as const;
export type DocumentType = (typeof documentTypes)[number];
