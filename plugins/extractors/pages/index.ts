/** PDFs and pictures: the text layer, or OCR if there is none. It is one plugin because both share the OCR engine. */

import { definePlugin, type ExtractorSource, limits } from "cairn-memory";
import type { ImageInput } from "../../formats/image/image-engine.ts";
import { imageSignatures } from "../../formats/image/signatures.ts";
import type { PdfInput } from "../../formats/pdf/pdf-engine.ts";
import { pdfSignatures } from "../../formats/pdf/signatures.ts";
import { pageDrawer } from "../draw-in-sandbox.ts";
import { bytesOf, extractorOf } from "../read-in-sandbox.ts";
import { configure, settings } from "./ocr-settings.ts";
import { modelsOf, options } from "./options.ts";

/** A scanned page takes two seconds and 300 MB. MuPDF and the OCR models share the rest of the memory. */
const bounds = { timeoutMs: limits.extractTimeoutMs, memoryMb: limits.extractMemoryMb };

export default definePlugin({
	name: "extractor-pages",
	contract: 1,
	settings,
	configure,
	options,
	start(pluginOptions, host) {
		const models = modelsOf(pluginOptions);
		const common = { bounds, input: async (source: ExtractorSource) => ({ bytes: await bytesOf(source), mediaType: source.mediaType, models }) };
		const pdfEngine = new URL("../../formats/pdf/pdf-engine.ts", import.meta.url);
		const imageEngine = new URL("../../formats/image/image-engine.ts", import.meta.url);
		const pdf = extractorOf<PdfInput>(host, { name: "pdf", signatures: pdfSignatures, engine: pdfEngine, ...common });
		const image = extractorOf<ImageInput>(host, { name: "image", signatures: imageSignatures, engine: imageEngine, ...common });
		return {
			extractor: [
				{ ...pdf, drawPage: pageDrawer(host, new URL("../../formats/pdf/draw-page.ts", import.meta.url)) },
				{ ...image, drawPage: pageDrawer(host, new URL("../../formats/image/draw-page.ts", import.meta.url)) },
			],
		};
	},
});
