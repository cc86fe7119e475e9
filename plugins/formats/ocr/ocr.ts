/** Reads the text of an image with Tesseract. There is one engine for each language, which is kept as long as the process lives. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createOCREngine, type OCREngine, supportsFastBuild } from "tesseract-wasm";
import { type GrayImage, grayToRgba, resize, rotateUpright } from "./gray-image.ts";
import type { OcrModel } from "./ocr-models.ts";

export interface OcrLine {
	readonly text: string;
	/** Left, top, right, bottom in pixels of the input image. */
	readonly box: readonly [number, number, number, number];
	/** Whether a paragraph ends here. */
	readonly isLast: boolean;
}

export interface OcrResult {
	readonly lines: readonly OcrLine[];
	/** The mean confidence of all words, from 0 to 1. */
	readonly confidence: number;
	/** The number of words. */
	readonly words: number;
}

export type Ocr = (image: GrayImage) => OcrResult;

/** Tesseract is trained on lines about 30 pixels high. On lines below 22 pixels it makes many mistakes. */
const smallLinePixelsMax = 22;
const targetLinePixels = 30;
const enlargementMax = 3;
/** Above 20 megapixels Tesseract takes gigabytes, or silently returns nothing. */
export const ocrPixelsMax = 20_000_000;
/** Upright text has a confidence of at least 0.85, upside-down text or another script at most 0.5. */
const doubtfulConfidence = 0.65;
/** This many words are enough to decide on a document's language. */
const decidingWords = 10;
/** With fewer words, as in a logo, the orientation cannot be determined. */
const orientationWordsMin = 3;
/** Lines with a lower confidence are not text, but noise or the edge of a picture. */
const noiseConfidence = 0.3;

const enginesByPath = new Map<string, Promise<OCREngine>>();

/**
 * Returns a function that reads the pages of one document in these languages. The first page with enough words is read in every language,
 * and the result with the highest confidence is used. From then on its language is tried first, and the others only if confidence is low.
 */
export async function loadOcr(models: readonly OcrModel[]): Promise<Ocr> {
	let engines: readonly OCREngine[] = await Promise.all(models.map(cachedEngine));
	let isLanguageUnknown = true;
	return (image) => {
		const [best, engine] = readInBestLanguage(engines, image, isLanguageUnknown ? 1 : doubtfulConfidence);
		if (best.words >= decidingWords) {
			isLanguageUnknown = false;
			engines = [engine, ...engines.filter((other) => other !== engine)];
		}
		return best;
	};
}

function cachedEngine({ path }: OcrModel): Promise<OCREngine> {
	const engine = enginesByPath.get(path) ?? startEngine(readModel(path));
	enginesByPath.set(path, engine);
	return engine;
}

async function startEngine(model: Uint8Array): Promise<OCREngine> {
	const name = supportsFastBuild() ? "tesseract-core.wasm" : "tesseract-core-fallback.wasm";
	const folder = dirname(fileURLToPath(import.meta.resolve("tesseract-wasm")));
	const engine = await createOCREngine({ wasmBinary: readFileSync(join(folder, name)) });
	engine.loadModel(model);
	return engine;
}

