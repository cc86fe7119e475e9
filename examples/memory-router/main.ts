/** A chat with OpenAI's own client through the memory router: the second conversation knows what was said in the first. */

import OpenAI from "openai";

const url = process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767";
const apiKey = process.env["CAIRN_API_KEY"] ?? "";
const model = process.env["OPENAI_MODEL"] ?? "gpt-4o-mini";
const user = "leonie-at-home";
const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, defaultHeaders: { "x-sm-user-id": user } });

await chat("first", "My name is Leonie, I am allergic to nuts.");
// The memories of a turn are extracted beside its answer, which takes a moment.
while (!(await isKnown("allergic to nuts"))) await new Promise((resolve) => setTimeout(resolve, 50));
await chat("second", "What am I allergic to?");

async function chat(conversation: string, content: string): Promise<void> {
	const headers = { "x-sm-conversation-id": conversation };
	const stream = await client.chat.completions.create({ model, stream: true, messages: [{ role: "user", content }] }, { headers });
	for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");
	process.stdout.write("\n");
}

async function isKnown(q: string): Promise<boolean> {
	const response = await fetch(`${url}/v4/search`, {
		method: "POST",
		headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
		body: JSON.stringify({ q, containerTag: user }),
	});
	if (!response.ok) throw new Error(await response.text());
	return ((await response.json()) as { readonly total: number }).total > 0;
}
