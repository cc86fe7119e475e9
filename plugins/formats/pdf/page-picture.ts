/** Draws a page as a picture for people, in colour and on white. */

import { fail } from "cairn-memory";
import type { Document, Pixmap } from "mupdf";
import { mupdf } from "./mupdf-memory.ts";

export interface WantedPage {
	/** From 1. */
	readonly page: number;
	/** In pixels. */
	readonly width: number;
}

export interface PagePicture {
	readonly bytes: Uint8Array;
	readonly mediaType: "image/jpeg";
	/** The size of the page in the units of `Place.box`. */
	readonly width: number;
	readonly height: number;
	readonly pages: number;
}

/** What an engine gets that draws a page. */
export interface PageInput {
	readonly bytes: Uint8Array;
	readonly mediaType: string;
	readonly wanted: WantedPage;
}

/** A page that is long and narrow is drawn smaller: a roll of paper has no more pixels than a poster. */
const pixelsMax = 6_000_000;
/** JPEG allows 65,535. */
const sideMax = 8_000;
/** Letters have no visible blocks around them from here on. */
const jpegQuality = 85;

/** @param unitsPerPoint how many units of `Place.box` a point has; it may depend on the size of the page in points */
export function pictureOf(document: Document, { page, width }: WantedPage, unitsPerPoint: (width: number, height: number) => number = () => 1): PagePicture {
	const pages = document.countPages();
	requirePage(page, pages);
	const sheet = document.loadPage(page - 1);
	try {
		const [left, top, right, bottom] = sheet.getBounds();
		const size = [Math.max(1, right - left), Math.max(1, bottom - top)] as const;
		const scale = scaleOf(size, width);
		const pixmap = sheet.toPixmap(mupdf.Matrix.scale(scale, scale), mupdf.ColorSpace.DeviceRGB, false);
		const units = unitsPerPoint(...size);
		return { ...encoded(pixmap), width: size[0] * units, height: size[1] * units, pages };
	} finally {
		sheet.destroy();
	}
}

/** @throws PAGE_MISSING */
export function requirePage(page: number, pages: number): void {
	if (page > pages) throw fail("PAGE_MISSING", page, pages);
}

/** How far a page of this size is scaled to be as wide as wanted, within the limits. */
export function scaleOf([width, height]: readonly [number, number], wanted: number): number {
	return Math.min(wanted / width, sideMax / height, Math.sqrt(pixelsMax / (width * height)));
}

export function encoded(pixmap: Pixmap): Pick<PagePicture, "bytes" | "mediaType"> {
	try {
		// A copy, since the bytes are in MuPDF's memory.
		return { bytes: pixmap.asJPEG(jpegQuality).slice(), mediaType: "image/jpeg" };
	} finally {
		pixmap.destroy();
	}
}
