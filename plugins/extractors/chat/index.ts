/** Conversations as JSON, JSON lines or `Name: text` logs: one cue for each turn, with its speaker. */

import type { ChatInput } from "../../formats/chat/engine.ts";
import { chatSigns } from "../../formats/chat/signs.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-chat", {
	name: "chat",
	signs: chatSigns,
	engine: new URL("../../formats/chat/engine.ts", import.meta.url),
	input: async (source): Promise<ChatInput> => ({ content: await contentOf(source), form: source.mediaType === "text/x-chat" ? "log" : "json" }),
});
