/** Web pages and other HTML: markup → blocks, without the boilerplate. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { HtmlInput } from "./engine.ts";

export default definePlugin({
	name: "extractor-html",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "html",
			accepts: ["text/html", "application/xhtml+xml"],
			async extract(source, step) {
				const input: HtmlInput = { content: await contentOf(source), address: source.address?.href ?? null };
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
