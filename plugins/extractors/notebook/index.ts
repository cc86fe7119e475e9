/** Jupyter notebooks: words, code and what it printed, without the pictures. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { notebookSigns } from "../../formats/notebook/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-notebook",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf(host, {
				name: "notebook",
				signs: notebookSigns,
				engine: new URL("../../formats/notebook/engine.ts", import.meta.url),
				input: contentOf,
			}),
		],
	}),
});
