/** kill -9 in the middle of a rollback and of its undo: repeated under its name it is whole, in search, profile and graph alike. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const key = "rollback-fault-test-key-01";
/** Removed a hundred at a time. */
const notes = 250;
const containerTag = "zoo";

const folder = await mkdtemp(join(tmpdir(), "cairn-rollback-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Body = Readonly<Record<string, unknown>>;
let server: ServerProcess;

async function ask(method: string, path: string, body?: unknown): Promise<Body> {
	const answer = await fetch(`${server.address}${path}`, {
		method,
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	return { status: answer.status, ...((await answer.json()) as Body) };
}

const start = async () => {
	server = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
};

/** Kills the server when so many documents are left, and starts it again. @returns the answer, if there was one. */
async function cutOff(request: Promise<Body>, isTime: (left: number) => boolean): Promise<Body | null> {
	let isAnswered = false;
	const answer = request
		.catch(() => null)
		.finally(() => {
			isAnswered = true;
		});
	while (!isAnswered && !isTime(await count()));
	await server.kill("SIGKILL");
	await start();
	await quiet();
	return answer;
}

async function count(): Promise<number> {
	const { pagination } = (await ask("POST", "/v3/documents/list", { limit: 1 })) as unknown as { readonly pagination: { readonly totalItems: number } };
	return pagination.totalItems;
}

async function quiet(): Promise<void> {
	while ((await ask("GET", "/v3/documents/processing"))["total"] !== 0) await Bun.sleep(20);
}

async function add(documents: readonly Body[]): Promise<void> {
	await ask("POST", "/v3/documents/batch", { documents: documents.map((document) => ({ dreaming: "instant", containerTag, ...document })) });
	await quiet();
}

/** What each of the views shows. */
async function shown(): Promise<readonly (readonly string[])[]> {
	const { results } = (await ask("POST", "/v4/search", { q: "who feeds what", containerTag, threshold: 0, limit: 100 })) as unknown as {
		readonly results: readonly { readonly memory: string }[];
	};
	const { profile } = (await ask("POST", "/v4/profile", { containerTag })) as unknown as { readonly profile: Readonly<Record<string, readonly string[]>> };
	const { graph } = (await ask("GET", `/v4/graph?containerTag=${containerTag}&limit=500`)) as unknown as {
		readonly graph: { readonly nodes: Readonly<Record<string, { readonly label: string; readonly metadata: { readonly isLatest: boolean } }>> };
	};
	const current = Object.values(graph.nodes).filter(({ metadata }) => metadata.isLatest);
	return [results.map(({ memory }) => memory), [...(profile["static"] ?? []), ...(profile["dynamic"] ?? [])], current.map(({ label }) => label)].map((texts) =>
		texts.toSorted(),
	);
}

test("cut off and repeated, a rollback and its undo are whole", async () => {
	await start();
	const kept = ["Ada lives in Ulm.", "Ben plays the oboe."];
	await add([{ content: kept[0] }, { content: kept[1] }]);
	const source = Array.from({ length: notes }, (_, i) => ({
		content: `Keeper${String.fromCharCode(97 + (i % 26))}${i} likes quagga ${i}.`,
		customId: `zoo-${i}`,
	}));
	await add([...source, { content: "Ada lives in Bonn. Ben plays the oboe.", customId: "zoo-last" }]);
	const before = await shown();
	const removalIds = ["2", "3", "4"].map((digit) => digit.repeat(22));
	const cuts: string[] = [];
	const all = await count();
	for (const [round, removalId] of removalIds.entries()) {
		const rollBack = () => ask("POST", "/v4/sources/rollback", { customIdPrefix: "zoo-", removalId });
		const restore = () => ask("POST", "/v3/documents/restore", { removalId });
		const removed = await cutOff(rollBack(), (left) => left < all - 100 * round);
		const { documentCount } = await ask("POST", "/v4/sources/rollback", { customIdPrefix: "zoo-", dryRun: true });
		cuts.push(`${removed === null ? "cut off" : "done"} with ${documentCount} of ${notes + 1} left`);
		expect((await rollBack())["documentCount"]).toBe(documentCount);
		expect(await shown(), `round ${round}`).toEqual([kept.toSorted(), kept.toSorted(), kept.toSorted()]);
		await cutOff(restore(), (back) => back > kept.length + 80 * round);
		await restore();
		await quiet();
		expect(await shown(), `round ${round}, undone`).toEqual(before);
	}
	console.log(`rollback: ${cuts.join("; ")}`);
	await server.kill("SIGKILL");
}, 600_000);
