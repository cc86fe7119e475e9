/** Jupyter notebooks: words, code and what it printed, without the pictures. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-notebook",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "notebook",
			accepts: ["application/x-ipynb+json"],
			async extract(source, step) {
				const input = await contentOf(source);
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
