/** What a file is, by its content; its name and the client's claim only decide among kinds of text. What is known of each format its extractor declares. */

import { fileTypeFromBuffer } from "file-type";
import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import type { FileSign } from "../../../core/plugin/contract.ts";
import { headText } from "./head-text.ts";
import { spelledFormats } from "./known-formats.ts";
import { oleType } from "./ole-type.ts";
import { ownSignature } from "./own-signature.ts";
import { calledSo, holds, type Looked, type Signs } from "./signs.ts";
import { turnsBinary } from "./turns-binary.ts";
import { zipType } from "./zip-type.ts";

export interface Unknown {
	readonly bytes: Uint8Array;
	readonly fileName: string | null;
	/** What the client or the server that it came from says it is. */
	readonly claimed: MediaType | null;
}

/** Endings that say no more than "text". */
const openEndings: ReadonlySet<string> = new Set(["", "txt", "text"]);

/** Claims that say no more than "a file" or "text", whatever it is. */
const openClaims: ReadonlySet<string> = new Set(["text/plain", "text/x-markdown", "application/octet-stream"]);

/** The beginning tells what it is; reading on would tell no more. */
const headBytes = 8_192;
/** Of what was handed in as text. */
const lookedAtMax = 32_768;

/** What the bytes and the name show. */
export interface Shown {
	readonly type: MediaType;
	/** The bytes say it, and say no more than one format does: neither "a ZIP" nor "XML", and no name was needed. */
	readonly isSure: boolean;
}

export async function detectMediaType({ bytes, fileName, claimed }: Unknown, signs: Signs): Promise<Shown> {
	const ending = endingOf(fileName);
	const sure = (type: MediaType): Shown => ({ type, isSure: !signs.isOpen(type) });
	const looked = lookAt(bytes);
	const { bytes: head, start } = looked;
	const whole = signs.all.filter(({ within, says }) => within === undefined && says === undefined);
	const shown = whole.find((sign) => !sign.isOpen && holds(sign, looked));
	if (shown !== undefined) return sure(shown.mediaType);
	const signed = ownSignature(bytes, ending) ?? whole.find((sign) => holds(sign, looked))?.mediaType ?? (await signature(head));
	if (signed !== null && (start === null || spelledFormats.has(signed) || !isSpelled(head))) return sure(refined(signs.nameOf(signed), bytes, ending, signs));
	if (start === null) return { type: "application/octet-stream", isSure: false };
	const marked = markOf(start, signs.all);
	// One JSON value a line begins like JSON, and so do notebooks: there the name knows more.
	if (marked !== null && signs.byEnding(ending)?.within !== marked) return sure(marked);
	return { type: unmarkedType({ bytes, ending, claimed, start }, signs), isSure: false };
}

interface Unmarked extends Pick<Unknown, "bytes" | "claimed"> {
	readonly ending: string;
	readonly start: string;
}

function unmarkedType({ bytes, ending, claimed, start }: Unmarked, signs: Signs): MediaType {
	const named = signs.byEnding(ending)?.mediaType ?? null;
	// Mails may carry anything. All else has to be text to its end, unless its own marks have shown what it is.
	const mayCarry = named !== null && !named.startsWith("text/");
	return !mayCarry && turnsBinary(bytes) ? "application/octet-stream" : (named ?? textType(start, ending, claimed, signs));
}

/** What was handed in as text: a chat, a page, Markdown, or plain text. */
export function detectTextType(text: string, signs: Signs): MediaType {
	const start = startOf(text.slice(0, lookedAtMax));
	return markOf(start, signs.pasted) ?? guess(start, signs.pasted) ?? "text/plain";
}

/** Its beginning, as signs look at it. */
export function lookAt(bytes: Uint8Array): Looked {
	const head = bytes.subarray(0, headBytes);
	const text = headText(head);
	return { bytes: head, start: text === null ? null : startOf(text), zip: null };
}

function startOf(text: string): string {
	return text
		.replace(/^\uFEFF/, "")
		.trimStart()
		.replace(/\r\n?/g, "\n");
}

/** By a mark that nothing else has, or else by one that many share. */
function markOf(start: string, signs: readonly FileSign[]): MediaType | null {
	const marked = signs.filter(({ says }) => says?.(start));
	return (marked.find(({ isOpen }) => !isOpen) ?? marked[0])?.mediaType ?? null;
}

function guess(start: string, signs: readonly FileSign[]): MediaType | null {
	return signs.find(({ resembles }) => resembles?.(start))?.mediaType ?? null;
}

/** The claim, then how it looks: neither marks nor a name tell. */
function textType(start: string, ending: string, claimed: MediaType | null, signs: Signs): MediaType {
	const said = claimed === null ? null : signs.nameOf(claimed);
	const isTextual =
		said?.startsWith("text/") || signs.all.some(({ mediaType, endings = [] }) => mediaType === said && endings.some((one) => signs.byEnding(one)));
	if (said !== null && !openClaims.has(said) && isTextual) return said;
	return (openEndings.has(ending) ? guess(start, signs.all) : null) ?? "text/plain";
}

async function signature(head: Uint8Array): Promise<MediaType | null> {
	try {
		const found = await fileTypeFromBuffer(head);
		return found === undefined ? null : parseMediaType(found.mime);
	} catch {
		return null; // a head that is cut or lies about its lengths
	}
}

/** What is inside of a container, or what the name adds. */
function refined(type: MediaType, bytes: Uint8Array, ending: string, signs: Signs): MediaType {
	if (type === "application/zip") return zipType(bytes, ending, signs);
	if (type === "application/x-cfb") return oleType(bytes, ending, signs);
	if (type === "image/x-icon" && ending === "tga") return "image/x-tga"; // both begin with two zeros and a two
	const named = signs.within(type).filter(({ endings }) => endings?.includes(ending));
	return calledSo(named, ending) ?? type;
}

/** Whether the first bytes could be letters: `BM`, `MZ`, `ID3` and `GIF89a` are also how words begin. */
function isSpelled(head: Uint8Array): boolean {
	return head.subarray(0, 16).every((byte) => byte >= 0x09);
}

export function endingOf(fileName: string | null): string {
	return /[^./\\]\.([A-Za-z0-9]{1,10})$/.exec(fileName?.trim() ?? "")?.[1]?.toLowerCase() ?? "";
}
