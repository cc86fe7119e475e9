/**
 * Whether the time of an answer tells a key that an id is there in a container it may not see: `bun bench/foreign-ids.ts [pairs]`. A key
 * that is bound to one container asks in turn for what is in another one and for what is nowhere. A machine that others use as well slows
 * both alike, so the differences within pairs are what counts: their median, with its 99 % interval by rank, needs no model of the noise.
 */

import { randomInt } from "node:crypto";
import { waitUntilDone } from "./client.ts";
import { key, startServer, temporaryFolder } from "./server.ts";
import { median } from "./times.ts";

const pairs = Number(process.argv[2] ?? 2_000);
const warmUp = 200;
const documents = 60;
const shown = (us: number) => us.toFixed(0);
/** Of a normal distribution, for an interval of 99 %. */
const z99 = 2.576;
const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

await using folder = await temporaryFolder();
const server = await startServer(folder.path, [], {}, undefined, false);
const send = async (bearer: string, method: string, path: string, body?: unknown) => {
	const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
	const answer = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	return { status: answer.status, text: await answer.text() };
};
const made = async (method: string, path: string, body: unknown) => JSON.parse((await send(key, method, path, body)).text);

const ids: string[] = [];
for (let i = 0; i < documents; i++) {
	const content = `Ottilie keeps the lamp number ${i} in a blue box.`;
	ids.push((await made("POST", "/v3/documents", { content, customId: `theirs-${i}`, containerTag: "theirs", metadata: { i } })).id);
}
for (const id of ids) await waitUntilDone(server, id);
const { memories } = await made("POST", "/v4/memories", {
	containerTag: "theirs",
	memories: Array.from({ length: documents }, (_, i) => ({ content: `Paul has the key number ${i}.` })),
});
const memoryIds: readonly string[] = memories.map(({ id }: { readonly id: string }) => id);
const { id: largeId } = await made("POST", "/v3/documents", {
	content: "Ottilie keeps the lamp. ".repeat(80_000),
	containerTag: "theirs",
	taskType: "superrag",
});
await waitUntilDone(server, largeId);
const scoped = String((await made("POST", "/v3/auth/scoped-key", { containerTag: "mine", rateLimitMax: 10_000, rateLimitTimeWindow: 1_000 })).key);

interface Question {
	readonly name: string;
	readonly there: readonly string[];
	readonly ask: (id: string) => readonly [method: string, path: string, body?: unknown];
}

const names = ids.map((_, i) => `theirs-${i}`);
const questions: readonly Question[] = [
	{ name: "GET a document by its id", there: ids, ask: (id) => ["GET", `/v3/documents/${id}`] },
	{ name: "GET a document of 2 MB", there: [largeId], ask: (id) => ["GET", `/v3/documents/${id}`] },
	{ name: "GET a document by its customId", there: names, ask: (id) => ["GET", `/v3/documents/${id}`] },
	{ name: "GET its chunks", there: ids, ask: (id) => ["GET", `/v3/documents/${id}/chunks`] },
	{ name: "PATCH it", there: ids, ask: (id) => ["PATCH", `/v3/documents/${id}`, { metadata: { i: 1 } }] },
	{ name: "DELETE it", there: ids, ask: (id) => ["DELETE", `/v3/documents/${id}`] },
	{ name: "change a memory", there: memoryIds, ask: (id) => ["PATCH", "/v4/memories", { containerTag: "mine", id, newContent: "Paul has none." }] },
	{ name: "forget a memory", there: memoryIds, ask: (id) => ["DELETE", "/v4/memories", { containerTag: "mine", id }] },
	{ name: "GET a container", there: ["theirs"], ask: (tag) => ["GET", `/v3/container-tags/${tag}`] },
];

console.log("| | There, median µs | Nowhere, median µs | Difference, median µs (99 % interval) | Tells |\n|---|---|---|---|---|");
try {
	for (const question of questions) await measure(question);
} finally {
	await server.stop();
}

async function measure({ name, there, ask }: Question): Promise<void> {
	const [inTheirs, nowhere, differences]: [number[], number[], number[]] = [[], [], []];
	for (let i = -warmUp; i < pairs; i++) {
		const id = there[randomInt(there.length)] as string;
		const none = alike(id);
		const isFirst = randomInt(2) === 0;
		const first = await timed(isFirst ? id : none);
		const second = await timed(isFirst ? none : id);
		if (first.answer !== second.answer) throw new Error(`${name}: the answers differ: ${first.answer} ${second.answer}`);
		if (i < 0) continue;
		const [a, b] = isFirst ? [first.us, second.us] : [second.us, first.us];
		inTheirs.push(a);
		nowhere.push(b);
		differences.push(a - b);
	}
	differences.sort((a, b) => a - b);
	const reach = (z99 * Math.sqrt(pairs)) / 2;
	const [low = 0, high = 0] = [differences[Math.floor(pairs / 2 - reach)], differences[Math.ceil(pairs / 2 + reach)]];
	const tells = low > 0 || high < 0;
	if (tells) process.exitCode = 1;
	const interval = `${shown(median(differences))} (${shown(low)} to ${shown(high)})`;
	console.log(`| ${name} | ${shown(median(inTheirs))} | ${shown(median(nowhere))} | ${interval} | ${tells ? "**yes**" : "no"} |`);

	async function timed(asked: string) {
		const began = performance.now();
		const { status, text } = await send(scoped, ...ask(asked));
		const took = performance.now() - began;
		return { us: took * 1_000, answer: `${status} ${text.replaceAll(asked, "ID").replace(/"requestId":"[\w-]+"/, "")}` };
	}
}

/** A name of the same kind that nobody has. */
function alike(id: string): string {
	return id.startsWith("theirs") ? id.replace("theirs", "others") : Array.from(id, () => letters[randomInt(letters.length)]).join("");
}
