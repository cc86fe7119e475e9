/** What an extractor finds: blocks of text, each with its place in the source. */

/** Where something stands in its source. Only what is known is present. */
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
	/** Seconds from the start: begin and end. */
	readonly seconds?: readonly [number, number];
	/** Character offsets into `Extraction.text`: begin and end. */
	readonly span?: readonly [number, number];
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
			readonly depth: number /** What the source has before the item, `3.` or `b)` say; absent where it is a mere dot or dash. */;
			readonly marker?: string;
	  })
	| (BlockBase & {
			readonly kind: "row";
			readonly cells: readonly string[];
			readonly header: readonly string[] /** counts the tables of a document, from 1 */;
			readonly table: number;
	  })
	| (BlockBase & { readonly kind: "code"; readonly language: string | null })
	| (BlockBase & { readonly kind: "caption" })
	| (BlockBase & { readonly kind: "cue"; readonly speaker: string | null });

export type BlockKind = Block["kind"];

/** Something odd that did not stop the extraction. */
export interface Warning {
	readonly code: string;
	readonly message: string;
	readonly place?: Place;
}

/** What a source says about itself besides its words. Only what is known is present. */
export interface About {
	readonly author?: string;
	/** A day or an instant, as ISO 8601 writes them. */
	readonly publishedAt?: string;
	/** The address that the source calls its own; absolute. */
	readonly canonical?: string;
	/** A picture that stands for it; absolute. */
	readonly image?: string;
	readonly siteName?: string;
}

export interface Extraction {
	readonly blocks: readonly Block[];
	/** The whole content as readable Markdown; what `content` shows for a file or an address. */
	readonly text: string;
	readonly title: string | null;
	readonly description: string | null;
	/** BCP 47, `en` say; null when unknown. */
	readonly language: string | null;
	/** What kind of document the bytes turned out to be. */
	readonly type: DocumentType;
	readonly about?: About;
}

/** The type labels of the wire contract. */
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
