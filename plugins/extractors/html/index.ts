/** Web pages and other HTML: markup → blocks, without the boilerplate. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { HtmlInput } from "../../formats/html/engine.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-html",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<HtmlInput>(host, {
				name: "html",
				accepts: ["text/html", "application/xhtml+xml"],
				engine: new URL("../../formats/html/engine.ts", import.meta.url),
				input: async (source) => ({ content: await contentOf(source), address: source.address?.href ?? null }),
			}),
		],
	}),
});
