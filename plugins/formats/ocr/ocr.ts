/** Reads the text of an image with Tesseract, with one engine for each language, kept as long as the process lives. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createOCREngine, type OCREngine, supportsFastBuild } from "tesseract-wasm";
import { type GrayImage, resized, rgbaOfGray, uprighted } from "./gray-image.ts";
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
	/** The mean over all words, from 0 to 1. */
	readonly confidence: number;
	readonly words: number;
}

export type Ocr = (image: GrayImage) => OcrResult;

/** Tesseract is trained on lines about 30 pixels high; below 22 it makes many mistakes. */
const smallLinePixels = 22;
const goodLinePixels = 30;
const enlargementMax = 3;
/** Above 20 megapixels Tesseract takes gigabytes, or silently returns nothing. */
export const ocrPixelsMax = 20_000_000;
/** Upright text has a confidence of at least 0.85, upside-down text or another script at most 0.5. */
const doubtfulConfidence = 0.65;
/** So many words are enough to decide on a document's language. */
const tellingWords = 10;
/** With fewer words, such as a logo, the orientation cannot be decided. */
const fewestWords = 3;
/** Lines below this are not text, but noise or the edge of a picture. */
const noiseConfidence = 0.3;

const started = new Map<string, Promise<OCREngine>>();

/**
 * Reads the pages of one document in these languages. The first page is read in each, and the result with the highest confidence
 * wins; from then on its language is tried first, and the others only where confidence is low.
 */
export async function loadOcr(models: readonly OcrModel[]): Promise<Ocr> {
	let engines: readonly OCREngine[] = await Promise.all(models.map(engineOf));
	let isFirst = true;
	return (image) => {
		const [best, engine] = readBest(engines, image, isFirst ? 1 : doubtfulConfidence);
		if (best.words >= tellingWords) {
			isFirst = false;
			engines = [engine, ...engines.filter((other) => other !== engine)];
		}
		return best;
	};
}

function engineOf({ path }: OcrModel): Promise<OCREngine> {
	const engine = started.get(path) ?? startEngine(modelAt(path));
	started.set(path, engine);
	return engine;
}

async function startEngine(model: Uint8Array): Promise<OCREngine> {
	const name = supportsFastBuild() ? "tesseract-core.wasm" : "tesseract-core-fallback.wasm";
	const folder = dirname(fileURLToPath(import.meta.resolve("tesseract-wasm")));
	const engine = await createOCREngine({ wasmBinary: readFileSync(join(folder, name)) });
	engine.loadModel(model);
	return engine;
}

