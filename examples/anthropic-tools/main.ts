/** Two tools for Anthropic's own client: one remembers, one searches. The client runs them until Claude has its answer. */

import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";

const anthropic = new Anthropic({ apiKey: process.env["ANTHROPIC_API_KEY"] ?? "", baseURL: process.env["ANTHROPIC_BASE_URL"] ?? "https://api.anthropic.com" });
const containerTag = "leonie";

const remember = betaZodTool({
	name: "remember",
	description: "Keeps a fact about the user.",
	inputSchema: z.object({ fact: z.string() }),
	run: async ({ fact }) => {
		console.log("remember", fact);
		await cairn("/v4/memories", { containerTag, memories: [{ content: fact }] });
		return "It is remembered.";
	},
});

const recall = betaZodTool({
	name: "recall",
	description: "Finds what is known about the user.",
	inputSchema: z.object({ question: z.string() }),
	run: async ({ question }) => {
		console.log("recall", question);
		const { results } = (await cairn("/v4/search", { q: question, containerTag, searchMode: "hybrid", limit: 5 })) as {
			results: { memory?: string; chunk?: string }[];
		};
		return JSON.stringify(results.map(({ memory, chunk }) => memory ?? chunk));
	},
});

const { content } = await anthropic.beta.messages.toolRunner({
	model: process.env["ANTHROPIC_MODEL"] ?? "claude-haiku-5-5",
	max_tokens: 1_000,
	tools: [remember, recall],
	messages: [{ role: "user", content: "I am allergic to nuts. Remember that, then tell me what you know about my allergies." }],
});
for (const block of content) if (block.type === "text") console.log(block.text);

async function cairn(path: string, body: object): Promise<unknown> {
	const response = await fetch(`${process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767"}${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${process.env["CAIRN_API_KEY"]}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(await response.text());
	return response.json();
}
