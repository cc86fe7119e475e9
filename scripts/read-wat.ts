/** WebAssembly of its readable form, by wabt, the toolkit of the WebAssembly community group. */

import wabt from "wabt";

/** @returns the module's bytes, the same for the same text. Throws with file and line where the text is wrong. */
export async function readWat(file: string): Promise<Uint8Array> {
	const { parseWat } = await wabt();
	const parsed = parseWat(file, await Bun.file(file).text(), { simd: true });
	try {
		parsed.validate();
		return parsed.toBinary({}).buffer;
	} finally {
		parsed.destroy();
	}
}
