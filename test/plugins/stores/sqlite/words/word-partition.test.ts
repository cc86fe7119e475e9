/** A partition that is open when a new file is built: it goes over to it while it answers, and answers the same. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, migrations } from "../../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../../plugins/stores/sqlite/connection.ts";
import { openReads } from "../../../../../plugins/stores/sqlite/threads/reads.ts";
import { buildWords } from "../../../../../plugins/stores/sqlite/words/building/word-builder.ts";
import type { LiveTexts } from "../../../../../plugins/stores/sqlite/words/live-texts.ts";
import { bestTexts } from "../../../../../plugins/stores/sqlite/words/scoring/best-texts.ts";
import { weighWords } from "../../../../../plugins/stores/sqlite/words/scoring/weigh-words.ts";
import { pageTexts } from "../../../../../plugins/stores/sqlite/words/text-tables.ts";
import { WordPartition } from "../../../../../plugins/stores/sqlite/words/word-partition.ts";
import { createSamples, sampleOrganisation } from "../../../../contract/samples.ts";

let folder: string;
const samples = createSamples(1);
const address = { kind: "chunk", organisation: sampleOrganisation } as const;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-word-room-"));
	await mkdir(join(folder, "words"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const scores = (live: LiveTexts) =>
	bestTexts(live, weighWords(live, ["walnut", "ferri"]), 1_000, null).map(({ documentNumber, score }) => [live.key(documentNumber), score]);

test("it takes the new file and keeps its answers", async () => {
	const file = join(folder, "cairn.sqlite");
	const connection = openWriter(file);
	migrate(connection, migrations);
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, ?, ?, 1, 1, 0, ?, '{}')";
	const insert = (text: string) => connection.statement(sql).run(sampleOrganisation, samples.newId(), samples.newId(), text);
	for (let i = 0; i < 250; i++) insert(`walnut ${i % 3 === 0 ? "ferry" : "stone"} number${i} ${"far ".repeat(i % 5)}`);
	const reads = openReads(file);
	const warnings: string[] = [];
	const partition = new WordPartition(address, { folder: join(folder, "words"), reads, canRemove: true, warn: (message) => warnings.push(message), lookMs: 0 });
	const before = await partition.ask(scores);
	expect([before.length, await partition.ask((live) => live.generation)]).toEqual([250, null]);

	const log = (_level: string, message: string) => warnings.push(message);
	expect(await buildWords({ file, folder: join(folder, "words"), address }, new AbortController().signal, log)).toBe(true);
	expect(warnings.splice(0)).toEqual(["building a word index", "built a word index"]);
	const [manifest] = (await readdir(join(folder, "words"))).filter((name) => name.endsWith(".json"));
	expect(manifest).toBeDefined();
	for (let i = 0; i < 200 && (await partition.ask((live) => live.generation)) === null; i++) {
		expect(await partition.ask(scores)).toEqual(before);
		await Bun.sleep(5);
	}
	expect(await partition.ask((live) => [live.generation === null, live.fresh.size, live.texts])).toEqual([false, 0, 250]);
	expect(await partition.ask(scores)).toEqual(before);

	connection.statement("DELETE FROM chunks WHERE key <= 5").run();
	insert("walnut ferry");
	expect(await partition.ask((live) => [live.texts, live.fresh.size])).toEqual([246, 1]);
	expect(warnings).toEqual([]);
	reads.close();
	connection.close();
});

test("who is hurried is answered from what is read, and the rest is read although nobody waits", async () => {
	const { connection, reads, partition, insert } = opened("unread");
	insert("walnut");
	for (let i = 0; i < 250; i++) insert("walnut", 64 + i);
	insert("walnut");
	expect(await partition.askHurried((live) => live.texts)).toEqual({ answer: 2, isWhole: false });
	const asked: { readonly answer: number; readonly isWhole: boolean }[] = [];
	while (asked.at(-1)?.isWhole !== true && asked.length < 10_000) {
		asked.push(await partition.askHurried((live) => live.texts));
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(asked.at(-1)).toEqual({ answer: 252, isWhole: true });
	expect(asked.length).toBeGreaterThan(1);
	for (let i = 0; i < 150; i++) insert("walnut", 64);
	const whole = partition.ask((live) => live.texts);
	expect(await partition.askHurried((live) => live.texts)).toMatchObject({ isWhole: false });
	expect([await whole, await partition.askHurried((live) => live.texts)]).toEqual([402, { answer: 402, isWhole: true }]);
	reads.close();
	connection.close();
});

test("what is read ahead, no search reads; an index that nobody has searched is not opened for it", async () => {
	const { connection, reads, partition, insert } = opened("ahead");
	for (let i = 0; i < 3 * pageTexts; i++) insert("walnut");
	await partition.readAhead();
	expect(partition.byteLength).toBe(0);
	const live = await partition.ask((live) => live);
	for (let i = 0; i < 3 * pageTexts; i++) insert("walnut");
	insert("walnut", 64);
	await partition.readAhead();
	expect(live.texts).toBe(6 * pageTexts);
	expect(await partition.ask((live) => live.texts)).toBe(6 * pageTexts + 1);
	reads.close();
	connection.close();
});

test("a flood of small documents is read so far and no further before a hurried question is answered", async () => {
	const { connection, reads, partition, insert } = opened("flood");
	const page = pageTexts * 1_000;
	connection.db.transaction(() => {
		for (let i = 0; i < 2 * 40 * pageTexts; i++) insert(`walnut number${i}`);
		insert("walnut latest");
	})();
	expect(await partition.askHurried((live) => [live.texts < page, live.fresh.has("latest")])).toEqual({ answer: [true, true], isWhole: false });
	expect(await partition.ask((live) => live.texts)).toBe(2 * 40 * pageTexts + 1);
	reads.close();
	connection.close();
});

test("between any two pages, for however many and in whichever rooms, others have their turn", async () => {
	const { connection, reads, insert } = opened("turns");
	for (let i = 0; i < 950; i++) insert("walnut");
	const events: string[] = [];
	const watched = {
		...reads,
		snapshot<Read>(read: () => Read): Read {
			const state = reads.snapshot(read);
			if (state === "more" || state === null) events.push("page");
			return state;
		},
	};
	const context = { folder: join(folder, "turns.words"), reads: watched, canRemove: true, warn: () => undefined };
	const tenant = [new WordPartition(address, context), new WordPartition(address, context)];
	let isDone = false;
	const others = (async () => {
		while (!isDone) {
			events.push("others");
			await new Promise((resolve) => setImmediate(resolve));
		}
	})();
	const asked = tenant.flatMap((partition) => Array.from({ length: 20 }, () => partition.ask((live) => live.texts)));
	expect(await Promise.all(asked)).toEqual(Array(40).fill(950));
	isDone = true;
	await others;
	expect(events.filter((event) => event === "page").length).toBeGreaterThanOrEqual(tenant.length * Math.floor(950 / pageTexts));
	expect(events.filter((event, i) => event === "page" && events[i - 1] === "page")).toEqual([]);
	reads.close();
	connection.close();
});

test("a fault while nobody waits is met by the next one who asks", async () => {
	const { connection, reads, partition, insert } = opened("closed");
	for (let i = 0; i < 250; i++) insert("walnut", 64);
	expect((await partition.askHurried((live) => live.texts)).isWhole).toBe(false);
	reads.close();
	await expect(partition.ask((live) => live.texts)).rejects.toThrow("closed");
	await expect(partition.askHurried((live) => live.texts)).rejects.toThrow("closed");
	connection.close();
});

test("a build that is stopped leaves nothing behind", async () => {
	const stopped = AbortSignal.abort();
	const names = await readdir(join(folder, "words"));
	expect(await buildWords({ file: join(folder, "cairn.sqlite"), folder: join(folder, "words"), address }, stopped, () => undefined)).toBe(false);
	const complaints: string[] = [];
	const nowhere = { file: join(folder, "nowhere.sqlite"), folder: join(folder, "words"), address };
	expect(await buildWords(nowhere, new AbortController().signal, (_level, message) => complaints.push(message))).toBe(false);
	expect(complaints).toEqual(["building a word index", "a word index could not be built"]);
	expect(await readdir(join(folder, "words"))).toEqual(names);
});

/** A partition over tables of its own, without a file. */
function opened(name: string) {
	const file = join(folder, `${name}.sqlite`);
	const connection = openWriter(file);
	migrate(connection, migrations);
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, ?, ?, 1, 1, ?, ?, '{}')";
	const insert = (text: string, position = 0) => connection.statement(sql).run(sampleOrganisation, samples.newId(), samples.newId(), position, text);
	const reads = openReads(file);
	const partition = new WordPartition(address, { folder: join(folder, `${name}.words`), reads, canRemove: true, warn: () => undefined });
	return { connection, reads, partition, insert };
}
