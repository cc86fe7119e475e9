/** Conversations as JSON, JSON lines or `Name: text` logs: one cue for each turn, with its speaker. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { ChatInput } from "../../formats/chat/engine.ts";
import { chatSigns } from "../../formats/chat/signs.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-chat",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<ChatInput>(host, {
				name: "chat",
				signs: chatSigns,
				engine: new URL("../../formats/chat/engine.ts", import.meta.url),
				input: async (source) => ({ content: await contentOf(source), form: source.mediaType === "text/x-chat" ? "log" : "json" }),
			}),
		],
	}),
});
