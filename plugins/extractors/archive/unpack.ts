/** Extracts an archive in the sandbox, some files with each call, since all of them together may exceed the memory. */

import { type Extraction, type ExtractorSource, type Host, limits, type Step } from "cairn-memory";
import type { ArchiveInput, ArchivePart, ArchiveState } from "../../formats/archive/archive-engine.ts";
import { bytesOf, defaultBounds, passOnAttachments } from "../read-in-sandbox.ts";

const formats = {
	"application/zip": "zip",
	"application/x-tar": "tar",
	"application/gzip": "gzip",
	"application/x-bzip2": "bzip2",
	"application/x-7z-compressed": "7z",
	"application/x-rar-compressed": "rar",
} as const satisfies Readonly<Record<string, ArchiveInput["format"]>>;

const initialState: ArchiveState = { nextEntry: 0, extractedCount: 0, bytes: 0, omitted: [] };

/** The output of one call: the files of a part, one more file, and the list of all names. */
const partBytesMax = 2 * limits.fileBytesMax + 64 * 1024 * 1024;

export async function extractArchive(source: ExtractorSource, host: Host, step: Step): Promise<Extraction> {
	const format = formats[source.mediaType as keyof typeof formats];
	const engine = new URL("../../formats/archive/archive-engine.ts", import.meta.url);
	const call = { engine, ...defaultBounds, signal: step.signal, outputBytesMax: partBytesMax };
	const bytes = await bytesOf(source);
	for (let state = initialState; ; ) {
		const input: ArchiveInput = { bytes, format, fileName: source.fileName, state };
		const part: ArchivePart = await host.sandbox.run<ArchiveInput, ArchivePart>({ ...call, input });
		await passOnAttachments(part.attachments, step);
		step.progress({ done: part.state.nextEntry, total: part.total, unit: "file" });
		if (part.reading === null) {
			state = part.state;
			continue;
		}
		for (const { code, message } of part.reading.warnings) step.warn(code, message);
		return part.reading.extraction;
	}
}
