/** E-books: the chapters of an EPUB in reading order. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { BytesInput } from "../../formats/blocks/content.ts";
import { epubSigns } from "../../formats/epub/signs.ts";
import { bytesOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-epub",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<BytesInput>(host, {
				name: "epub",
				signs: epubSigns,
				engine: new URL("../../formats/epub/engine.ts", import.meta.url),
				input: async (source) => ({ bytes: await bytesOf(source) }),
				// A book of a thousand pages takes some seconds.
				bounds: { timeoutMs: 120_000, memoryMb: 1_024 },
			}),
		],
	}),
});
