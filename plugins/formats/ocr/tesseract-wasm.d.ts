/** The part of tesseract-wasm that is used here; its own types are not in its `exports`. */

declare module "tesseract-wasm" {
	export interface IntRect {
		readonly left: number;
		readonly top: number;
		readonly right: number;
		readonly bottom: number;
	}
	export interface TextItem {
		readonly rect: IntRect;
		/** From 0 to 1. */
		readonly confidence: number;
		readonly text: string;
	}
	/** The part of `ImageData` that the engine uses. */
	export interface Pixels {
		readonly data: Uint8ClampedArray;
		readonly width: number;
		readonly height: number;
	}
	export interface OCREngine {
		readonly loadModel: (model: Uint8Array) => void;
		readonly loadImage: (image: Pixels) => void;
		readonly clearImage: () => void;
		readonly getBoundingBoxes: (unit: "line" | "word") => readonly { readonly rect: IntRect }[];
		readonly getTextBoxes: (unit: "line" | "word") => readonly TextItem[];
		/** Clockwise rotation in degrees, and the confidence from 0 to 1. */
		readonly getOrientation: () => { readonly rotation: number; readonly confidence: number };
		readonly destroy: () => void;
	}
	export function supportsFastBuild(): boolean;
	export function createOCREngine(options: { readonly wasmBinary: Uint8Array }): Promise<OCREngine>;
}