function modelAt(path: string): Uint8Array {
	const bytes = readFileSync(path);
	return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

/** Tries one language after another until the confidence is high enough, and returns the best result. */
function readBest(engines: readonly OCREngine[], image: GrayImage, sureEnough: number): readonly [OcrResult, OCREngine] {
	let best: readonly [OcrResult, OCREngine] | null = null;
	for (const engine of engines) {
		const reading = readUpright(engine, image);
		if (best === null || reading.confidence > best[0].confidence) best = [reading, engine];
		if (best[0].confidence >= sureEnough) break;
	}
	if (best === null) throw new Error("OCR has no language");
	return best;
}

/** Tries orientations and returns the best result. */
function readUpright(engine: OCREngine, image: GrayImage): OcrResult {
	let shown: GrayImage | null = null;
	// The engine keeps what it has found out about an image until it is replaced.
	const show = (wanted: GrayImage) => {
		if (wanted === shown) return;
		engine.clearImage();
		const copy = rgbaOfGray(wanted);
		engine.loadImage(copy);
		copy.data.buffer.transfer(0); // frees up to 80 MB now, not at the next garbage collection
		shown = wanted;
	};
	show(image);
	const lines = engine.getBoundingBoxes("line").map(({ rect }) => ({ width: rect.right - rect.left, height: rect.bottom - rect.top }));
	const factor = enlargement(lines, image);
	const enlarged = factor === 1 ? image : resized(image, factor);
	const ask = () => {
		show(enlarged);
		return engine.getOrientation();
	};
	let best: OcrResult | null = null;
	for (const orientation of orientations(lines, ask)) {
		show(uprighted(enlarged, orientation));
		const reading = turnedBack(recognise(engine), enlarged, orientation);
		if (best === null || reading.confidence > best.confidence) best = reading;
		if (best.confidence >= doubtfulConfidence || (orientation === asItLies && best.words < fewestWords)) break;
	}
	engine.clearImage();
	return scaledBack(best ?? { lines: [], confidence: 0, words: 0 }, factor);
}

interface Size {
	readonly width: number;
	readonly height: number;
}

interface Standing {
	/** Degrees clockwise. */
	readonly rotation: number;
	readonly confidence: number;
}

/** The detected orientation is used from this confidence on. */
const toldConfidence = 0.5;
/** EXIF orientations. */
const [asItLies, upsideDown, leftUp, rightUp] = [1, 3, 6, 8] as const;

/**
 * First as it is, then upside down. Tesseract rotates sideways text itself, but returns it in the wrong order: where lines run
 * downwards, or none are found, its orientation detection is asked first. That does not work for capitals and most other scripts.
 */
function* orientations(lines: readonly Size[], ask: () => Standing): Generator<number> {
	const runningDown = lines.filter(({ width, height }) => height > width).length;
	if (runningDown * 2 >= lines.length) {
		const { rotation, confidence } = ask();
		if (confidence > toldConfidence && rotation === 90) yield rightUp;
		if (confidence > toldConfidence && rotation === 270) yield leftUp;
	}
	yield asItLies;
	yield upsideDown;
}

function enlargement(lines: readonly Size[], image: GrayImage): number {
	const heights = lines
		.map(({ width, height }) => Math.min(width, height))
		.filter((height) => height > 4)
		.sort((a, b) => a - b);
	const median = heights[heights.length >> 1] ?? 0;
	if (median === 0 || median >= smallLinePixels) return 1;
	const wanted = Math.min(enlargementMax, Math.max(1.5, goodLinePixels / median));
	const possible = Math.sqrt(ocrPixelsMax / (image.width * image.height));
	return possible >= 1.2 ? Math.min(wanted, possible) : 1;
}

function recognise(engine: OCREngine): OcrResult {
	const words = engine.getTextBoxes("word").filter((word) => /[\p{L}\p{N}]/u.test(word.text));
	const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length);
	const lines: OcrLine[] = [];
	for (const { rect, text, confidence: sureness } of engine.getTextBoxes("line")) {
		const written = text.trim();
		// Tesseract ends a line with one line feed and a paragraph with two.
		if (written !== "" && sureness >= noiseConfidence)
			lines.push({ text: written, box: [rect.left, rect.top, rect.right, rect.bottom], isLast: /\n\s*\n$/.test(text) });
	}
	return confidence < noiseConfidence ? { lines: [], confidence, words: 0 } : { lines, confidence, words: words.length };
}

/** Maps boxes of the image rotated by `uprighted` back to the original. */
function turnedBack(result: OcrResult, { width, height }: Size, orientation: number): OcrResult {
	if (orientation === asItLies) return result;
	const lines = result.lines.map((line) => ({ ...line, box: boxBefore(line.box, width, height, orientation) }));
	return { ...result, lines };
}

function boxBefore([left, top, right, bottom]: OcrLine["box"], width: number, height: number, orientation: number): OcrLine["box"] {
	if (orientation === leftUp) return [top, height - right, bottom, height - left];
	if (orientation === rightUp) return [width - bottom, left, width - top, right];
	return [width - right, height - bottom, width - left, height - top];
}

function scaledBack(result: OcrResult, factor: number): OcrResult {
	if (factor === 1) return result;
	const lines = result.lines.map((line) => {
		const [left, top, right, bottom] = line.box;
		return { ...line, box: [left / factor, top / factor, right / factor, bottom / factor] as const };
	});
	return { ...result, lines };
}
