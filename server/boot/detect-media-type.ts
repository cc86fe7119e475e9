/** What a file is, by its content; its name and the client's claim only decide among kinds of text. */

import { fileTypeFromBuffer } from "file-type";
import { type MediaType, parseMediaType } from "../../core/model/media-type.ts";
import { isChatLog } from "./chat-rules.ts";
import { codeEndings, codeTypeOf } from "./code-types.ts";
import { oleType, zipType } from "./container-type.ts";
import { detectTextType } from "./detect-text-type.ts";
import { headText } from "./head-text.ts";
import { isHtmlFragment, typeByMark } from "./text-rules.ts";

export interface Unknown {
	/** The beginning of the bytes, at least 4,100 of them where there are as many. */
	readonly head: Uint8Array;
	readonly fileName: string | null;
	/** What the client or the server that it came from says it is. */
	readonly claimed: MediaType | null;
}

/** Endings of text files that no mark tells apart. Others with text inside are programs, see code-types.ts, or settings: plain. */
const textEndings: Readonly<Record<string, MediaType>> = {
	md: "text/markdown",
	markdown: "text/markdown",
	mdx: "text/markdown",
	csv: "text/csv",
	tsv: "text/tab-separated-values",
	tab: "text/tab-separated-values",
	html: "text/html",
	htm: "text/html",
	xhtml: "application/xhtml+xml",
	xml: "text/xml",
	xsd: "text/xml",
	xsl: "text/xml",
	rss: "text/xml",
	atom: "text/xml",
	opml: "text/xml",
	json: "application/json",
	jsonl: "application/x-ndjson",
	ndjson: "application/x-ndjson",
	jsonc: "application/json",
	geojson: "application/json",
	ipynb: "application/x-ipynb+json",
	eml: "message/rfc822",
	mbox: "application/mbox",
	srt: "application/x-subrip",
	vtt: "text/vtt",
	ass: "text/x-ssa",
	ssa: "text/x-ssa",
	ttml: "application/ttml+xml",
	dfxp: "application/ttml+xml",
	sbv: "text/x-sbv",
	lrc: "text/x-lrc",
	ics: "text/calendar",
	vcf: "text/vcard",
	rtf: "application/rtf",
};

/** Endings that say no more than "text". */
const openEndings: ReadonlySet<string> = new Set(["", "txt", "text"]);

/** Claims that say no more than "a file" or "text", whatever it is. */
const openClaims: ReadonlySet<string> = new Set(["text/plain", "text/x-markdown", "application/octet-stream"]);

/** What JSON may be, when its name says so. */
const jsonTypes: ReadonlySet<string> = new Set(["application/x-ndjson", "application/x-ipynb+json"]);

/** Types beside `text/*` whose content is text, so that a claim of them may be believed. */
const textTypes: ReadonlySet<string> = new Set(Object.values(textEndings));

/** Formats that a file of nothing but letters can be; every other signature that letters happen to spell is a coincidence. */
const spelledFormats: ReadonlySet<string> = new Set([
	"application/pdf",
	"application/rtf",
	"application/postscript",
	"text/calendar",
	"text/vcard",
	"text/vtt",
]);

/** One name for each type. */
const aliases: Readonly<Record<string, MediaType>> = {
	"image/apng": "image/png",
	"audio/x-m4a": "audio/mp4",
	"audio/x-wav": "audio/wav",
	"application/ogg": "audio/ogg",
	"audio/vnd.wave": "audio/wav",
	"video/x-m4v": "video/mp4",
	"video/matroska": "video/x-matroska",
	"audio/matroska": "audio/x-matroska",
	"video/vnd.avi": "video/x-msvideo",
	"application/xml": "text/xml",
	"text/x-markdown": "text/markdown",
	"application/rss+xml": "text/xml",
	"application/atom+xml": "text/xml",
	"text/javascript": "text/x-javascript",
	"application/javascript": "text/x-javascript",
	"application/typescript": "text/x-typescript",
	"application/x-sh": "text/x-bash",
	"application/sql": "text/x-sql",
	"text/css": "text/x-css",
};

export async function detectMediaType({ head, fileName, claimed }: Unknown): Promise<MediaType> {
	const ending = endingOf(fileName);
	if (isPdf(head)) return "application/pdf";
	const text = headText(head);
	const signed = await signature(head);
	if (signed !== null && (text === null || spelledFormats.has(signed) || !isSpelled(head))) return refine(signed, head, ending);
	return text === null ? "application/octet-stream" : textType(text, ending, claimed);
}

/** Marks in the text, then the name, then the claim, then how it looks. */
function textType(text: string, ending: string, claimed: MediaType | null): MediaType {
	const marked = typeByMark(text);
	const named = textEndings[ending] ?? codeEndings.get(ending);
	// One JSON value a line begins like JSON, and so do notebooks: there the name knows more.
	if (marked !== null && !(marked === "application/json" && named !== undefined && jsonTypes.has(named))) return marked;
	if (named !== undefined) return named;
	const said = claimed === null ? null : (aliases[claimed] ?? claimed);
	if (said !== null && !openClaims.has(said) && (said.startsWith("text/") || textTypes.has(said))) return said;
	if (!openEndings.has(ending)) return "text/plain";
	return codeTypeOf(text) ?? (isHtmlFragment(text) && !isChatLog(text) ? "text/html" : detectTextType(text));
}

async function signature(head: Uint8Array): Promise<MediaType | null> {
	// Its page table lies behind the pictures, too far for the library when it sees the beginning only.
	if (startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])) return "image/tiff";
	const isZip = startsWith(head, [0x50, 0x4b, 0x03, 0x04]);
	try {
		const found = await fileTypeFromBuffer(head);
		return found === undefined ? (isZip ? "application/zip" : null) : parseMediaType(found.mime);
	} catch {
		return isZip ? "application/zip" : null; // a head that is cut or lies about its lengths
	}
}

function refine(signed: MediaType, head: Uint8Array, ending: string): MediaType {
	if (signed === "application/zip") return zipType(head, ending);
	if (signed === "application/x-cfb") return oleType(head, ending);
	if (signed === "video/mp4" && (ending === "m4a" || ending === "m4b")) return "audio/mp4";
	return aliases[signed] ?? signed;
}

/** Whether the first bytes could be letters: `BM`, `MZ`, `ID3` and `GIF89a` are also how words begin. */
function isSpelled(head: Uint8Array): boolean {
	return head.subarray(0, 16).every((byte) => byte >= 0x09);
}

/** Readers take a PDF with up to 1,024 bytes of anything before it; prose about PDF does not go on with an object. */
function isPdf(head: Uint8Array): boolean {
	const start = new TextDecoder("latin1").decode(head.subarray(0, 2048));
	const at = start.search(/(?<=^|[\r\n\0])%PDF-\d\.\d/);
	return at === 0 || (at > 0 && at < 1024 && /\d+ \d+ obj\b/.test(start.slice(at)));
}

function startsWith(head: Uint8Array, mark: readonly number[]): boolean {
	return mark.every((byte, index) => head[index] === byte);
}

function endingOf(fileName: string | null): string {
	return /[^./\\]\.([A-Za-z0-9]{1,10})$/.exec(fileName?.trim() ?? "")?.[1]?.toLowerCase() ?? "";
}
