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
import type { AttachmentCollector } from "./collect-attachments.ts";
import { doubtAbout } from "./plausible.ts";
import { type AddressDependencies, readAddress } from "./read-address.ts";
import { sourceOf } from "./source-of.ts";
import type { ExtractedDocument, ReceivedDocument } from "./stage-results.ts";
import { parseStoredExtraction, type StoredExtraction, writeStoredExtraction } from "./stored-extraction.ts";

export interface ExtractDependencies extends AddressDependencies {
	readonly extractors: readonly Extractor[];
	readonly blobs: BlobStore;
	/** Called with the document's type as soon as it is known, even if no extractor can read the document. */
	readonly onTypeKnown?: (document: Document, type: DocumentType) => Promise<unknown>;
	/** Collects the attachments of a document; absent if attachments are not to be extracted. */
	readonly attachments?: (document: Document, step: Step) => AttachmentCollector;
}

export async function extract({ document }: ReceivedDocument, parts: ExtractDependencies, step: Step): Promise<ExtractedDocument> {
	const attachments = parts.attachments?.(document, step);
	const stepWithAttachments = attachments === undefined ? step : { ...step, attachment: attachments.collect };
	if (document.content.kind === "text") {
		const { text, mediaType } = document.content;
		const extraction = await read(textSource(text, mediaType), parts, stepWithAttachments);
		await attachments?.finish();
		return { document, mediaType, extraction };
	}
	const storedKey = storedExtractionKey(document);
	const stored = parseStoredExtraction(await parts.blobs.get(storedKey));
	if (stored !== null) return { document, ...stored };
	const extracted = await extractFromSource(document, parts, stepWithAttachments);
	const doubt = doubtAbout(extracted.extraction.blocks);
	if (doubt !== null) step.warn(doubt.code, doubt.message);
	// This must come before the extraction is stored: a retry that finds it does not read the document, and would lose the attachments.
	await attachments?.finish();
	await parts.blobs.put(storedKey, writeStoredExtraction(extracted), Number.POSITIVE_INFINITY);
	return { document, ...extracted };
}

/** The blob key of a revision's stored extraction, which is kept until the revision is published. */
export function storedExtractionKey(document: Pick<Document, "id" | "revision">): string {
	return `extraction-${document.id}-${document.revision}`;
}

async function extractFromSource(document: Document, parts: ExtractDependencies, step: Step): Promise<StoredExtraction> {
	const { content } = document;
	const readSource = async (source: ExtractorSource) => {
		const type = typeOf(source.mediaType);
		if (type !== null && type !== document.findings.type) await parts.onTypeKnown?.(document, type);
		return read(source, parts, step);
	};
	if (content.kind === "address") {
		const { mediaType, extraction } = await readAddress(content.url, parts, readSource, step);
		return { mediaType, extraction: checkLimits(extraction) };
	}
	const source = await openContent(content, parts);
	return { mediaType: source.mediaType, extraction: await readSource(source) };
}

/** The document type, if the media type alone determines it; otherwise null. */
function typeOf(mediaType: MediaType): DocumentType | null {
	if (mediaType === "application/pdf") return "pdf";
	const [family] = mediaType.split("/");
	return family === "image" || family === "audio" || family === "video" ? family : null;
}

async function read(source: ExtractorSource, parts: ExtractDependencies, step: Step): Promise<Extraction> {
	const extractor = choose(parts.extractors, source.mediaType, source);
	if (extractor === null) throw extractorMissing(source.mediaType, parts);
	return checkLimits(await extractor.extract(source, step));
}

/** The error names the format in words, since few people know media types. */
function extractorMissing(type: MediaType, { extractors, mediaTypes }: ExtractDependencies): ServiceError {
	const name = mediaTypes.nameOf(type);
	const available = [...new Set(extractors.flatMap(({ accepts }) => accepts))].sort().join(", ");
	return fail("EXTRACTOR_MISSING", name === null ? type : `${name}: ${type}`, available);
}

function checkLimits(extraction: Extraction): Extraction {
	if (extraction.text.length > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	if (extraction.blocks.length > limits.blocksMax) throw fail("OUTPUT_TOO_LARGE", `${limits.blocksMax} blocks`);
	if (!extraction.blocks.some((block) => block.text.trim() !== "")) throw fail("CONTENT_EMPTY");
	return extraction;
}

function textSource(text: string, mediaType: MediaType): ExtractorSource {
	const encode = () => new TextEncoder().encode(text);
	return { mediaType, charset: "utf-8", fileName: null, address: null, byteLength: text.length, bytes: async () => encode(), text };
}

/** The content of a document as a source for extractors. @throws ServiceError `FILE_BROKEN` if its bytes are gone */
export async function openContent(
	content: Exclude<Content, AddressContent>,
	{ blobs, mediaTypes }: Pick<ExtractDependencies, "blobs" | "mediaTypes">,
): Promise<ExtractorSource> {
	if (content.kind === "text") return textSource(content.text, content.mediaType);
	const bytes = await blobs.get(content.blob);
	if (bytes === null) throw fail("FILE_BROKEN", "its content is missing from the data folder");
	const { fileName, claimedMediaType, charset = null } = content;
	const address = content.address === undefined ? null : new URL(content.address);
	return await sourceOf(bytes, { fileName, claimedMediaType, charset, address }, mediaTypes);
}
