/** What a record store promises: what was kept comes back, one of two racers writes, and what has expired is gone. */

import type { Json } from "cairn-memory";
import type { PutOptions, RecordStore } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { type Ground, later, type OpenStorage, storageTest } from "./ground.ts";

export function recordStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `records: ${name}`, holds);
	return [
		contractTest("whatever JSON can say comes back as it was", roundTrip),
		contractTest("of many that expect one version only one writes", oneWriter),
		contractTest("what has expired is not there, and gives way", expiry),
		contractTest("lists are by id and page by page", lists),
		contractTest("kinds and organisations are apart", apart),
	];
}

const now = later;
const always: PutOptions = { expected: null, expiresAt: null, now };

const values: readonly Json[] = ["", "häfen 港", 0, -1.5, true, null, [], {}, [1, [2, { deep: ["x", null] }]], { "a key": { "": 1 }, ünï: [] }];

async function roundTrip({ tenant: { records } }: Ground): Promise<void> {
	for (const [i, value] of values.entries()) {
		demandEqual(await records.put("settings", `id ${i}/ä`, value, always), 1, "the version of a new record");
		demandEqual(await records.get("settings", `id ${i}/ä`, now), { id: `id ${i}/ä`, value, version: 1, expiresAt: null }, "a record");
	}
	demandEqual(await records.put("settings", "id 0/ä", { changed: true }, always), 2, "the version of a changed record");
	demandEqual((await records.get("settings", "id 0/ä", now))?.value, { changed: true }, "a changed record");
	demand(await records.remove("settings", "id 0/ä"), "a record was not removed");
	demand(!(await records.remove("settings", "id 0/ä")), "a record was removed twice");
	demandEqual(await records.get("settings", "id 0/ä", now), null, "a removed record");
}

async function oneWriter({ tenant: { records } }: Ground): Promise<void> {
	const race = async (expected: number) =>
		(await Promise.all([1, 2, 3, 4].map((value) => records.put("merge", "one", value, { ...always, expected })))).filter((version) => version !== null);
	demandEqual(await race(0), [1], "who wrote what was to be new");
	demandEqual(await race(0), [], "who wrote what was to be new and is not");
	demandEqual(await race(1), [2], "who wrote over the first version");
	demandEqual(await race(7), [], "who wrote over a version that never was");
	demandEqual(await records.put("merge", "two", 1, { ...always, expected: 3 }), null, "what a change of nothing answers");
	demandEqual(await records.get("merge", "two", now), null, "a record nobody made");
}

async function expiry({ tenant: { records } }: Ground): Promise<void> {
	const end = new Date(now.getTime() + 1_000);
	await records.put("idempotency", "key", "answer", { ...always, expiresAt: end });
	demandEqual((await records.get("idempotency", "key", now))?.expiresAt, end, "when a record expires");
	demandEqual(await records.get("idempotency", "key", end), null, "a record that has expired");
	demandEqual(await records.list("idempotency", null, 10, end), [], "a list of records that have expired");
	demandEqual(await records.put("idempotency", "key", "new", { expected: 0, expiresAt: null, now: end }), 1, "the version of what takes its place");
}

async function lists({ tenant: { records } }: Ground): Promise<void> {
	const ids = ["b", "a", "é", "c", "A", "港"];
	for (const id of ids) await records.put("webhook", id, id, always);
	const all = await listed(records, null, 100);
	demandEqual(all.toSorted(), ids.toSorted(), "the ids of a list");
	demandEqual(await listed(records, null, 2), all.slice(0, 2), "the first page");
	demandEqual(await listed(records, all[1] ?? null, 3), all.slice(2, 5), "the second page");
	demandEqual(await listed(records, all.at(-1) ?? null, 3), [], "the page after the last");
}

async function listed(records: RecordStore, after: string | null, limit: number): Promise<readonly string[]> {
	return (await records.list("webhook", after, limit, now)).map(({ id }) => id);
}

async function apart({ tenant, others }: Ground): Promise<void> {
	await tenant.records.put("webhook", "same", "ours", always);
	await tenant.records.put("connection", "same", "a connection", always);
	await others.records.put("webhook", "same", "theirs", always);
	demandEqual((await tenant.records.get("webhook", "same", now))?.value, "ours", "a record that another organisation has too");
	demandEqual((await tenant.records.list("webhook", null, 10, now)).length, 1, "how many are listed of one kind");
	await others.records.remove("webhook", "same");
	await others.records.remove("connection", "same");
	demandEqual((await tenant.records.get("webhook", "same", now))?.value, "ours", "a record after another organisation removed its own");
	demandEqual((await tenant.records.get("connection", "same", now))?.value, "a connection", "a record of another kind");
}
