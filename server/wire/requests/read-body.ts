/** Reads a JSON body within a limit, whatever content type the client has named: many forget it. */

import { fail } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";

/** @throws ServiceError `BODY_TOO_LARGE`, `BODY_MALFORMED`. An empty body is `{}`. */
export async function readJson(request: Request, reviver?: (key: string, value: unknown) => unknown): Promise<unknown> {
	const encoding = request.headers.get("content-encoding") ?? "identity";
	if (encoding.toLowerCase() !== "identity") throw fail("INPUT_INVALID", `content-encoding ${JSON.stringify(encoding)} is not read: send the body as it is`);
	const text = new TextDecoder().decode(await readBytes(request, limits.requestBodyBytesMax));
	if (text.trim() === "") return {};
	try {
		return JSON.parse(text, reviver);
	} catch (thrown) {
		throw fail("BODY_MALFORMED", reasonOf(thrown));
	}
}

/** Where the parser stumbled, without the name it gives itself. It repeats what it was given, which may be long. */
function reasonOf(thrown: unknown): string {
	const message = thrown instanceof Error ? thrown.message.replace(/^JSON Parse error: /, "") : "";
	return (message || "it ends too early").slice(0, 200);
}

/** Stops at the limit: what a client claims about the length is believed only when it is too much. */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
	if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw fail("BODY_TOO_LARGE", bytesMax);
	const pieces: Uint8Array[] = [];
	let length = 0;
	for await (const piece of request.body ?? []) {
		length += piece.byteLength;
		if (length > bytesMax) throw fail("BODY_TOO_LARGE", bytesMax);
		pieces.push(piece);
	}
	return Buffer.concat(pieces);
}
