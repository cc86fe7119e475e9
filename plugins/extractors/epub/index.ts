/** E-books: the chapters of an EPUB in reading order. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { bytesOf, readInSandbox } from "../read-in-sandbox.ts";
import type { EpubInput } from "./engine.ts";

/** A book of a thousand pages takes some seconds. */
const bounds = { timeoutMs: 120_000, memoryMb: 1_024 } as const;

export default definePlugin({
	name: "extractor-epub",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "epub",
			accepts: ["application/epub+zip"],
			async extract(source, step) {
				const input: EpubInput = { bytes: await bytesOf(source) };
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...bounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
