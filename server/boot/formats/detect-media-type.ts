/** Detects a file's media type by its content. Its name and the client's claim only decide between types of text. Extractors declare the signatures of their formats. */

import { fileTypeFromBuffer } from "file-type";
import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import type { FileSignature } from "../../../core/plugin/contract.ts";
import { becomesBinary } from "./becomes-binary.ts";
import { type FileHead, type FileSignatures, matches, preferByExtension } from "./file-signatures.ts";
import { headText } from "./head-text.ts";
import { textualSignatures } from "./known-formats.ts";
import { oleType } from "./ole-type.ts";
import { typeByMagicBytes } from "./own-signature.ts";
import { zipType } from "./zip-type.ts";

export interface FileToDetect {
	readonly bytes: Uint8Array;
	readonly fileName: string | null;
	/** The media type that the client, or the server that it was fetched from, has sent. */
	readonly claimed: MediaType | null;
}

/** Extensions that mean no more than "text". */
const genericExtensions: ReadonlySet<string> = new Set(["", "txt", "text"]);

/** Claims that mean no more than "a file" or "text". */
const genericClaims: ReadonlySet<string> = new Set(["text/plain", "text/x-markdown", "application/octet-stream"]);

/** Signatures are only searched in this many bytes at the beginning. */
const headBytes = 8_192;
/** How many characters are inspected of a text that is not a file. */
const pastedCharactersMax = 32_768;

/** A media type, and how certain it is. */
export interface DetectedType {
	readonly type: MediaType;
	/** Whether the bytes alone identify one specific format, not a generic one such as ZIP or XML. */
	readonly isSure: boolean;
}

export async function detectMediaType({ bytes, fileName, claimed }: FileToDetect, signatures: FileSignatures): Promise<DetectedType> {
	const extension = extensionOf(fileName);
	const sure = (type: MediaType): DetectedType => ({ type, isSure: !signatures.isGeneric(type) });
	const fileHead = headOf(bytes);
	const { bytes: head, start } = fileHead;
	const topLevel = signatures.all.filter(({ container, matchesText }) => container === undefined && matchesText === undefined);
	const matched = topLevel.find((signature) => !signature.isGeneric && matches(signature, fileHead));
	if (matched !== undefined) return sure(matched.mediaType);
	const bySignature =
		typeByMagicBytes(bytes, extension) ?? topLevel.find((signature) => matches(signature, fileHead))?.mediaType ?? (await typeByLibrary(head));
	if (bySignature !== null && (start === null || textualSignatures.has(bySignature) || !mayBeLetters(head)))
		return sure(refineType(signatures.nameOf(bySignature), bytes, extension, signatures));
	if (start === null) return { type: "application/octet-stream", isSure: false };
	const byMarkers = typeByMarkers(start, signatures.all);
	// JSON Lines and notebooks begin like JSON, so there the extension decides.
	if (byMarkers !== null && signatures.byExtension(extension)?.container !== byMarkers) return sure(byMarkers);
	return { type: unmarkedType({ bytes, extension, claimed, start }, signatures), isSure: false };
}

interface UnmarkedText extends Pick<FileToDetect, "bytes" | "claimed"> {
	readonly extension: string;
	readonly start: string;
}

function unmarkedType({ bytes, extension, claimed, start }: UnmarkedText, signatures: FileSignatures): MediaType {
	const byExtension = signatures.byExtension(extension)?.mediaType ?? null;
	// A mail may contain binary parts. Any other file without a marker has to be text to its end.
	const mayContainBinary = byExtension !== null && !byExtension.startsWith("text/");
	return !mayContainBinary && becomesBinary(bytes) ? "application/octet-stream" : (byExtension ?? textType(start, extension, claimed, signatures));
}

/** The type of a text that is not a file: a chat, an HTML page, Markdown, or plain text. */
export function detectTextType(text: string, signatures: FileSignatures): MediaType {
	const start = startOf(text.slice(0, pastedCharactersMax));
	return typeByMarkers(start, signatures.pasted) ?? guess(start, signatures.pasted) ?? "text/plain";
}

/** The beginning of a file, in the form that signatures are matched against. */
export function headOf(bytes: Uint8Array): FileHead {
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

/** A marker of one specific format takes precedence over one that many formats share, such as `<?xml`. */
function typeByMarkers(start: string, signatures: readonly FileSignature[]): MediaType | null {
	const byMarkers = signatures.filter(({ matchesText }) => matchesText?.(start));
	return (byMarkers.find(({ isGeneric }) => !isGeneric) ?? byMarkers[0])?.mediaType ?? null;
}

function guess(start: string, signatures: readonly FileSignature[]): MediaType | null {
	return signatures.find(({ resembles }) => resembles?.(start))?.mediaType ?? null;
}

/** For text with neither a marker nor a known extension: uses the claim, otherwise guesses. */
function textType(start: string, extension: string, claimed: MediaType | null, signatures: FileSignatures): MediaType {
	const claimedType = claimed === null ? null : signatures.nameOf(claimed);
	const isTextual =
		claimedType?.startsWith("text/") ||
		signatures.all.some(
			({ mediaType, extensions = [] }) => mediaType === claimedType && extensions.some((extensionToCheck) => signatures.byExtension(extensionToCheck)),
		);
	if (claimedType !== null && !genericClaims.has(claimedType) && isTextual) return claimedType;
	return (genericExtensions.has(extension) ? guess(start, signatures.all) : null) ?? "text/plain";
}

async function typeByLibrary(head: Uint8Array): Promise<MediaType | null> {
	try {
		const found = await fileTypeFromBuffer(head);
		return found === undefined ? null : parseMediaType(found.mime);
	} catch {
		return null; // the file is truncated, or contains wrong lengths
	}
}

/** The type of the content of a ZIP or OLE container; for other generic types the extension decides. */
function refineType(type: MediaType, bytes: Uint8Array, extension: string, signatures: FileSignatures): MediaType {
	if (type === "application/zip") return zipType(bytes, extension, signatures);
	if (type === "application/x-cfb") return oleType(bytes, extension, signatures);
	if (type === "image/x-icon" && extension === "tga") return "image/x-tga"; // both begin with two zeros and a two
	const withExtension = signatures.inContainer(type).filter(({ extensions }) => extensions?.includes(extension));
	return preferByExtension(withExtension, extension) ?? type;
}

/** Whether the first bytes can be text. Then a signature may be a coincidence, since texts can begin with `BM`, `MZ`, `ID3` or `GIF89a` too. */
function mayBeLetters(head: Uint8Array): boolean {
	return head.subarray(0, 16).every((byte) => byte >= 0x09);
}

export function extensionOf(fileName: string | null): string {
	return /[^./\\]\.([A-Za-z0-9]{1,10})$/.exec(fileName?.trim() ?? "")?.[1]?.toLowerCase() ?? "";
}
