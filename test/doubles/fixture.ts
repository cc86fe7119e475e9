/** The bytes of a file in test/fixtures/extractors. */

import { readFileSync } from "node:fs";

export function fixture(name: string): Uint8Array {
	return new Uint8Array(readFileSync(new URL(`../fixtures/extractors/${name}`, import.meta.url)));
}
