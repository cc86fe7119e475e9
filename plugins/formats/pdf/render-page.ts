/** Renders a page or an image with MuPDF: in grey, on a white background. */

import type { Document, Pixmap } from "mupdf";
import type { GrayImage } from "../ocr/gray-image.ts";
import { ocrPixelsMax } from "../ocr/ocr.ts";
import { mupdf } from "./mupdf-memory.ts";

export interface RenderedPage {
	readonly image: GrayImage;
	/** Pixels per point. */
	readonly scale: number;
}

/** Renders a page. The scale is lowered if the page would have more pixels than OCR accepts. */
export function renderPage(document: Document, index: number, wantedScale: number, pixelsMax = ocrPixelsMax): RenderedPage {
	const page = document.loadPage(index);
	try {
		const [left, top, right, bottom] = page.getBounds();
		const area = Math.max(1, (right - left) * (bottom - top));
		const scale = Math.min(wantedScale, Math.sqrt(pixelsMax / area));
		const pixmap = page.toPixmap(mupdf.Matrix.scale(scale, scale), mupdf.ColorSpace.DeviceGray, false);
		try {
			return { image: copyPixels(pixmap), scale };
		} finally {
			pixmap.destroy();
		}
	} finally {
		page.destroy();
		// MuPDF would otherwise cache the page, which has 35 MB if it is scanned at 600 dpi.
		mupdf.emptyStore();
	}
}

/** Copies the pixels, since the pixmap is in MuPDF's memory and its rows may be padded. */
function copyPixels(pixmap: Pixmap): GrayImage {
	const [width, height, stride] = [pixmap.getWidth(), pixmap.getHeight(), pixmap.getStride()];
	const pixels = pixmap.getPixels();
	const data = new Uint8Array(width * height);
	for (let row = 0; row < height; row++) data.set(pixels.subarray(row * stride, row * stride + width), row * width);
	return { data, width, height };
}
