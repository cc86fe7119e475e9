/** The part of tesseract-wasm that is used here: its own types are not reachable through its `exports`. */

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
	/** `ImageData` as far as the engine looks at it. */
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
		/** Degrees clockwise that the letters are turned by, and from 0 to 1 how surely. */
		readonly getOrientation: () => { readonly rotation: number; readonly confidence: number };
		readonly destroy: () => void;
	}
	export function supportsFastBuild(): boolean;
	export function createOCREngine(options: { readonly wasmBinary: Uint8Array }): Promise<OCREngine>;
}
