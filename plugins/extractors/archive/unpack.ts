/** Extracts an archive in the sandbox, some files with each call, as its content may exceed the memory. */

import { type Extraction, type ExtractorSource, type Host, limits, type Step } from "cairn-memory";
import type { ArchiveInput, ArchivePart, ArchiveState } from "../../formats/archive/archive-engine.ts";
import { bytesOf, handOver, textBounds } from "../read-in-sandbox.ts";

const formOf = {
	"application/zip": "zip",
	"application/x-tar": "tar",
	"application/gzip": "gzip",
} as const satisfies Readonly<Record<string, ArchiveInput["format"]>>;

const beginning: ArchiveState = { nextEntry: 0, extractedCount: 0, bytes: 0, omitted: [] };

/** Of one part: what is in memory at once, one file more, and the list of all names. */
const partBytesMax = 2 * limits.fileBytesMax + 64 * 1024 * 1024;

export async function unpack(source: ExtractorSource, host: Host, step: Step): Promise<Extraction> {
	const format = formOf[source.mediaType as keyof typeof formOf];
	const engine = new URL("../../formats/archive/archive-engine.ts", import.meta.url);
	const call = { engine, ...textBounds, signal: step.signal, outputBytesMax: partBytesMax };
	const bytes = await bytesOf(source);
	for (let state = beginning; ; ) {
		const input: ArchiveInput = { bytes, format, fileName: source.fileName, state };
		const part: ArchivePart = await host.sandbox.run<ArchiveInput, ArchivePart>({ ...call, input });
		await handOver(part.attachments, step);
		step.progress({ done: part.state.nextEntry, total: part.total, unit: "file" });
		if (part.reading === null) {
			state = part.state;
			continue;
		}
		for (const { code, message } of part.reading.warnings) step.warn(code, message);
		return part.reading.extraction;
	}
}
