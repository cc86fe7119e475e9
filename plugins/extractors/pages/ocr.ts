/** Reads the words of a picture with Tesseract, one engine per language, kept for the life of the child. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createOCREngine, type OCREngine, supportsFastBuild } from "tesseract-wasm";
import { type GrayImage, resized, rgbaOfGray, turnedAround } from "./gray-image.ts";

export interface OcrLine {
	readonly text: string;
	/** Left, top, right, bottom in pixels of the picture that was handed in. */
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

/** Tesseract is trained on letters of about 30 pixels a line; below 22 it begins to guess. */
const smallLinePixels = 22;
const goodLinePixels = 30;
const enlargementMax = 3;
/** Beyond 20 megapixels Tesseract takes gigabytes, or silently answers nothing. */
export const ocrPixelsMax = 20_000_000;
/** Text the right way up scores 0.85 and more, upside down or in a foreign script 0.5 and less. */
const doubtfulConfidence = 0.65;
/** Lines that are no writing at all, but grain or the edge of a picture. */
const noiseConfidence = 0.3;

const started = new Map<string, Promise<Ocr>>();

/** English, and every `*.traineddata` of the folder, tried in the order of their names when English reads badly. */
export function loadOcr(dataFolder: string | null): Promise<Ocr> {
	const key = dataFolder ?? "";
	const known = started.get(key) ?? startOcr(dataFolder);
	started.set(key, known);
	return known;
}

async function startOcr(dataFolder: string | null): Promise<Ocr> {
	const english = await startEngine(englishModel());
	const others = new Map<string, Promise<OCREngine>>();
	const files =
		dataFolder === null
			? []
			: readdirSync(dataFolder)
					.filter((name) => name.endsWith(".traineddata"))
					.sort();
	for (const name of files) others.set(name, startEngine(readFileSync(join(dataFolder ?? "", name))));
	const engines = [english, ...(await Promise.all(others.values()))];
	return (image) => readBest(engines, image);
}

async function startEngine(model: Uint8Array): Promise<OCREngine> {
	const name = supportsFastBuild() ? "tesseract-core.wasm" : "tesseract-core-fallback.wasm";
	const folder = dirname(fileURLToPath(import.meta.resolve("tesseract-wasm")));
	const engine = await createOCREngine({ wasmBinary: readFileSync(join(folder, name)) });
	engine.loadModel(model);
	return engine;
}

function englishModel(): Uint8Array {
	const folder = dirname(fileURLToPath(import.meta.resolve("@tesseract.js-data/eng")));
	return gunzipSync(readFileSync(join(folder, "4.0.0_best_int", "eng.traineddata.gz")));
}

/** As it is first; only if that is doubtful upside down, and in the other languages. The surest reading wins. */
function readBest(engines: readonly OCREngine[], image: GrayImage): OcrResult {
	let best: OcrResult | null = null;
	for (const engine of engines) {
		const reading = readEitherWay(engine, image);
		if (best === null || reading.confidence > best.confidence) best = reading;
		if (best.confidence >= doubtfulConfidence) break;
	}
	return best ?? { lines: [], confidence: 0, words: 0 };
}

/** Sideways text Tesseract turns itself, so that two tries cover four directions. */
function readEitherWay(engine: OCREngine, image: GrayImage): OcrResult {
	engine.loadImage(rgbaOfGray(image));
	const factor = enlargement(engine, image);
	const enlarged = factor === 1 ? image : resized(image, factor);
	if (factor !== 1) engine.loadImage(rgbaOfGray(enlarged));
	const upright = recognise(engine);
	if (upright.confidence >= doubtfulConfidence || upright.words < 3) return scaledBack(upright, factor);
	engine.loadImage(rgbaOfGray(turnedAround(enlarged)));
	const turned = recognise(engine);
	const better = turned.confidence > upright.confidence ? turnedBack(turned, enlarged) : upright;
	return scaledBack(better, factor);
}

/** Asks only for the layout of the loaded picture, which recognition then need not find again. */
function enlargement(engine: OCREngine, image: GrayImage): number {
	const heights = engine
		.getBoundingBoxes("line")
		.map(({ rect }) => Math.min(rect.bottom - rect.top, rect.right - rect.left))
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
		// An engine ends a line with one line feed and a paragraph with two.
		if (written !== "" && sureness >= noiseConfidence)
			lines.push({ text: written, box: [rect.left, rect.top, rect.right, rect.bottom], isLast: /\n\s*\n$/.test(text) });
	}
	engine.clearImage();
	return confidence < noiseConfidence ? { lines: [], confidence, words: 0 } : { lines, confidence, words: words.length };
}

function turnedBack(result: OcrResult, { width, height }: GrayImage): OcrResult {
	const lines = result.lines.map((line) => {
		const [left, top, right, bottom] = line.box;
		return { ...line, box: [width - right, height - bottom, width - left, height - top] as const };
	});
	return { ...result, lines };
}

function scaledBack(result: OcrResult, factor: number): OcrResult {
	if (factor === 1) return result;
	const lines = result.lines.map((line) => {
		const [left, top, right, bottom] = line.box;
		return { ...line, box: [left / factor, top / factor, right / factor, bottom / factor] as const };
	});
	return { ...result, lines };
}
