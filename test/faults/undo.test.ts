/** kill -9 around a bulk deletion and its undo: what was acknowledged is gone, and comes back; nothing comes back by itself. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const key = "undo-fault-test-key-0001";
const documents = 60;
const rounds = 3;

const folder = await mkdtemp(join(tmpdir(), "cairn-undo-fault-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Body = Readonly<Record<string, unknown>>;

const start = () => startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });

async function ask(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Body> {
	const answer = await fetch(`${server.address}${path}`, {
		method,
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	return { status: answer.status, ...((await answer.json()) as Body) };
}

async function total(server: ServerProcess): Promise<number> {
	const { pagination } = (await ask(server, "POST", "/v3/documents/list", { limit: 1 })) as unknown as { readonly pagination: { readonly totalItems: number } };
	return pagination.totalItems;
}

/** How many of the documents a search finds by their words. */
async function found(server: ServerProcess): Promise<number> {
	const { results } = (await ask(server, "POST", "/v3/search", { q: "quagga", limit: 100, chunkThreshold: 0.01 })) as {
		results: { chunks: { content: string }[] }[];
	};
	return results.flatMap(({ chunks }) => chunks).filter(({ content }) => content.includes("quagga")).length;
}

async function quiet(server: ServerProcess): Promise<void> {
	while ((await ask(server, "GET", "/v3/documents/processing"))["total"] !== 0) await Bun.sleep(20);
}

test("an acknowledged removal survives, and so does the chance to undo it", async () => {
	let server = await start();
	const notes = Array.from({ length: documents }, (_, i) => ({ content: `Note ${i} tells of a quagga.`, containerTag: "zoo" }));
	await ask(server, "POST", "/v3/documents/batch", { documents: notes });
	await quiet(server);
	for (let round = 0; round < rounds; round++) {
		const { removalId, deletedCount } = await ask(server, "DELETE", "/v3/documents/bulk", { containerTags: ["zoo"] });
		expect(deletedCount).toBe(documents);
		await server.kill("SIGKILL");
		server = await start();
		expect([await total(server), await found(server)]).toEqual([0, 0]);
		expect(await ask(server, "POST", "/v3/documents/restore", { removalId })).toMatchObject({ status: 200, restoredCount: documents });
		await server.kill("SIGKILL");
		server = await start();
		expect([await total(server), await found(server)]).toEqual([documents, documents]);
	}
	await server.kill("SIGKILL");
}, 300_000);

test("killed in the middle each document is wholly there or wholly gone, and an undo that broke off is asked for again", async () => {
	let server = await start();
	for (let round = 0; round < rounds; round++) {
		const removing = ask(server, "DELETE", "/v3/documents/bulk", { containerTags: ["zoo"] }).catch(() => null);
		await Bun.sleep(3 + round * 4);
		await server.kill("SIGKILL");
		const answer = await removing;
		server = await start();
		await quiet(server);
		const left = await total(server);
		expect(await found(server), `round ${round}`).toBe(left);
		if (answer === null) {
			// Nobody knows the name of what went: the rest goes under a name of its own.
			await ask(server, "POST", "/v3/documents/batch", {
				documents: Array.from({ length: documents - left }, (_, i) => ({ content: `Note ${round} ${i} tells of a quagga.`, containerTag: "zoo" })),
			});
			await quiet(server);
		} else await ask(server, "POST", "/v3/documents/restore", { removalId: answer["removalId"] });
		const { removalId } = await ask(server, "DELETE", "/v3/documents/bulk", { containerTags: ["zoo"] });
		const restoring = ask(server, "POST", "/v3/documents/restore", { removalId }).catch(() => null);
		await Bun.sleep(3 + round * 4);
		await server.kill("SIGKILL");
		await restoring;
		server = await start();
		await ask(server, "POST", "/v3/documents/restore", { removalId });
		await quiet(server);
		expect([await total(server), await found(server)], `round ${round}`).toEqual([documents, documents]);
	}
	await server.kill("SIGKILL");
}, 300_000);
