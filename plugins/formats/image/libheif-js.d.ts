/** The part of libheif-js that is used here; its own types are those of its C interface. */

declare module "libheif-js/libheif-wasm/libheif.js" {
	export interface HeifImage {
		readonly get_width: () => number;
		readonly get_height: () => number;
		readonly is_primary: () => boolean;
		/** Calls back with null if the picture cannot be decoded. */
		readonly display: (picture: HeifPixels, callback: (shown: HeifPixels | null) => void) => void;
		readonly free: () => void;
	}
	export interface HeifPixels {
		readonly data: Uint8ClampedArray;
		readonly width: number;
		readonly height: number;
	}
	export interface LibHeif {
		readonly ready: Promise<unknown>;
		readonly HeifDecoder: new () => { readonly decode: (bytes: Uint8Array) => readonly HeifImage[] };
	}
	export default function createLibHeif(options: { readonly wasmBinary: Uint8Array }): LibHeif;
}
