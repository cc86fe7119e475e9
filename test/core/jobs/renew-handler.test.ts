/** When a memory extractor changes, what it has extracted before is extracted anew beside the other work, and decisions hold. */

import { afterEach, expect, test } from "bun:test";
import type { Storage } from "cairn-memory/stores";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { until } from "../../doubles/until.ts";
import { openSqlite } from "../../plugins/stores/sqlite/open-sqlite.ts";
import { drawing, type Ground, openGround, us } from "../memories/decided-memories.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).toReversed()) await close();
});

/** An extractor of a version, which says so in what it extracts but for what begins with `Same`. */
function extracting(version: string) {
	const [extractor] = drawing((line) => [{ text: line.startsWith("Same") ? line : `${line}, says ${version}` }]);
	if (extractor === undefined) throw new Error("no extractor");
	return { memoryExtractors: [{ ...extractor, version }], memoryLinkers: [] };
}

function begin(storage: Storage, version: string): Ground {
	const ground = openGround(storage, extracting(version));
	closing.push(ground.close);
	return ground;
}

const textsOf = async (ground: Ground) => (await ground.shown()).map(({ text }) => text).toSorted();
const idle = (storage: Storage) => until(async () => (await storage.jobs.depth()).waiting + (await storage.jobs.depth()).leased === 0);

const stores: readonly (readonly [string, () => Promise<Storage>])[] = [
	["ram", async () => ramStorage()],
	[
		"sqlite",
		async () => {
			const { storage, dispose } = await openSqlite();
			await storage.migrate();
			closing.push(dispose);
			return storage;
		},
	],
];

test.each(stores)("over %s another version reads all documents again, and decisions hold", async (_, open) => {
	const storage = await open();
	await storage.accounts.addOrganisation({ id: us.organisation, name: "us", slug: "us", createdAt: new Date() });
	const first = begin(storage, "one");
	await first.say("chat", ["Ana is tall", "Ben is small", "Same is kept"]);
	await first.forget("Ana is tall, says one");
	await first.correct("Ben is small, says one", "Ben is tiny");
	for (let i = 0; i < 12; i++) await first.say(`note-${i}`, [`Note ${i} is here`]);
	const kept = (await first.shown()).find(({ text }) => text === "Same is kept")?.id;
	await first.close();
	const second = begin(storage, "two");
	await until(async () => (await textsOf(second)).every((text) => !text.endsWith("says one")));
	await idle(storage);
	expect(await textsOf(second)).toEqual([...Array.from({ length: 12 }, (_, i) => `Note ${i} is here, says two`), "Ben is tiny", "Same is kept"].toSorted());
	expect((await second.shown()).find(({ text }) => text === "Same is kept")?.id).toBe(kept);
	expect(await storage.organisation(us.organisation).documents.extractedByOthers("drawing@two", 10)).toEqual([]);
	await second.close();
	const third = begin(storage, "two");
	await third.say("last", ["Cleo is old"]);
	expect(await storage.jobs.claim("test", ["renew"], 1, new Date(), 1_000)).toEqual([]);
});
