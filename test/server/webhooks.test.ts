/** Webhooks of a server that is killed: every event arrives at least once and in order, and its secret is found nowhere. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";
import { startReceiver } from "../doubles/webhook-receiver.ts";

const key = "webhooks-test-key-0001";
const rounds = 3;
const perRound = 8;

const folder = await mkdtemp(join(tmpdir(), "cairn-webhooks-"));
/** Slow enough that a kill meets deliveries on their way. */
const receiver = startReceiver(async () => {
	await Bun.sleep(20);
	return new Response(null, { status: 204 });
});
afterAll(async () => {
	await receiver.stop();
	await rm(folder, { recursive: true, force: true });
});

test(`${rounds} kills in the middle of deliveries: nothing is lost, nothing overtakes`, async () => {
	let printed = "";
	let secret = "";
	const made: string[] = [];
	for (let round = 0; round <= rounds; round++) {
		const server = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_FETCH_ALLOW: receiver.host, CAIRN_LOG_LEVEL: "debug" });
		const post = async (path: string, body: object) => {
			const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
			const answer = await fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
			if (!answer.ok) throw new Error(await answer.text());
			return (await answer.json()) as Record<string, unknown>;
		};
		if (round === 0) secret = String((await post("/v3/webhooks", { url: receiver.url, types: ["memory.created"] }))["secret"]);
		if (round < rounds) {
			const before = receiver.received.length;
			const memories = Array.from({ length: perRound }, (_, i) => ({ content: `Fact ${round}-${i} is number ${round * perRound + i}.` }));
			const written = (await post("/v4/memories", { containerTag: "a", memories }))["memories"] as { readonly id: string }[];
			made.push(...written.map(({ id }) => id));
			await receiver.count(before + 2);
			await server.kill("SIGKILL");
		} else {
			const isLastThere = () => made.every((id) => receiver.received.some(({ message }) => message.data["id"] === id));
			await until(isLastThere);
			await server.kill("SIGTERM");
		}
		printed += server.printed();
	}
	const ids = receiver.received.map(({ headers }) => headers["webhook-id"] ?? "");
	const firsts = [...new Set(ids)];
	const told = firsts.map((id) => receiver.received.find(({ headers }) => headers["webhook-id"] === id)?.message.data["id"]);
	expect(told.toSorted()).toEqual(made.toSorted());
	const sequences = ids.map((id) => Number(id.split("_")[2]));
	expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
	expect(ids.length - firsts.length).toBeLessThanOrEqual(rounds);
	for (const { body, headers } of receiver.received) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
	const clear = secret.slice("whsec_".length);
	expect(printed).not.toContain(clear);
	expect(Bun.spawnSync(["grep", "-r", "-a", "-l", "-F", clear, folder]).stdout.toString()).toBe("");
	expect(Buffer.from(clear, "base64").length).toBe(32);
}, 300_000);
