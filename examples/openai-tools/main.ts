/** Two tools for OpenAI's own client: one remembers, one searches. The client runs them until the model has its answer. */

import OpenAI from "openai";

const openai = new OpenAI({ apiKey: process.env["OPENAI_API_KEY"] ?? "", baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1" });
const containerTag = "leonie";

async function remember({ fact }: { fact: string }): Promise<string> {
	await cairn("/v4/memories", { containerTag, memories: [{ content: fact }] });
	return "It is remembered.";
}

async function recall({ question }: { question: string }): Promise<string> {
	const { results } = (await cairn("/v4/search", { q: question, containerTag, searchMode: "hybrid", limit: 5 })) as {
		results: { memory?: string; chunk?: string }[];
	};
	return JSON.stringify(results.map(({ memory, chunk }) => memory ?? chunk));
}

const runner = openai.chat.completions.runTools({
	model: process.env["OPENAI_MODEL"] ?? "gpt-4o-mini",
	messages: [{ role: "user", content: "I am allergic to nuts. Remember that, then tell me what you know about my allergies." }],
	tools: [
		{
			type: "function",
			function: { name: "remember", description: "Keeps a fact about the user.", function: remember, parse: JSON.parse, parameters: texts("fact") },
		},
		{
			type: "function",
			function: { name: "recall", description: "Finds what is known about the user.", function: recall, parse: JSON.parse, parameters: texts("question") },
		},
	],
});
runner.on("functionToolCall", ({ name, arguments: given }) => console.log(name, given));
console.log(await runner.finalContent());

/** The schema of an object with one text. */
function texts(name: string) {
	return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

async function cairn(path: string, body: object): Promise<unknown> {
	const response = await fetch(`${process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767"}${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${process.env["CAIRN_API_KEY"]}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(await response.text());
	return response.json();
}
