/** JSON and JSON lines as text that searches well: fields with their path, records of one kind as tables. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { JsonInput } from "../../formats/json/engine.ts";
import { jsonSigns } from "../../formats/json/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-json",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<JsonInput>(host, {
				name: "json",
				signs: jsonSigns,
				engine: new URL("../../formats/json/engine.ts", import.meta.url),
				input: async (source) => ({ content: await contentOf(source), form: source.mediaType === "application/x-ndjson" ? "lines" : "json" }),
			}),
		],
	}),
});
