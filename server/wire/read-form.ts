/** Reads a multipart form as it streams in: the file goes straight to where it is kept, the fields into memory. */

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import { limits } from "../../core/model/limits.ts";
import { type MediaType, parseMediaType } from "../../core/model/media-type.ts";

export interface FormFile {
	/** As the client named it, without any folders; null when it did not. */
	readonly fileName: string | null;
	readonly claimedMediaType: MediaType | null;
	readonly bytes: AsyncIterable<Uint8Array>;
}

export interface Form<Kept> {
	readonly file: Kept;
	/** The last of each name; `name[]` and `name[key]` stay spelled like that. */
	readonly fields: ReadonlyMap<string, readonly string[]>;
}

const fieldsMax = 100;
const fieldBytesMax = 1024 * 1024;

/**
 * Everything besides the one part named `file` is a field. When anything goes wrong after the file was kept, `drop` is
 * called with it.
 *
 * @throws ServiceError `FORM_MALFORMED`, `FILE_MISSING`, or what `keep` throws
 */
export async function readForm<Kept>(request: Request, keep: (file: FormFile) => Promise<Kept>, drop: (kept: Kept) => Promise<void>): Promise<Form<Kept>> {
	const contentType = request.headers.get("content-type") ?? "";
	if (!contentType.toLowerCase().startsWith("multipart/form-data") || request.body === null)
		throw fail("FORM_MALFORMED", "the request should be multipart/form-data");
	const fields = new Map<string, readonly string[]>();
	let keeping: Promise<Kept> | null = null;
	try {
		await parse(request, contentType, fields, (file) => {
			if (keeping !== null) return false;
			keeping = keep(file);
			return keeping;
		});
		if (keeping === null) throw fail("FILE_MISSING");
		return { file: await keeping, fields };
	} catch (thrown) {
		const kept = keeping === null ? null : await (keeping as Promise<Kept>).catch(() => null);
		if (kept !== null) await drop(kept);
		throw thrown instanceof ServiceError ? thrown : fail("FORM_MALFORMED", thrown instanceof Error ? thrown.message : "it ends too early").because(thrown);
	}
}

/** Resolves when the whole form was read; a failing `keep` ends the reading at once. */
async function parse(
	request: Request,
	contentType: string,
	fields: Map<string, readonly string[]>,
	takeFile: (file: FormFile) => Promise<unknown> | false,
): Promise<void> {
	const headers: BusboyHeaders = { "content-type": contentType };
	const busboy = new Busboy({ headers, limits: { fields: fieldsMax, fieldSize: fieldBytesMax, files: 2 } });
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	busboy.on("field", (name, value, _nameTruncated, valueTruncated) => {
		if (valueTruncated) reject(fail("FORM_MALFORMED", `the field ${name} is longer than ${fieldBytesMax} bytes`));
		fields.set(name, [...(fields.get(name) ?? []), value]);
	});
	busboy.on("fieldsLimit", () => reject(fail("FORM_MALFORMED", `it has more than ${fieldsMax} fields`)));
	busboy.on("file", (name, stream, fileName, _encoding, mediaType) => {
		stream.on("error", reject);
		const taken = name === "file" && takeFile({ fileName: baseName(fileName), claimedMediaType: parseMediaType(mediaType), bytes: stream });
		if (taken === false) stream.resume();
		else taken.catch(reject);
	});
	busboy.on("finish", resolve);
	busboy.on("error", reject);
	const source = Readable.fromWeb(request.body as unknown as ReadableStream);
	source.on("error", reject);
	source.pipe(busboy);
	try {
		await promise;
	} finally {
		source.unpipe(busboy);
		source.destroy();
	}
}

/** Only the name: folders, of either kind of slash, and control characters are left out. It is shown, never used as a path. */
function baseName(fileName: string | undefined): string | null {
	const name = (fileName ?? "")
		.split(/[/\\]/)
		.at(-1)
		?.replaceAll(/\p{Cc}/gu, "")
		.toWellFormed()
		.trim();
	return name === undefined || name === "" ? null : name.slice(0, limits.fileNameCharactersMax);
}
