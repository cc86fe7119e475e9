/**
 * kill -9 at random moments while documents are added, changed and deleted. After every restart what was acknowledged is
 * there, ends `done` once, is found once; what was deleted stays deleted. One folder lives through all rounds.
 */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const rounds = 20;
const clients = 8;
const key = "kill-nine-test-key-0001";

/** What the client knows of one document: the word it must contain, and what it may contain as well because an answer was lost. */
interface Known {
	word: string | null;
	unsure: Set<string | null>;
	/** The round in which it was last touched: only then can it have changed, so the others are looked at once, in the end. */
	round: number;
}

const folder = await mkdtemp(join(tmpdir(), "cairn-kill-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let seed = 20_26;
const random = () => {
	seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
	return seed / 0x80000000;
};
let words = 0;
const newWord = () => `w${words++}q`;

const known = new Map<string, Known>();
let names = 0;

test(`${rounds} rounds`, async () => {
	for (let round = 0; round < rounds; round++) {
		const server = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
		const isDead = { now: false };
		const working = Promise.all(Array.from({ length: clients }, () => useUntilDead(server, isDead, round)));
		await Bun.sleep(30 + random() * 300);
		await server.kill("SIGKILL");
		isDead.now = true;
		await working;
		await verify(round, ({ round: touched }) => touched === round);
	}
	await verify(rounds, () => true);
	const added = [...known.values()].filter(({ word }) => word !== null).length;
	console.log(`kill -9: ${rounds} rounds, ${known.size} documents, ${added} alive`);
	expect(known.size).toBeGreaterThan(rounds);
}, 1_200_000);

async function useUntilDead(server: ServerProcess, isDead: { readonly now: boolean }, round: number): Promise<void> {
	while (!isDead.now) {
		const chance = random();
		const settled = [...known].filter(([, { word, unsure }]) => word !== null && unsure.size === 0);
		const [name, state] = settled[Math.floor(random() * settled.length)] ?? [];
		if (name === undefined || state === undefined || chance < 0.6) await act(server, `doc-${names++}`, newWord(), null, round);
		else if (chance < 0.8) await act(server, name, newWord(), state, round);
		else await act(server, name, null, state, round);
	}
}

/** Adds, changes (a word) or deletes (null). Until the answer is there, both the old and the new are possible. */
async function act(server: ServerProcess, name: string, word: string | null, before: Known | null, round: number): Promise<void> {
	const state = before ?? { word: null, unsure: new Set<string | null>(), round };
	state.round = round;
	known.set(name, state);
	state.unsure.add(word);
	try {
		const response = await request(
			server,
			word === null ? "DELETE" : "POST",
			word === null ? `/v3/documents/${name}` : "/v3/documents",
			word === null ? undefined : { content: `Note ${name} says ${word}.`, customId: name },
		);
		if (response.status !== 200 && response.status !== 204) throw new Error(`${response.status} ${await response.text()}`);
		state.word = word;
		state.unsure.clear();
	} catch (thrown) {
		// The connection broke: the server is being killed. Any other answer is a fault.
		if (thrown instanceof Error && /^\d{3} /.test(thrown.message)) throw thrown;
	}
}

async function verify(round: number, isAsked: (state: Known) => boolean): Promise<void> {
	const server = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
	try {
		await quiet(server);
		for (const [name, state] of [...known].filter(([, each]) => isAsked(each))) {
			const response = await request(server, "GET", `/v3/documents/${name}`);
			const document = response.status === 404 ? null : ((await response.json()) as { status: string; content: string; id: string; publishedRevision: number });
			const word = document === null ? null : (/says (\w+)\./.exec(document.content)?.[1] ?? "?");
			const possible = new Set([state.word, ...state.unsure]);
			expect(possible.has(word), `round ${round}: ${name} holds ${word}, acknowledged ${state.word}, unsure ${[...state.unsure]}`).toBe(true);
			if (document !== null) expect(document.status, `round ${round}: ${name}`).toBe("done");
			for (const gone of [...possible].filter((other) => other !== null && other !== word))
				expect(await hits(server, gone ?? ""), `round ${round}: ${name} is still found as ${gone}`).toBe(0);
			if (word !== null) expect(await hits(server, word), `round ${round}: ${name} by ${word}`).toBe(1);
			state.word = word;
			state.unsure.clear();
		}
	} finally {
		await server.kill("SIGKILL");
	}
}

/** Waits until nothing is being processed. */
async function quiet(server: ServerProcess): Promise<void> {
	for (let i = 0; i < 2_000; i++) {
		const { total } = (await (await request(server, "GET", "/v3/documents/processing")).json()) as { total: number };
		if (total === 0) return;
		await Bun.sleep(20);
	}
	throw new Error("documents are still in process");
}

/** How many chunks hold the word. */
async function hits(server: ServerProcess, word: string): Promise<number> {
	const response = await request(server, "POST", "/v3/search", { q: word, limit: 5, onlyMatchingChunks: true });
	const { results } = (await response.json()) as { results: { chunks: { content: string }[] }[] };
	return results.flatMap(({ chunks }) => chunks).filter(({ content }) => content.includes(word)).length;
}

function request(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Response> {
	return fetch(`${server.address}${path}`, {
		method,
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
}
