/** A model of the AI SDK that knows what is remembered of a user, and remembers what is said. */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { withSupermemory } from "@supermemory/tools/ai-sdk";
import { generateText } from "ai";

const provider = createOpenAICompatible({
	name: "provider",
	baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
	apiKey: process.env["OPENAI_API_KEY"] ?? "",
});
const model = provider(process.env["OPENAI_MODEL"] ?? "gpt-4o-mini");

/** Its types end with the models of version 6 of the SDK; it wraps those of version 7 alike. */
const remembering = withSupermemory(model as never, {
	containerTag: "leonie",
	customId: "chat-17",
	mode: "full",
	addMemory: "always",
	apiKey: process.env["CAIRN_API_KEY"] ?? "",
	baseUrl: process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767",
}) as typeof model;

const { text } = await generateText({ model: remembering, prompt: "What must I not eat? By the way, I have moved to Saltmarsh." });
console.log(text);
