/** PDFs and pictures: the text layer first, OCR for whatever has none. One plugin, because both share the OCR engine. */

import { definePlugin, type Extractor, limits } from "cairn-memory";
import { z } from "zod";
import { bytesOf, readInSandbox } from "../read-in-sandbox.ts";
import type { ImageInput } from "./image-engine.ts";
import { findModels } from "./ocr-models.ts";
import type { PdfInput } from "./pdf-engine.ts";

/** A page of a scan takes two seconds and 300 MB; MuPDF and the languages share the rest. */
const bounds = { timeoutMs: limits.extractTimeoutMs, memoryMb: limits.extractMemoryMb } as const;

const options = z.strictObject({
	/** A folder with further Tesseract models, `deu.traineddata` say, for scans that are not in English. */
	data: z.string().min(1).optional(),
	/** What scans are written in, as Tesseract calls it, the most usual first; without it English and all that the folder has. */
	languages: z.array(z.string().min(1)).min(1).max(20).optional(),
});

export default definePlugin({
	name: "extractor-pages",
	contract: 1,
	options,
	start({ data, languages }, host) {
		const models = findModels({ languages: languages ?? null, folder: data ?? null });
		const pdf: Extractor = {
			name: "pdf",
			accepts: ["application/pdf"],
			async extract(source, step) {
				const input: PdfInput = { bytes: await bytesOf(source), models };
				return await readInSandbox({ engine: new URL("./pdf-engine.ts", import.meta.url), input, ...bounds }, host, step);
			},
		};
		const image: Extractor = {
			name: "image",
			accepts: ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff"],
			async extract(source, step) {
				const input: ImageInput = { bytes: await bytesOf(source), mediaType: source.mediaType, models };
				return await readInSandbox({ engine: new URL("./image-engine.ts", import.meta.url), input, ...bounds }, host, step);
			},
		};
		return { extractor: [pdf, image] };
	},
});
