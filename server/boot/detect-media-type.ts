/** What a file is, by its content; its name and the client's claim only decide among kinds of text. Plugins add to it, see media-types.ts. */

import { fileTypeFromBuffer } from "file-type";
import { type MediaType, parseMediaType } from "../../core/model/media-type.ts";
import { isChatLog } from "./chat-rules.ts";
import { codeEndings, codeTypeOf } from "./code-types.ts";
import { detectTextType } from "./detect-text-type.ts";
import { oleType } from "./formats/ole-type.ts";
import { ownSignature } from "./formats/own-signature.ts";
import { zipType } from "./formats/zip-type.ts";
import { headText } from "./head-text.ts";
import { isHtmlFragment, typeByMark } from "./text-rules.ts";
import { turnsBinary } from "./turns-binary.ts";

export interface Unknown {
	readonly bytes: Uint8Array;
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

/** The beginning tells what it is; reading on would tell no more. */
const headBytes = 8_192;

/** Formats that a file of nothing but letters can be; every other signature that letters happen to spell is a coincidence. */
const spelledFormats: ReadonlySet<string> = new Set([
	"application/pdf",
	"application/rtf",
	"application/postscript",
	"application/fits",
	"application/x-matlab-data",
	"application/x-ebcdic",
	"application/x-bplist",
	"application/x-webarchive",
	"image/x-portable-pixmap",
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

/** What the bytes and the name show, before any plugin is asked. */
export interface Shown {
	readonly type: MediaType;
	/** The bytes say it, and say no more than one format does: neither "a ZIP" nor "XML", and no name was needed. */
	readonly isSure: boolean;
}

/** Types of bytes that may be packed or written so for any format. */
const openTypes: ReadonlySet<string> = new Set([
	"application/octet-stream",
	"application/zip",
	"application/x-cfb",
	"application/gzip",
	"text/plain",
	"text/xml",
	"application/json",
]);

export function isOpenType(type: MediaType): boolean {
	return openTypes.has(type);
}

export async function detectMediaType({ bytes, fileName, claimed }: Unknown): Promise<Shown> {
	const head = bytes.subarray(0, headBytes);
	const ending = endingOf(fileName);
	if (isPdf(head)) return sure("application/pdf");
	const text = headText(head);
	const signed = ownSignature(bytes, ending) ?? (await signature(head));
	if (signed !== null && (text === null || spelledFormats.has(signed) || !isSpelled(head))) return sure(refine(signed, bytes, ending));
	if (text === null) return unsure("application/octet-stream");
	const marked = typeByMark(text);
	// One JSON value a line begins like JSON, and so do notebooks: there the name knows more.
	const named = textEndings[ending] ?? codeEndings.get(ending);
	if (marked !== null && !(marked === "application/json" && named !== undefined && jsonTypes.has(named))) return sure(marked);
	// Mails may carry anything. All else has to be text to its end, unless its own marks have shown what it is.
	const mayCarry = named !== undefined && !named.startsWith("text/");
	return unsure(!mayCarry && turnsBinary(bytes) ? "application/octet-stream" : (named ?? textType(text, ending, claimed)));
}

function sure(type: MediaType): Shown {
	return { type, isSure: !isOpenType(type) };
}

function unsure(type: MediaType): Shown {
	return { type, isSure: false };
}

/** The claim, then how it looks: neither marks nor a name tell. */
function textType(text: string, ending: string, claimed: MediaType | null): MediaType {
	const said = claimed === null ? null : (aliases[claimed] ?? claimed);
	if (said !== null && !openClaims.has(said) && (said.startsWith("text/") || textTypes.has(said))) return said;
	if (!openEndings.has(ending)) return "text/plain";
	return codeTypeOf(text) ?? (isHtmlFragment(text) && !isChatLog(text) ? "text/html" : detectTextType(text));
}

async function signature(head: Uint8Array): Promise<MediaType | null> {
	// Its page table lies behind the pictures, too far for the library when it sees the beginning only.
	if (startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])) return "image/tiff";
	// What is inside is told by its directory, which the library does not see.
	if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) return "application/zip";
	try {
		const found = await fileTypeFromBuffer(head);
		return found === undefined ? null : parseMediaType(found.mime);
	} catch {
		return null; // a head that is cut or lies about its lengths
	}
}

function refine(signed: MediaType, bytes: Uint8Array, ending: string): MediaType {
	if (signed === "application/zip") return zipType(bytes, ending);
	if (signed === "application/x-cfb") return oleType(bytes, ending);
	if (signed === "video/mp4" && (ending === "m4a" || ending === "m4b")) return "audio/mp4";
	if (signed === "image/x-icon" && ending === "tga") return "image/x-tga"; // both begin with two zeros and a two
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

export function endingOf(fileName: string | null): string {
	return /[^./\\]\.([A-Za-z0-9]{1,10})$/.exec(fileName?.trim() ?? "")?.[1]?.toLowerCase() ?? "";
}
