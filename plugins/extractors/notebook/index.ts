/** Jupyter notebooks: words, code and what it printed, without the pictures. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-notebook",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf(host, {
				name: "notebook",
				accepts: ["application/x-ipynb+json"],
				engine: new URL("../../formats/notebook/engine.ts", import.meta.url),
				input: contentOf,
			}),
		],
	}),
});
