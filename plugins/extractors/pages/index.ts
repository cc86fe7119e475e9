/** PDFs and pictures: the text layer first, OCR for whatever has none. One plugin, because both share the OCR engine. */

import { definePlugin, type ExtractorSource, limits } from "cairn-memory";
import type { ImageInput } from "../../formats/image/image-engine.ts";
import { imageSignatures } from "../../formats/image/signatures.ts";
import type { PdfInput } from "../../formats/pdf/pdf-engine.ts";
import { pdfSignatures } from "../../formats/pdf/signatures.ts";
import { bytesOf, extractorOf } from "../read-in-sandbox.ts";
import { modelsOf, options } from "./options.ts";
import { configure, settings } from "./said-of-ocr.ts";

/** A page of a scan takes two seconds and 300 MB; MuPDF and the languages share the rest. */
const bounds = { timeoutMs: limits.extractTimeoutMs, memoryMb: limits.extractMemoryMb };

export default definePlugin({
	name: "extractor-pages",
	contract: 1,
	settings,
	configure,
	options,
	start(given, host) {
		const models = modelsOf(given);
		const both = { bounds, input: async (source: ExtractorSource) => ({ bytes: await bytesOf(source), mediaType: source.mediaType, models }) };
		const pdfEngine = new URL("../../formats/pdf/pdf-engine.ts", import.meta.url);
		const imageEngine = new URL("../../formats/image/image-engine.ts", import.meta.url);
		const pdf = extractorOf<PdfInput>(host, { name: "pdf", signatures: pdfSignatures, engine: pdfEngine, ...both });
		const image = extractorOf<ImageInput>(host, { name: "image", signatures: imageSignatures, engine: imageEngine, ...both });
		return { extractor: [pdf, image] };
	},
});
