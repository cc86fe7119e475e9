/** Web pages and other HTML: markup → blocks, without the boilerplate. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { HtmlInput } from "../../formats/html/engine.ts";
import { htmlSigns } from "../../formats/html/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-html",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<HtmlInput>(host, {
				name: "html",
				signs: htmlSigns,
				engine: new URL("../../formats/html/engine.ts", import.meta.url),
				input: async (source) => ({ content: await contentOf(source), address: source.address?.href ?? null }),
			}),
		],
	}),
});
