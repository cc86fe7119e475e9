/** Texts kept in step with the tables: page by page, what goes and comes back, what was missed for too long, and what an older version has stored. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Connection } from "../../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../../plugins/stores/sqlite/connection.ts";
import { openReads } from "../../../../../plugins/stores/sqlite/threads/reads.ts";
import { LiveTexts } from "../../../../../plugins/stores/sqlite/words/live-texts.ts";
import { bestTexts } from "../../../../../plugins/stores/sqlite/words/scoring/best-texts.ts";
import { weighWords } from "../../../../../plugins/stores/sqlite/words/scoring/weigh-words.ts";
import { pageTexts } from "../../../../../plugins/stores/sqlite/words/text-tables.ts";
import { WordPartitions } from "../../../../../plugins/stores/sqlite/words/word-partitions.ts";
import { createSamples, sampleOrganisation } from "../../../../contract/samples.ts";

const samples = createSamples(1);
const address = { kind: "chunk", organisation: sampleOrganisation } as const;

function opened(): Connection {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	return connection;
}

function insertChunk({ statement }: Connection, text: string, organisation = sampleOrganisation, key: number | null = null): number {
	const sql = "INSERT INTO chunks (key, organisation, id, document, revision, edition, position, text, place) VALUES (?, ?, ?, ?, 1, 1, 0, ?, '{}')";
	return Number(statement(sql).run(key, organisation, samples.newId(), samples.newId(), text).lastInsertRowid);
}

function holders(live: LiveTexts, word: string): readonly number[] {
	return bestTexts(live, weighWords(live, [word]), 1_000, null)
		.map(({ documentNumber }) => live.key(documentNumber))
		.toSorted((a, b) => a - b);
}

test("one turn reads one page, and other organisations' texts are none of ours", () => {
	const connection = opened();
	const other = asId<OrganisationId>("organisationBBBBBBBBBB");
	const keys = Array.from({ length: Math.floor(2.5 * pageTexts) }, () => [insertChunk(connection, "walnut"), insertChunk(connection, "walnut", other)]).map(
		([own]) => own,
	);
	const live = new LiveTexts(address, null);
	expect([live.catchUp(connection), live.texts]).toEqual(["more", pageTexts]);
	expect([live.catchUp(connection), live.texts]).toEqual(["more", 2 * pageTexts]);
	expect([live.catchUp(connection), live.texts, live.wordCount]).toEqual(["current", keys.length, keys.length]);
	expect(holders(live, "walnut")).toEqual(keys as number[]);
	connection.close();
});

/** Position 64 is the first that belongs to no beginning. */
function insertLater({ statement }: Connection, text: string): number {
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, ?, ?, 1, 1, 64, ?, '{}')";
	return Number(statement(sql).run(sampleOrganisation, samples.newId(), samples.newId(), text).lastInsertRowid);
}

test("who is hurried reads the beginnings of documents and no more", () => {
	const connection = opened();
	const before = insertChunk(connection, "walnut early");
	const long = Array.from({ length: 3 * pageTexts }, () => insertLater(connection, "walnut"));
	const after = Array.from({ length: pageTexts }, () => insertChunk(connection, "walnut late"));
	const live = new LiveTexts(address, null);
	expect([live.catchUp(connection, true), holders(live, "late"), holders(live, "earli")]).toEqual(["more", after.slice(0, -1), [before]]);
	expect([live.catchUp(connection, true), holders(live, "late"), live.texts]).toEqual(["behind", after, pageTexts + 1]);
	expect([live.catchUp(connection, true), live.texts]).toEqual(["behind", pageTexts + 1]);
	const last = insertChunk(connection, "walnut last");
	expect([live.catchUp(connection, true), holders(live, "last"), live.texts]).toEqual(["behind", [last], pageTexts + 2]);
	connection.statement("DELETE FROM chunks WHERE key IN (?, ?)").run(long[0] ?? 0, before);
	for (let turn = 0; live.catchUp(connection) !== "current" && turn < 20; turn++);
	expect(holders(live, "walnut")).toEqual([...long.slice(1), ...after, last]);
	expect([live.texts, live.catchUp(connection, true)]).toEqual([long.length + after.length, "current"]);
	connection.close();
});

test("what goes is counted no more, what comes back under its key is", () => {
	const connection = opened();
	const [first, second] = [insertChunk(connection, "walnut ferry"), insertChunk(connection, "walnut")];
	const live = new LiveTexts(address, null);
	live.catchUp(connection);
	connection.statement("DELETE FROM chunks WHERE key = ?").run(first);
	expect([live.catchUp(connection), live.texts, live.wordCount, holders(live, "walnut"), live.documentNumberOf(first)]).toEqual([
		"current",
		1,
		1,
		[second],
		-1,
	]);
	insertChunk(connection, "walnut ferry", sampleOrganisation, first);
	connection.statement("INSERT INTO text_changes (organisation, kind, text) VALUES (?, 'chunk', ?)").run(sampleOrganisation, first);
	expect([live.catchUp(connection), live.texts, live.wordCount, holders(live, "walnut")]).toEqual(["current", 2, 3, [first, second]]);
	connection.close();
});

test("who has missed changes that are not written down any more is told to begin anew", () => {
	const connection = opened();
	const keys = Array.from({ length: 20 }, () => insertChunk(connection, "walnut"));
	const live = new LiveTexts(address, null);
	expect(live.catchUp(connection)).toBe("current");
	for (const key of keys.slice(0, 10)) connection.statement("DELETE FROM chunks WHERE key = ?").run(key);
	connection.statement("DELETE FROM text_changes WHERE sequence <= 3").run();
	expect(live.catchUp(connection)).toBe("lost");
	connection.statement("DELETE FROM text_changes").run();
	expect(live.catchUp(connection)).toBe("lost");
	const anew = new LiveTexts(address, null);
	expect([anew.catchUp(connection), anew.texts]).toEqual(["current", 10]);
	connection.close();
});

test("what a version with FTS5 has stored is found", () => {
	const connection = openWriter(":memory:");
	const before = migrations.findIndex(({ name }) => name === "0006_word_indexes");
	migrate(connection, migrations.slice(0, before));
	const key = insertChunk(connection, "walnut ferry");
	connection.statement("INSERT INTO chunk_words (rowid, words) VALUES (?, 'walnut ferri')").run(key);
	migrate(connection, migrations);
	const live = new LiveTexts(address, null);
	expect([live.catchUp(connection), holders(live, "ferri")]).toEqual(["current", [key]]);
	expect(connection.db.query("SELECT name FROM sqlite_master WHERE name LIKE '%words%'").all()).toEqual([]);
	connection.close();
});

test("of many organisations those searched last stay open", () => {
	const tenant = new WordPartitions({ folder: "none", reads: openReads("none"), canRemove: false, warn: () => undefined });
	const open = (i: number) => tenant.partition({ kind: "chunk", organisation: asId<OrganisationId>(`organisation${i}`) });
	const [first, second] = [open(0), open(1)];
	for (let i = 2; i < 500; i++) open(i);
	expect(open(0)).toBe(first);
	open(500);
	expect(open(0)).toBe(first);
	expect(open(1)).not.toBe(second);
});
