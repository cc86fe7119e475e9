/** Draws a picture, or a page of a TIFF, at the size that a person looks at. Runs in the sandbox. WebP, AVIF and HEIC become grey. */

import type { Engine } from "cairn-memory";
import { type GrayImage, resize, rotateUpright } from "../ocr/gray-image.ts";
import { mupdf } from "../pdf/mupdf-memory.ts";
import { damageError } from "../pdf/open-pdf.ts";
import { encoded, type PageInput, type PagePicture, pictureOf, requirePage, scaleOf, type WantedPage } from "../pdf/page-picture.ts";
import { type Decode, decoderOf } from "./decoders.ts";
import { checkedHeader, type ImageHeader } from "./image-header.ts";

mupdf.setLog(null);

const engine: Engine<PageInput, PagePicture> = async (input) => {
	const header = checkedHeader(input.bytes);
	try {
		const decode = decoderOf(input.mediaType);
		return decode === null ? drawImage(input, header) : await drawDecoded(decode, input, header);
	} catch (thrown) {
		throw damageError(thrown);
	} finally {
		mupdf.emptyStore();
	}
};
export default engine;

/** The text of an image has its places in pixels of the file. */
function drawImage({ bytes, mediaType, wanted }: PageInput, header: ImageHeader): PagePicture {
	const document = mupdf.Document.openDocument(bytes, mediaType);
	try {
		return pictureOf(document, wanted, (width, height) => Math.sqrt((header.width * header.height) / (width * height)));
	} finally {
		document.destroy();
	}
}

async function drawDecoded(decode: Decode, { bytes, wanted }: PageInput, { orientation }: ImageHeader): Promise<PagePicture> {
	requirePage(wanted.page, 1);
	const upright = rotateUpright(await decode(bytes), orientation);
	const { width, height } = upright;
	return { ...encoded(pixmapOf(shrunk(upright, wanted))), width, height, pages: 1 };
}

function shrunk(image: GrayImage, { width }: WantedPage): GrayImage {
	const scale = scaleOf([image.width, image.height], width);
	return scale < 1 ? resize(image, scale) : image;
}

function pixmapOf({ data, width, height }: GrayImage) {
	const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, [0, 0, width, height], false);
	const [pixels, stride] = [pixmap.getPixels(), pixmap.getStride()];
	for (let row = 0; row < height; row++) pixels.set(data.subarray(row * width, (row + 1) * width), row * stride);
	return pixmap;
}
