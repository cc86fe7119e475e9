/** Writes a little of everything by the API, in an order that chance decides. */

import type { TestClient } from "./test-server.ts";

type Write = (client: TestClient, pick: <Item>(items: readonly Item[]) => Item, number: number) => Promise<Response>;

const tags = ["harbour", "alice", "Bücher"];
const names = ["one", "two", "three"];
const sentences = [
	"Alice lives in Lisbon.",
	"Ben plays the oboe on Mondays.",
	"The ferry leaves at nine 🚢 “sharp”.",
	"Zoë's café opens – maybe – in May.",
	"Line one.\nLine two: x\\y.",
];

const writes: readonly Write[] = [
	(client, pick, number) =>
		client.send("POST", "/v3/documents", {
			content: `${pick(sentences)} Number ${number}.`,
			containerTags: [pick(tags)],
			metadata: { number, share: number / 3, list: ["a", pick(names)], yes: true },
		}),
	(client, pick) => client.send("POST", "/v3/documents", { content: pick(sentences), customId: pick(names), containerTag: pick(tags) }),
	(client, pick, number) =>
		client.send("POST", "/v4/memories", { containerTag: pick(tags), memories: [{ content: `${pick(sentences)} (${number})`, metadata: { number } }] }),
	(client, pick) => client.send("PATCH", "/v4/memories", { containerTag: pick(tags), content: pick(sentences), newContent: `${pick(sentences)} Now.` }),
	(client, pick) => client.send("DELETE", "/v4/memories", { containerTag: pick(tags), content: pick(sentences) }),
	(client, pick) => client.send("PATCH", `/v3/container-tags/${encodeURIComponent(pick(tags))}`, { name: pick(names), entityContext: pick(sentences) }),
	(client, pick) => client.send("PATCH", "/v3/settings", { filterPrompt: pick(sentences) }),
	(client, pick) => client.send("POST", "/v3/webhooks", { url: `https://${pick(names)}.example/`, types: ["document.queued"] }),
	(client, pick) => client.send("POST", "/v3/auth/agent-key", { name: pick(names), permission: "write", containerTags: [pick(tags)] }),
	(client, pick) =>
		client.send("POST", "/v3/documents", undefined, {
			body: JSON.stringify({ content: pick(sentences) }),
			headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
		}),
	(client, pick, number) => {
		const form = new FormData();
		form.set("file", new File([`# ${pick(names)}\n\n${pick(sentences)} ${number}`], `note-${number}.md`, { type: "text/markdown" }));
		form.set("containerTag", pick(tags));
		return client.send("POST", "/v3/documents/file", undefined, { body: form });
	},
	async (client, pick) => {
		const { memories } = (await (await client.send("POST", "/v3/documents/list", { limit: 20 })).json()) as {
			readonly memories: readonly { readonly id: string }[];
		};
		if (memories.length === 0) return new Response();
		return client.send("DELETE", "/v3/documents/bulk", { ids: [pick(memories).id] });
	},
];

/** Writes `count` times. Each kind of write comes once before chance decides. @throws if the server fails */
export async function writeAtRandom(client: TestClient, random: () => number, count: number): Promise<void> {
	const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
	for (let number = 0; number < count; number++) {
		const write = writes[number] ?? pick(writes);
		const answer = await write(client, pick, number);
		if (answer.status >= 500) throw new Error(`write ${number} was answered with ${answer.status}: ${await answer.text()}`);
	}
}
