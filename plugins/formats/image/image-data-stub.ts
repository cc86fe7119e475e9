/** Stands in for the browser class `ImageData`, which the decoders of jSquash create. */

class ImageDataStub {
	readonly data: Uint8ClampedArray;
	readonly width: number;
	readonly height: number;

	constructor(data: Uint8ClampedArray, width: number, height: number) {
		this.data = data;
		this.width = width;
		this.height = height;
	}
}

export function defineImageData(): void {
	if (!("ImageData" in globalThis)) Object.defineProperty(globalThis, "ImageData", { value: ImageDataStub });
}
