/** Reads a multipart form as a stream: the file goes straight to its storage, the fields into memory. */

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Busboy, type BusboyConfig, type BusboyHeaders } from "@fastify/busboy";
import { fail, type ServiceError } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";
import { type MediaType, parseMediaType } from "../../../core/model/media-type.ts";
import { cutText } from "../../../core/text/cut-text.ts";

export interface FormFile {
	/** The file name that the client sent, without folders; null if there is none. */
	readonly fileName: string | null;
	readonly claimedMediaType: MediaType | null;
	readonly bytes: AsyncIterable<Uint8Array>;
}

export interface Form<StoredFile> {
	readonly file: StoredFile;
	/** All values of each name. Names such as `name[]` and `name[key]` are not interpreted. */
	readonly fields: ReadonlyMap<string, readonly string[]>;
}

const fieldsMax = 100;
const fieldBytesMax = 1024 * 1024;
/** The most bytes of a form besides its file: fields, boundaries and headers of parts. */
const otherBytesMax = 4 * 1024 * 1024;

/**
 * The part named `file` is the file, every other part is a field. If an error occurs after the file was stored, `drop` is called
 * with the stored file.
 *
 * @throws ServiceError `FORM_MALFORMED`, `FILE_MISSING`, or what `store` throws
 */
export async function readForm<StoredFile>(
	request: Request,
	fileBytesMax: number,
	store: (file: FormFile) => Promise<StoredFile>,
	drop: (stored: StoredFile) => Promise<void>,
): Promise<Form<StoredFile>> {
	const contentType = request.headers.get("content-type") ?? "";
	if (!contentType.toLowerCase().startsWith("multipart/form-data") || request.body === null)
		throw fail("FORM_MALFORMED", "the request should be multipart/form-data");
	if (Number(request.headers.get("content-length") ?? 0) > fileBytesMax + otherBytesMax) throw fail("FILE_TOO_LARGE", fileBytesMax);
	const fields = new Map<string, readonly string[]>();
	let storing: Promise<StoredFile> | null = null;
	try {
		await parse(request.body, contentType, fileBytesMax, fields, (file) => {
			if (storing !== null) throw fail("FORM_MALFORMED", "it has more than one part named file");
			storing = store(file);
			return storing;
		});
		if (storing === null) throw fail("FILE_MISSING");
		return { file: await storing, fields };
	} catch (thrown) {
		const stored = storing === null ? null : await (storing as Promise<StoredFile>).catch(() => null);
		if (stored !== null) await drop(stored);
		throw thrown;
	}
}

/**
 * Resolves when the whole form was read; rejects at once if `takeFile` fails. In both cases the stream of the file has ended,
 * so that `takeFile` does not wait forever with an open file if the client disconnects.
 */
async function parse(
	body: NonNullable<Request["body"]>,
	contentType: string,
	fileBytesMax: number,
	fields: Map<string, readonly string[]>,
	takeFile: (file: FormFile) => Promise<unknown>,
): Promise<void> {
	const headers: BusboyHeaders = { "content-type": contentType };
	const busboy = newBusboy({ headers, limits: { fields: fieldsMax, fieldSize: fieldBytesMax, files: 2 } });
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	let file: Readable | null = null;
	busboy.on("field", (name, value, _nameTruncated, valueTruncated) => {
		if (valueTruncated) reject(fail("FORM_MALFORMED", `the field ${name.slice(0, 100)} is longer than ${fieldBytesMax} bytes`));
		fields.set(name, [...(fields.get(name) ?? []), value]);
	});
	busboy.on("fieldsLimit", () => reject(fail("FORM_MALFORMED", `it has more than ${fieldsMax} fields`)));
	busboy.on("file", (name, stream, fileName, _encoding, mediaType) => {
		// If the reader of the file stops early, its own error is thrown instead.
		stream.on("error", (error: Error) => error.name === "AbortError" || reject(malformed(error)));
		if (name !== "file") return stream.resume();
		try {
			takeFile({ fileName: baseName(fileName), claimedMediaType: parseMediaType(mediaType), bytes: stream }).catch(reject);
			file = stream;
		} catch (thrown) {
			stream.resume();
			reject(thrown);
		}
	});
	busboy.on("finish", resolve);
	busboy.on("error", (error) => reject(malformed(error)));
	const source = Readable.fromWeb(body as unknown as ReadableStream);
	source.on("error", (error) => reject(malformed(error)));
	let byteLength = 0;
	source.on("data", (piece: Uint8Array) => {
		byteLength += piece.byteLength;
		if (byteLength > fileBytesMax + otherBytesMax) reject(fail("FILE_TOO_LARGE", fileBytesMax));
	});
	source.pipe(busboy);
	try {
		await promise;
	} catch (thrown) {
		(file as Readable | null)?.destroy(thrown instanceof Error ? thrown : new Error("the form ended too early"));
		throw thrown;
	} finally {
		source.unpipe(busboy);
		source.destroy();
	}
}

/** The constructor throws if the content type has no boundary. */
function newBusboy(config: BusboyConfig): InstanceType<typeof Busboy> {
	try {
		return new Busboy(config);
	} catch (thrown) {
		throw malformed(thrown);
	}
}

function malformed(thrown: unknown): ServiceError {
	return fail("FORM_MALFORMED", thrown instanceof Error ? thrown.message : "it ends too early").because(thrown);
}

/** The name without folders (`/` or `\`) and control characters. It is only displayed, never used as a path. */
function baseName(fileName: string | undefined): string | null {
	const name = (fileName ?? "")
		.split(/[/\\]/)
		.at(-1)
		?.replaceAll(/\p{Cc}/gu, "")
		.toWellFormed()
		.trim();
	return name === undefined || name === "" ? null : cutText(name, limits.fileNameCharactersMax);
}