function readModel(path: string): Uint8Array {
	const bytes = readFileSync(path);
	return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

/** Tries one language after another until the confidence is high enough, and returns the best result. */
function readInBestLanguage(engines: readonly OCREngine[], image: GrayImage, sufficientConfidence: number): readonly [OcrResult, OCREngine] {
	let best: readonly [OcrResult, OCREngine] | null = null;
	for (const engine of engines) {
		const result = readInBestOrientation(engine, image);
		if (best === null || result.confidence > best[0].confidence) best = [result, engine];
		if (best[0].confidence >= sufficientConfidence) break;
	}
	if (best === null) throw new Error("OCR needs at least one language");
	return best;
}

/** Tries orientations and returns the best result. */
function readInBestOrientation(engine: OCREngine, image: GrayImage): OcrResult {
	let loadedImage: GrayImage | null = null;
	// Does nothing for the image that is loaded already, since the engine caches its analysis of the image.
	const loadImage = (nextImage: GrayImage) => {
		if (nextImage === loadedImage) return;
		engine.clearImage();
		const copy = grayToRgba(nextImage);
		engine.loadImage(copy);
		copy.data.buffer.transfer(0); // frees up to 80 MB now, not at the next garbage collection
		loadedImage = nextImage;
	};
	loadImage(image);
	const lines = engine.getBoundingBoxes("line").map(({ rect }) => ({ width: rect.right - rect.left, height: rect.bottom - rect.top }));
	const factor = enlargementFor(lines, image);
	const enlarged = factor === 1 ? image : resize(image, factor);
	const detectOrientation = () => {
		loadImage(enlarged);
		return engine.getOrientation();
	};
	let best: OcrResult | null = null;
	for (const orientation of orientations(lines, detectOrientation)) {
		loadImage(rotateUpright(enlarged, orientation));
		const result = rotateBack(recognise(engine), enlarged, orientation);
		if (best === null || result.confidence > best.confidence) best = result;
		if (best.confidence >= doubtfulConfidence || (orientation === unrotated && best.words < orientationWordsMin)) break;
	}
	engine.clearImage();
	return scaleBack(best ?? { lines: [], confidence: 0, words: 0 }, factor);
}

interface Size {
	readonly width: number;
	readonly height: number;
}

interface Orientation {
	/** Degrees clockwise. */
	readonly rotation: number;
	readonly confidence: number;
}

/** The detected orientation is used only above this confidence. */
const detectionConfidenceMin = 0.5;
/** EXIF orientations. */
const [unrotated, upsideDown, rotatedLeft, rotatedRight] = [1, 3, 6, 8] as const;

/**
 * The orientations to try: unrotated, then upside down. Tesseract rotates sideways text itself, but returns it in the wrong order. If
 * most lines are vertical, or there are none, the orientation that Tesseract detects comes first. Its detection does not work for text
 * in capitals and most other scripts.
 */
function* orientations(lines: readonly Size[], detectOrientation: () => Orientation): Generator<number> {
	const verticalLines = lines.filter(({ width, height }) => height > width).length;
	if (verticalLines * 2 >= lines.length) {
		const { rotation, confidence } = detectOrientation();
		if (confidence > detectionConfidenceMin && rotation === 90) yield rotatedRight;
		if (confidence > detectionConfidenceMin && rotation === 270) yield rotatedLeft;
	}
	yield unrotated;
	yield upsideDown;
}

function enlargementFor(lines: readonly Size[], image: GrayImage): number {
	const heights = lines
		.map(({ width, height }) => Math.min(width, height))
		.filter((height) => height > 4)
		.sort((a, b) => a - b);
	const median = heights[heights.length >> 1] ?? 0;
	if (median === 0 || median >= smallLinePixelsMax) return 1;
	const wanted = Math.min(enlargementMax, Math.max(1.5, targetLinePixels / median));
	const possible = Math.sqrt(ocrPixelsMax / (image.width * image.height));
	return possible >= 1.2 ? Math.min(wanted, possible) : 1;
}

function recognise(engine: OCREngine): OcrResult {
	const words = engine.getTextBoxes("word").filter((word) => /[\p{L}\p{N}]/u.test(word.text));
	const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length);
	const lines: OcrLine[] = [];
	for (const { rect, text, confidence: lineConfidence } of engine.getTextBoxes("line")) {
		const trimmed = text.trim();
		// Tesseract ends a line with one line feed and a paragraph with two.
		if (trimmed !== "" && lineConfidence >= noiseConfidence)
			lines.push({ text: trimmed, box: [rect.left, rect.top, rect.right, rect.bottom], isLast: /\n\s*\n$/.test(text) });
	}
	return confidence < noiseConfidence ? { lines: [], confidence, words: 0 } : { lines, confidence, words: words.length };
}

/** Converts boxes of an image that `rotateUpright` rotated to those of the original image. */
function rotateBack(result: OcrResult, { width, height }: Size, orientation: number): OcrResult {
	if (orientation === unrotated) return result;
	const lines = result.lines.map((line) => ({ ...line, box: unrotatedBox(line.box, width, height, orientation) }));
	return { ...result, lines };
}

function unrotatedBox([left, top, right, bottom]: OcrLine["box"], width: number, height: number, orientation: number): OcrLine["box"] {
	if (orientation === rotatedLeft) return [top, height - right, bottom, height - left];
	if (orientation === rotatedRight) return [width - bottom, left, width - top, right];
	return [width - right, height - bottom, width - left, height - top];
}

function scaleBack(result: OcrResult, factor: number): OcrResult {
	if (factor === 1) return result;
	const lines = result.lines.map((line) => {
		const [left, top, right, bottom] = line.box;
		return { ...line, box: [left / factor, top / factor, right / factor, bottom / factor] as const };
	});
	return { ...result, lines };
}
