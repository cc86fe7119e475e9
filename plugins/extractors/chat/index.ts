/** Conversations as JSON, JSON lines or `Name: text` logs: one cue for each turn, with its speaker. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { ChatInput } from "./engine.ts";

export default definePlugin({
	name: "extractor-chat",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "chat",
			accepts: ["application/x-chat+json", "text/x-chat"],
			async extract(source, step) {
				const input: ChatInput = { content: await contentOf(source), form: source.mediaType === "text/x-chat" ? "log" : "json" };
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
