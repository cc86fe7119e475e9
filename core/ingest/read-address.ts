/** Reads the content of a URL: with the address reader that recognises it, otherwise by downloading it. */

import { fail, ServiceError } from "../errors/fail.ts";
import type { Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { MediaType } from "../model/media-type.ts";
import type { AddressReader, AddressReading, ExtractorSource, Step } from "../plugin/contract.ts";
import type { Fetched, GuardedFetch } from "../plugin/host.ts";
import type { MediaTypes } from "../ports/media-types.ts";
import { sourceOf } from "./source-of.ts";

export interface AddressDependencies {
	/** In the order in which they are tried. */
	readonly addressReaders: readonly AddressReader[];
	readonly mediaTypes: MediaTypes;
	readonly fetch: GuardedFetch;
}

/** The media type of an extraction made by an address reader. Chunkers are chosen by it. */
const readerMediaType: MediaType = "text/markdown";

interface ReadContent {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

/** @param read extracts the content from bytes, with an extractor */
export async function readAddress(
	url: string,
	parts: AddressDependencies,
	read: (source: ExtractorSource) => Promise<Extraction>,
	step: Step,
): Promise<ReadContent> {
	const requestedUrl = URL.parse(url);
	const readerContent = requestedUrl === null ? null : await askReaders(requestedUrl, parts, read, step);
	if (readerContent !== null) return readerContent;
	const fetched = await parts.fetch(url, { signal: step.signal, bytesMax: limits.fetchedBytesMax, timeoutMs: limits.fetchTimeoutMs });
	// The target of a short link is only known after the redirect, so the readers are asked again.
	const redirectedContent = fetched.address.href === requestedUrl?.href ? null : await askReaders(fetched.address, parts, read, step);
	if (redirectedContent !== null) return redirectedContent;
	const detourError = requestedUrl === null ? null : detourOf(requestedUrl, fetched.address);
	if (detourError !== null) throw detourError;
	const page = await readPage(fetched, await sourceOf(fetched.bytes, fetched, parts.mediaTypes), read);
	return fetched.address.href === requestedUrl?.href ? page : withCanonicalUrl(fetched.address, page);
}

/**
 * Sets the canonical URL of a page to its URL after redirects, unless the page states another. The query string is left out, since the
 * URL of a file in cloud storage may contain a signature there, which would give everyone who reads the document access to the file.
 */
function withCanonicalUrl({ origin, pathname }: URL, { mediaType, extraction }: ReadContent): ReadContent {
	return { mediaType, extraction: { ...extraction, about: { canonical: origin + pathname, ...extraction.about } } };
}

/** Extracts a downloaded page. A web page without text is usually built by scripts, so it gets a more helpful error than `CONTENT_EMPTY`. */
async function readPage({ address }: Fetched, source: ExtractorSource, read: (source: ExtractorSource) => Promise<Extraction>): Promise<ReadContent> {
	try {
		return { mediaType: source.mediaType, extraction: await read(source) };
	} catch (thrown) {
		const isPage = source.byteLength > 0 && (source.mediaType === "text/html" || source.mediaType === "application/xhtml+xml");
		if (isPage && thrown instanceof ServiceError && thrown.code === "CONTENT_EMPTY")
			throw fail("ADDRESS_EMPTY", address.origin + address.pathname).because(thrown);
		throw thrown;
	}
}

async function askReaders(
	address: URL,
	parts: AddressDependencies,
	read: (source: ExtractorSource) => Promise<Extraction>,
	step: Step,
): Promise<ReadContent | null> {
	for (const reader of parts.addressReaders) {
		if (!reader.recognizes(address)) continue;
		step.signal.throwIfAborted();
		const reading = await reader.read(address, step);
		if (reading !== null) return await contentOf(reading, address, parts.mediaTypes, read);
	}
	return null;
}

async function contentOf(
	reading: AddressReading,
	address: URL,
	mediaTypes: MediaTypes,
	read: (source: ExtractorSource) => Promise<Extraction>,
): Promise<ReadContent> {
	if (reading.kind === "extraction") return { mediaType: readerMediaType, extraction: reading.extraction };
	const source = await sourceOf(reading.content.bytes, { ...reading.content, address }, mediaTypes);
	const extraction = await read(source);
	const { about, ...known } = reading.known;
	return { mediaType: source.mediaType, extraction: { ...extraction, ...known, about: { ...extraction.about, ...about } } };
}

const consentHost = /^(consent|guce)\./;
const signInHost = /^(accounts|login|signin|sso|auth)\./;

/**
 * Detects a redirect to a consent page or a sign-in page instead of the content. A client that requests such a page by its own URL gets it.
 * @returns the error to throw; null if there was no such redirect
 */
function detourOf(requestedUrl: URL, finalUrl: URL): ServiceError | null {
	if (requestedUrl.host === finalUrl.host) return null;
	const shownUrl = requestedUrl.origin + requestedUrl.pathname;
	if (consentHost.test(finalUrl.host)) return fail("ADDRESS_CONSENT", shownUrl);
	return signInHost.test(finalUrl.host) ? fail("ADDRESS_PRIVATE", shownUrl, `it leads to ${finalUrl.host}, where one has to sign in`) : null;
}
