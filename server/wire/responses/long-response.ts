/**
 * Streams the long parts of a JSON response in pieces, so that other requests are served in between: serialising a text of 25 MB
 * at once blocks the server for a tenth of a second, and takes several times its size in memory. Other responses are sent as usual.
 */

import { type Document, readableText } from "../../../core/model/document.ts";

export interface LongResponse {
	/** Returns a placeholder to put into the body. The pieces of JSON replace it when the response is sent. */
	readonly placeholderFor: (json: AsyncIterable<string>) => string;
	/** The response with its placeholders replaced; the body itself if it has none. */
	readonly finish: (body: object) => object | Response;
}

/** What a client reads as the content of a document. */
export type ContentOf = (document: Document) => string | null;

export function createLongResponse(): LongResponse {
	const parts: AsyncIterable<string>[] = [];
	// It is random, so that it does not occur in the response by chance.
	const placeholder = crypto.randomUUID();
	return {
		placeholderFor: (json) => `${placeholder}${parts.push(json) - 1}`,
		finish: (body) => {
			if (parts.length === 0) return body;
			const [first = "", ...rest] = JSON.stringify(body).split(new RegExp(`"${placeholder}(\\d+)"`));
			return new Response(streamOf(interleave(first, rest, parts)), { headers: { "content-type": "application/json" } });
		},
	};
}

/** @param texts reads the text of a document if it was too long to be loaded with the document */
export function contentReader({ placeholderFor }: LongResponse, texts: (document: Document) => AsyncIterable<string>): ContentOf {
	return (document) => (document.isTextLeftOut ? placeholderFor(jsonText(texts(document))) : readableText(document));
}

/** A JSON array of the items of all pages, one piece for each page. */
export async function* jsonList(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
	let before = "[";
	for await (const items of pages) {
		if (items.length === 0) continue;
		yield before + JSON.stringify(items).slice(1, -1);
		before = ",";
		await new Promise((resolve) => setImmediate(resolve));
	}
	yield before === "[" ? "[]" : "]";
}

async function* jsonText(pieces: AsyncIterable<string>): AsyncGenerator<string> {
	yield '"';
	for await (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
	yield '"';
}

/** @param rest alternately the index of a part and the text before the next part */
async function* interleave(first: string, rest: readonly string[], parts: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
	yield first;
	for (let i = 0; i < rest.length; i += 2) {
		yield* parts[Number(rest[i])] ?? [];
		yield rest[i + 1] ?? "";
	}
}

/** Each piece is computed only after the client has read the one before. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { value, done } = await pieces.next();
			if (done) controller.close();
			else controller.enqueue(encoder.encode(value));
		},
		async cancel() {
			await pieces.return(undefined);
		},
	});
}
