/** Stage one: chooses an extractor, runs it, and stores the result, so that a retry does not read the document again. */

import { fail, type ServiceError } from "../errors/fail.ts";
import type { AddressContent, Content } from "../model/content.ts";
import type { Document } from "../model/document.ts";
import type { DocumentType, Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { MediaType } from "../model/media-type.ts";
import { choose } from "../plugin/choose.ts";
import type { Extractor, ExtractorSource, Step } from "../plugin/contract.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { type KeptExtraction, parseKeptExtraction, writeKeptExtraction } from "./kept-extraction.ts";
import { type AddressParts, readAddress } from "./read-address.ts";
import { sourceOf } from "./source-of.ts";
import type { Extracted, Received } from "./stage-results.ts";
import type { AttachmentTaking } from "./take-attachments.ts";

export interface ExtractParts extends AddressParts {
	readonly extractors: readonly Extractor[];
	readonly blobs: BlobStore;
	/** Called with the media type as soon as it is known, even if no extractor can read it. */
	readonly recognized?: (document: Document, type: DocumentType) => Promise<unknown>;
	/** Takes what is inside of a document; absent where nothing is to be taken out. */
	readonly attachments?: (document: Document, step: Step) => AttachmentTaking;
}

export async function extract({ document }: Received, parts: ExtractParts, step: Step): Promise<Extracted> {
	const attachments = parts.attachments?.(document, step);
	const reading = attachments === undefined ? step : { ...step, attachment: attachments.take };
	if (document.content.kind === "text") {
		const { text, mediaType } = document.content;
		const extraction = await read(textSource(text, mediaType), parts, reading);
		await attachments?.settle();
		return { document, mediaType, extraction };
	}
	const keptKey = keptExtractionKey(document);
	const kept = parseKeptExtraction(await parts.blobs.get(keptKey));
	if (kept !== null) return { document, ...kept };
	const found = await find(document, parts, reading);
	// Before the extraction is stored: a retry that finds it stored reads nothing, and so sees no attachments.
	await attachments?.settle();
	await parts.blobs.put(keptKey, writeKeptExtraction(found), Number.POSITIVE_INFINITY);
	return { document, ...found };
}

/** The key of a revision's stored extraction, until the revision is published. */
export function keptExtractionKey(document: Pick<Document, "id" | "revision">): string {
	return `extraction-${document.id}-${document.revision}`;
}

async function find(document: Document, parts: ExtractParts, step: Step): Promise<KeptExtraction> {
	const { content } = document;
	const readSource = async (source: ExtractorSource) => {
		const type = typeOf(source.mediaType);
		if (type !== null && type !== document.findings.type) await parts.recognized?.(document, type);
		return read(source, parts, step);
	};
	if (content.kind === "address") {
		const { mediaType, extraction } = await readAddress(content.url, parts, readSource, step);
		return { mediaType, extraction: bounded(extraction) };
	}
	const source = await open(content, parts);
	return { mediaType: source.mediaType, extraction: await readSource(source) };
}

/** The document type that a media type has whatever the content; null where only the extractor knows. */
function typeOf(mediaType: MediaType): DocumentType | null {
	if (mediaType === "application/pdf") return "pdf";
	const [family] = mediaType.split("/");
	return family === "image" || family === "audio" || family === "video" ? family : null;
}

async function read(source: ExtractorSource, parts: ExtractParts, step: Step): Promise<Extraction> {
	const extractor = choose(parts.extractors, source.mediaType, source);
	if (extractor === null) throw extractorMissing(source.mediaType, parts);
	return bounded(await extractor.extract(source, step));
}

/** In words, since few people know media types. */
function extractorMissing(type: MediaType, { extractors, mediaTypes }: ExtractParts): ServiceError {
	const name = mediaTypes.nameOf(type);
	const available = [...new Set(extractors.flatMap(({ accepts }) => accepts))].sort().join(", ");
	return fail("EXTRACTOR_MISSING", name === null ? type : `${name}: ${type}`, available);
}

function bounded(extraction: Extraction): Extraction {
	if (extraction.text.length > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	if (extraction.blocks.length > limits.blocksMax) throw fail("OUTPUT_TOO_LARGE", `${limits.blocksMax} blocks`);
	if (!extraction.blocks.some((block) => block.text.trim() !== "")) throw fail("CONTENT_EMPTY");
	return extraction;
}

function textSource(text: string, mediaType: MediaType): ExtractorSource {
	const encode = () => new TextEncoder().encode(text);
	return { mediaType, charset: "utf-8", fileName: null, address: null, byteLength: text.length, bytes: async () => encode(), text };
}

async function open(content: Exclude<Content, AddressContent>, { blobs, mediaTypes }: ExtractParts): Promise<ExtractorSource> {
	if (content.kind === "text") return textSource(content.text, content.mediaType);
	const bytes = await blobs.get(content.blob);
	if (bytes === null) throw fail("FILE_BROKEN", "its bytes are gone from the data folder");
	const { fileName, claimedMediaType, charset = null } = content;
	const address = content.address === undefined ? null : new URL(content.address);
	return await sourceOf(bytes, { fileName, claimedMediaType, charset, address }, mediaTypes);
}
