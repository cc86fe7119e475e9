/** An agent of Mastra with two tools: one remembers, one searches. */

import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

const containerTag = "leonie";

const remember = createTool({
	id: "remember",
	description: "Keeps a fact about the user.",
	inputSchema: z.object({ fact: z.string() }),
	execute: async ({ fact }) => {
		console.log("remember", fact);
		await cairn("/v4/memories", { containerTag, memories: [{ content: fact }] });
		return "It is remembered.";
	},
});

const recall = createTool({
	id: "recall",
	description: "Finds what is known about the user.",
	inputSchema: z.object({ question: z.string() }),
	execute: async ({ question }) => {
		console.log("recall", question);
		const { results } = (await cairn("/v4/search", { q: question, containerTag, searchMode: "hybrid", limit: 5 })) as {
			results: { memory?: string; chunk?: string }[];
		};
		return results.map(({ memory, chunk }) => memory ?? chunk);
	},
});

const agent = new Agent({
	id: "leonie",
	name: "leonie",
	instructions: "Remember what the user says of themselves, and answer by what is known.",
	model: {
		id: `openai/${process.env["OPENAI_MODEL"] ?? "gpt-4o-mini"}`,
		url: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
		apiKey: process.env["OPENAI_API_KEY"] ?? "",
	},
	tools: { remember, recall },
});

const { text } = await agent.generate("I am allergic to nuts. Remember that, then tell me what you know about my allergies.");
console.log(text);

async function cairn(path: string, body: object): Promise<unknown> {
	const response = await fetch(`${process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767"}${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${process.env["CAIRN_API_KEY"]}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(await response.text());
	return response.json();
}
