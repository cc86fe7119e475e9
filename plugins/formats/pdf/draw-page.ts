/** Draws a page of a PDF. Runs in the sandbox. */

import type { Engine } from "cairn-memory";
import { mupdf } from "./mupdf-memory.ts";
import { damageError, openPdf } from "./open-pdf.ts";
import { type PageInput, type PagePicture, pictureOf } from "./page-picture.ts";

mupdf.setLog(null);

const engine: Engine<PageInput, PagePicture> = async ({ bytes, wanted }) => {
	const document = openPdf(bytes);
	try {
		return pictureOf(document, wanted);
	} catch (thrown) {
		throw damageError(thrown);
	} finally {
		document.destroy();
		mupdf.emptyStore();
	}
};
export default engine;
