/** Archives: ZIP, TAR, GZIP and TAR in GZIP. Every file in them becomes a document of its own, the archive itself a list of them. */

import { definePlugin, type Extractor, limits } from "cairn-memory";
import { z } from "zod";
import { bytesOf, handOver, textBounds } from "../read-in-sandbox.ts";
import type { ArchiveInput, ArchivePart, ArchiveState } from "./archive-engine.ts";

const forms = {
	"application/zip": "zip",
	"application/x-tar": "tar",
	"application/gzip": "gzip",
} as const satisfies Readonly<Record<string, ArchiveInput["form"]>>;

const beginning: ArchiveState = { next: 0, taken: 0, bytes: 0, left: [] };

/** Of one part: what is in memory at once, one file more, and the list of all names. */
const partBytesMax = 2 * limits.fileBytesMax + 64 * 1024 * 1024;

export default definePlugin({
	name: "extractor-archive",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const archive: Extractor = {
			name: "archive",
			accepts: Object.keys(forms) as (keyof typeof forms)[],
			async extract(source, step) {
				const form = forms[source.mediaType as keyof typeof forms];
				const call = { engine: new URL("./archive-engine.ts", import.meta.url), ...textBounds, signal: step.signal, outputBytesMax: partBytesMax };
				const bytes = await bytesOf(source);
				for (let state = beginning; ; ) {
					const input: ArchiveInput = { bytes, form, fileName: source.fileName, state };
					const part: ArchivePart = await host.sandbox.run<ArchiveInput, ArchivePart>({ ...call, input });
					await handOver(part.attachments, step);
					step.progress({ done: part.state.next, total: part.total, unit: "file" });
					if (part.reading === null) {
						state = part.state;
						continue;
					}
					for (const { code, message } of part.reading.warnings) step.warn(code, message);
					return part.reading.extraction;
				}
			},
		};
		return { extractor: [archive] };
	},
});
