/** Reads the text of images by OCR. Runs in the sandbox. */

import type { Engine, Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Document, Rect } from "mupdf";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { type GrayImage, isUniform, resize, rotateUpright } from "../ocr/gray-image.ts";
import { loadOcr } from "../ocr/ocr.ts";
import type { OcrModel } from "../ocr/ocr-models.ts";
import { addOcrParagraphs } from "../ocr/ocr-paragraphs.ts";
import { mupdf } from "../pdf/mupdf-memory.ts";
import { damageError } from "../pdf/open-pdf.ts";
import { renderPage } from "../pdf/render-page.ts";
import { type Decode, decoderOf } from "./decoders.ts";
import { checkedHeader, type ImageHeader } from "./image-header.ts";

export interface ImageInput {
	readonly bytes: Uint8Array;
	readonly mediaType: string;
	readonly models: readonly OcrModel[];
}

/** Larger images are scaled down to this size. Letters in a photograph of a page are then still 30 pixels high. */
const ocrPixelsMax = 12_000_000;
/** The frames of a TIFF may be pages of a fax. */
const framesMax = 500;

mupdf.setLog(null);

const engine: Engine<ImageInput, SandboxResult> = async (input, report) => {
	const header = checkedHeader(input.bytes);
	const outline = createOutline();
	const warnings: Warning[] = [];
	const decode = decoderOf(input.mediaType);
	const frames = decode === null ? mupdfFrames(input, header) : decodedFrames(decode, input.bytes, header);
	const ocr = await loadOcr(input.models);
	for await (const { image, page, total, scale } of frames) {
		const { lines } = isUniform(image) ? { lines: [] } : ocr(image);
		addOcrParagraphs(
			lines,
			([left, top, right, bottom]) => ({ ...(total > 1 ? { page } : {}), box: [left / scale, top / scale, right / scale, bottom / scale] }),
			outline,
		);
		Bun.gc(true); // frees the image, as after each page of a PDF
		report({ done: page, total, unit: "page" });
	}
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "image" }), warnings };
};
export default engine;

interface Frame {
	readonly image: GrayImage;
	/** The number of the page or frame, from 1. */
	readonly page: number;
	readonly total: number;
	/** Pixels of the decoded image for each pixel of the file. */
	readonly scale: number;
}

async function* decodedFrames(decode: Decode, bytes: Uint8Array, { orientation }: ImageHeader): AsyncGenerator<Frame> {
	let decoded: GrayImage;
	try {
		decoded = await decode(bytes);
	} catch (thrown) {
		throw damageError(thrown);
	}
	const scale = Math.min(1, Math.sqrt(ocrPixelsMax / (decoded.width * decoded.height)));
	yield { image: rotateUpright(scale < 1 ? resize(decoded, scale) : decoded, orientation), page: 1, total: 1, scale };
}

async function* mupdfFrames({ bytes, mediaType }: ImageInput, { width, height }: ImageHeader): AsyncGenerator<Frame> {
	let document: Document;
	try {
		document = mupdf.Document.openDocument(bytes, mediaType);
	} catch (thrown) {
		throw damageError(thrown);
	}
	try {
		const total = Math.min(document.countPages(), framesMax);
		for (let index = 0; index < total; index++) {
			const [left, top, right, bottom] = boundsOf(document, index);
			const pixelsPerPoint = Math.sqrt((width * height) / Math.max(1, (right - left) * (bottom - top)));
			const { image, scale } = renderPage(document, index, pixelsPerPoint, ocrPixelsMax);
			yield { image, page: index + 1, total, scale: scale / pixelsPerPoint };
		}
	} catch (thrown) {
		throw damageError(thrown);
	} finally {
		document.destroy();
	}
}

function boundsOf(document: Document, index: number): Rect {
	const page = document.loadPage(index);
	try {
		return page.getBounds();
	} finally {
		page.destroy();
	}
}
