/** Reads the content of a web address: through the address reader that knows it, else by downloading it. */

import { fail, ServiceError } from "../errors/fail.ts";
import type { Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { MediaType } from "../model/media-type.ts";
import type { AddressReader, AddressReading, ExtractorSource, Step } from "../plugin/contract.ts";
import type { Fetched, GuardedFetch } from "../plugin/host.ts";
import type { MediaTypes } from "../ports/media-types.ts";
import { sourceOf } from "./source-of.ts";

export interface AddressParts {
	/** In the order in which they are asked. */
	readonly addressReaders: readonly AddressReader[];
	readonly mediaTypes: MediaTypes;
	readonly fetch: GuardedFetch;
}

/** Of what a reader has put together; it decides which chunker is asked first, where a media type does. */
const readType: MediaType = "text/markdown";

interface ReadContent {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

/** @param read what the extractors make of bytes. */
export async function readAddress(url: string, parts: AddressParts, read: (source: ExtractorSource) => Promise<Extraction>, step: Step): Promise<ReadContent> {
	const asked = URL.parse(url);
	const known = asked === null ? null : await askReaders(asked, parts, read, step);
	if (known !== null) return known;
	const fetched = await parts.fetch(url, { signal: step.signal, bytesMax: limits.fetchedBytesMax, timeoutMs: limits.fetchTimeoutMs });
	// A short link shows only now where it leads.
	const meant = fetched.address.href === asked?.href ? null : await askReaders(fetched.address, parts, read, step);
	if (meant !== null) return meant;
	const detour = asked === null ? null : detourOf(asked, fetched.address);
	if (detour !== null) throw detour;
	const page = await readPage(fetched, await sourceOf(fetched.bytes, fetched, parts.mediaTypes), read);
	return fetched.address.href === asked?.href ? page : movedTo(fetched.address, page);
}

/**
 * The address after redirects becomes its canonical address, unless it names another. Its query is left out: the query of a link
 * to storage may contain a signature, under any name, that opens the file to every reader of the document.
 */
function movedTo({ origin, pathname }: URL, { mediaType, extraction }: ReadContent): ReadContent {
	return { mediaType, extraction: { ...extraction, about: { canonical: origin + pathname, ...extraction.about } } };
}

/** A page without text builds its content by scripts: that says more than that it is empty. */
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

async function askReaders(address: URL, parts: AddressParts, read: (source: ExtractorSource) => Promise<Extraction>, step: Step): Promise<ReadContent | null> {
	for (const reader of parts.addressReaders) {
		if (!reader.recognizes(address)) continue;
		step.signal.throwIfAborted();
		const reading = await reader.read(address, step);
		if (reading !== null) return await found(reading, address, parts.mediaTypes, read);
	}
	return null;
}

async function found(
	reading: AddressReading,
	address: URL,
	mediaTypes: MediaTypes,
	read: (source: ExtractorSource) => Promise<Extraction>,
): Promise<ReadContent> {
	if (reading.kind === "extraction") return { mediaType: readType, extraction: reading.extraction };
	const source = await sourceOf(reading.content.bytes, { ...reading.content, address }, mediaTypes);
	const extraction = await read(source);
	const { about, ...known } = reading.known;
	return { mediaType: source.mediaType, extraction: { ...extraction, ...known, about: { ...extraction.about, ...about } } };
}

const asksConsent = /^(consent|guce)\./;
const asksWho = /^(accounts|login|signin|sso|auth)\./;

/** Whether an address was redirected to something other than its content: a consent page, or a sign-in page. @returns the error to throw; null when there was no detour. A request for such a page by its own address returns the page. */
function detourOf(asked: URL, reached: URL): ServiceError | null {
	if (asked.host === reached.host) return null;
	const shown = asked.origin + asked.pathname;
	if (asksConsent.test(reached.host)) return fail("ADDRESS_CONSENT", shown);
	return asksWho.test(reached.host) ? fail("ADDRESS_PRIVATE", shown, `it leads to ${reached.host}, where one has to sign in`) : null;
}
