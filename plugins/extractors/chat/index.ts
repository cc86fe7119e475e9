/** Conversations as JSON, JSON Lines or `Name: text` logs: one cue for each turn, with its speaker. */

import type { ChatInput } from "../../formats/chat/engine.ts";
import { chatSignatures } from "../../formats/chat/signatures.ts";
import { contentOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-chat", {
	name: "chat",
	signatures: chatSignatures,
	engine: new URL("../../formats/chat/engine.ts", import.meta.url),
	input: async (source): Promise<ChatInput> => ({ content: await contentOf(source), format: source.mediaType === "text/x-chat" ? "log" : "json" }),
});
