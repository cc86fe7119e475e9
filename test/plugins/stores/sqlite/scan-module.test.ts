/** The WebAssembly that runs is the one that can be read. */

import { expect, test } from "bun:test";
import { readWat } from "../../../../scripts/read-wat.ts";

const folder = `${import.meta.dir}/../../../../plugins/stores/sqlite/vectors/matrix`;

test("scan.wasm is what scan.wat says", async () => {
	const built = await readWat(`${folder}/scan.wat`);
	const stored = await Bun.file(`${folder}/scan.wasm`).bytes();
	expect(Buffer.from(stored).equals(built)).toBe(true);
});
