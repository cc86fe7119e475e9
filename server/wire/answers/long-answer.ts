/**
 * Streams the long parts of a JSON response piece by piece, while other requests get their turn: serialising a text of 25 MB at
 * once blocks the server for a tenth of a second, and takes several times the memory. Other responses are sent as usual.
 */

import { type Document, readableText } from "../../../core/model/document.ts";

export interface LongAnswer {
	/** A placeholder in the body for pieces of JSON. */
	readonly later: (json: AsyncIterable<string>) => string;
	readonly finish: (body: object) => object | Response;
}

/** What a client reads as the content of a document. */
export type ContentOf = (document: Document) => string | null;

export function longAnswer(): LongAnswer {
	const parts: AsyncIterable<string>[] = [];
	// It is random, so it cannot be in the answer itself.
	const mark = crypto.randomUUID();
	return {
		later: (json) => `${mark}${parts.push(json) - 1}`,
		finish: (body) => {
			if (parts.length === 0) return body;
			const [first = "", ...rest] = JSON.stringify(body).split(new RegExp(`"${mark}(\\d+)"`));
			return new Response(streamOf(written(first, rest, parts)), { headers: { "content-type": "application/json" } });
		},
	};
}

/** @param texts where a text is read that was left out of its document. */
export function contentIn({ later }: LongAnswer, texts: (document: Document) => AsyncIterable<string>): ContentOf {
	return (document) => (document.isTextLeftOut ? later(jsonText(texts(document))) : readableText(document));
}

/** Each page as the items it has become. */
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

/** @param rest alternately the index of a part, and the text up to the next. */
async function* written(first: string, rest: readonly string[], parts: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
	yield first;
	for (let i = 0; i < rest.length; i += 2) {
		yield* parts[Number(rest[i])] ?? [];
		yield rest[i + 1] ?? "";
	}
}

/** The next piece is made when the client has taken the one before. */
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
