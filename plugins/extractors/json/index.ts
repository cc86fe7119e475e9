/** JSON and JSON lines as text that searches well: fields with their path, records of one kind as tables. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { JsonInput } from "./engine.ts";

export default definePlugin({
	name: "extractor-json",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "json",
			accepts: ["application/json", "application/x-ndjson"],
			async extract(source, step) {
				const input: JsonInput = { content: await contentOf(source), form: source.mediaType === "application/x-ndjson" ? "lines" : "json" };
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
