/** A model of the AI SDK with Supermemory's tools, which remember and search in Cairn. */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { supermemoryTools } from "@supermemory/tools/ai-sdk";
import { generateText, isStepCount, type ToolSet } from "ai";

const provider = createOpenAICompatible({
	name: "provider",
	baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
	apiKey: process.env["OPENAI_API_KEY"] ?? "",
});
const tools = supermemoryTools(process.env["CAIRN_API_KEY"] ?? "", {
	baseUrl: process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767",
	containerTags: ["leonie"],
});

const { text, steps } = await generateText({
	model: provider(process.env["OPENAI_MODEL"] ?? "gpt-4o-mini"),
	// They are typed for version 5 of the SDK, and work with version 7.
	tools: tools as unknown as ToolSet,
	stopWhen: isStepCount(5),
	prompt: "What must Leonie not eat? Search your memory before you answer.",
});
for (const { toolCalls } of steps) for (const { toolName, input } of toolCalls) console.log(toolName, JSON.stringify(input));
console.log(text);
