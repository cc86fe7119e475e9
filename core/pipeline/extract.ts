/** Stage one: chooses an extractor, runs it, and keeps its result so that a retry need not read the document again. */

import { fail } from "../errors/fail.ts";
import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { MediaType } from "../model/media-type.ts";
import { choose } from "../plugin/choose.ts";
import type { Extractor, Source, Step } from "../plugin/contract.ts";
import type { GuardedFetch } from "../plugin/host.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { MediaTypes } from "../ports/media-types.ts";
import type { Extracted, Received } from "./hand-offs.ts";
import { parseKeptExtraction } from "./kept-extraction.ts";

export interface ExtractParts {
	readonly extractors: readonly Extractor[];
	readonly blobs: BlobStore;
	readonly mediaTypes: MediaTypes;
	readonly fetch: GuardedFetch;
}

/** Media types are told from the first bytes; this many are enough for every format we know. */
const headBytes = 8_192;

export async function extract({ document }: Received, parts: ExtractParts, step: Step): Promise<Extracted> {
	if (document.content.kind === "text") {
		const { text, mediaType } = document.content;
		return { document, mediaType, extraction: await read(textSource(text, mediaType), parts.extractors, step) };
	}
	const keptKey = keptExtractionKey(document);
	const kept = parseKeptExtraction(await parts.blobs.get(keptKey));
	if (kept !== null) return { document, ...kept };
	const source = await open(document, parts, step);
	const extraction = await read(source, parts.extractors, step);
	const found = { mediaType: source.mediaType, extraction };
	await parts.blobs.put(keptKey, onePiece(new TextEncoder().encode(JSON.stringify(found))), Number.POSITIVE_INFINITY);
	return { document, ...found };
}

/** Where the extraction of a revision is kept until it is published. */
export function keptExtractionKey(document: Pick<Document, "id" | "revision">): string {
	return `extraction-${document.id}-${document.revision}`;
}

async function read(source: Source, extractors: readonly Extractor[], step: Step) {
	const extractor = choose(extractors, source.mediaType, source);
	if (extractor === null) throw fail("EXTRACTOR_MISSING", source.mediaType, [...new Set(extractors.flatMap(({ accepts }) => accepts))].sort().join(", "));
	const extraction = await extractor.extract(source, step);
	if (extraction.text.length > limits.extractedCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`);
	if (extraction.blocks.length > limits.blocksMax) throw fail("OUTPUT_TOO_LARGE", `${limits.blocksMax} blocks`);
	if (!extraction.blocks.some((block) => block.text.trim() !== "")) throw fail("CONTENT_EMPTY");
	return extraction;
}

function textSource(text: string, mediaType: MediaType): Source {
	const encode = () => new TextEncoder().encode(text);
	return { mediaType, charset: "utf-8", fileName: null, address: null, byteLength: text.length, bytes: async () => encode(), text };
}

async function open(document: Document, { blobs, mediaTypes, fetch }: ExtractParts, step: Step): Promise<Source> {
	const { content } = document;
	if (content.kind === "address") {
		const fetched = await fetch(content.url, { signal: step.signal, bytesMax: limits.fetchedBytesMax, timeoutMs: limits.fetchTimeoutMs });
		const { bytes, fileName, claimedMediaType, charset, address } = fetched;
		const mediaType = await mediaTypes.ofBytes(bytes.subarray(0, headBytes), fileName, claimedMediaType);
		return { mediaType, charset, fileName, address, byteLength: bytes.byteLength, bytes: async () => bytes, text: null };
	}
	if (content.kind === "file") {
		const bytes = await blobs.get(content.blob);
		if (bytes === null) throw fail("FILE_BROKEN", "its bytes are gone from the data folder");
		const { fileName, claimedMediaType, charset = null } = content;
		const mediaType = await mediaTypes.ofBytes(bytes.subarray(0, headBytes), fileName, claimedMediaType);
		const address = content.address === undefined ? null : new URL(content.address);
		return { mediaType, charset, fileName, address, byteLength: bytes.byteLength, bytes: async () => bytes, text: null };
	}
	return textSource(content.text, content.mediaType);
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
