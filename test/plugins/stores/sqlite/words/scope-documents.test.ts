/** What a scope holds is listed once, and afterwards only what was written is looked at. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryId } from "cairn-memory";
import { type Document, type Scope, wholeOrganisation } from "cairn-memory/stores";
import { queryTermsOf } from "cairn-memory/words";
import type { Connection } from "../../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../../plugins/stores/sql/operations.ts";
import { chunkScope, memoryScope } from "../../../../../plugins/stores/sql/scopes/scope-sql.ts";
import { packVectors } from "../../../../../plugins/stores/sql/vectors.ts";
import { openWriter } from "../../../../../plugins/stores/sqlite/connection.ts";
import { openReads, type Reads } from "../../../../../plugins/stores/sqlite/threads/reads.ts";
import { containersOnly } from "../../../../../plugins/stores/sqlite/vectors/scope-lists.ts";
import { LiveTexts } from "../../../../../plugins/stores/sqlite/words/live-texts.ts";
import { ScopeDocuments } from "../../../../../plugins/stores/sqlite/words/scope-documents.ts";
import { WordPartitions } from "../../../../../plugins/stores/sqlite/words/word-partitions.ts";
import { wordIndex } from "../../../../../plugins/stores/sqlite/words/words.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../../../contract/samples.ts";

let folder: string;
const opened: { readonly close: () => void }[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-scope-slots-"));
});

afterAll(async () => {
	for (const { close } of opened) close();
	await rm(folder, { recursive: true, force: true });
});

const few: Scope = { ...wholeOrganisation, containerTags: ["few"] };
const address = { kind: "chunk", organisation: sampleOrganisation } as const;

/** What was read: the statement, and how many rows came of it. */
interface Read {
	readonly sql: string;
	readonly rows: number;
}

function library() {
	const file = join(folder, `${opened.length}.sqlite`);
	const connection = openWriter(file);
	migrate(connection, migrations);
	const operations = createOperations(connection);
	const reads = openReads(file);
	opened.push(reads, connection);
	const samples = createSamples(1);
	const publish = (document: Document, texts: readonly string[]) => {
		const { id, organisation, revision } = document;
		const chunks = texts.map((text, position) => ({ id: samples.newId(), position, text, indexedText: null, place: "{}" }));
		const vectors = packVectors(chunks.map(() => samples.makeVector()));
		operations.stageChunks.run({ organisation, id, revision, space: sampleSpace.name, chunks, vectors });
		operations.publishRevision.run({ organisation, id, revision, now: samples.nextTime() });
		return document;
	};
	const add = (tag: string, text: string) => {
		const document = samples.makeDocument({ containerTags: [tag] });
		operations.addDocument.run({ document, job: samples.makeJob(document) });
		return publish(document, [text]);
	};
	return { connection, operations, reads, samples, add, file };
}

/** Three of a hundred are in the container, and all of them hold the words. */
function filled() {
	const made = library();
	made.connection.db.transaction(() => {
		for (let i = 0; i < 1_000; i++) made.add(i % 33 === 0 ? "few" : "many", `walnut ferry number${i}`);
	})();
	return made;
}

function watched(reads: Reads): { readonly reads: Reads; readonly taken: () => readonly Read[] } {
	const seen: Read[] = [];
	const count = (sql: string, rows: readonly unknown[]) => {
		seen.push({ sql, rows: rows.length });
		return rows;
	};
	const statement: Connection["statement"] = <Row>(sql: string) => {
		const found = reads.statement<Row>(sql);
		return new Proxy(found, {
			get(target, name) {
				const value: unknown = Reflect.get(target, name, target);
				if (typeof value !== "function") return value;
				return (...params: readonly unknown[]) => {
					const result: unknown = value.apply(target, params);
					return Array.isArray(result) ? count(sql, result) : result;
				};
			},
		});
	};
	const connection = () => ({ ...reads.connection(), statement });
	return { reads: { ...reads, statement, connection }, taken: () => seen.splice(0) };
}

test("a search under a filter reads what the scope holds once, and then only what was written", async () => {
	const { reads: plain, operations, samples, add, file } = filled();
	const { reads, taken } = watched(plain);
	const index = wordIndex(sampleOrganisation, reads, new WordPartitions({ folder: `${file}.words`, reads, canRemove: true, warn: () => undefined }));
	const ask = async () => (await index.matchChunks(queryTermsOf("walnut ferry", 10), few, 10)).hits;
	expect(await ask()).toHaveLength(10);
	taken();
	expect(await ask()).toHaveLength(10);
	const again = taken();
	expect(again.reduce((sum, { rows }) => sum + rows, 0)).toBe(0);

	add("many", "walnut ferry");
	const { id } = add("few", "walnut ferry walnut ferry");
	const hits = await ask();
	expect(hits).toHaveLength(10);
	expect(hits[0]?.document).toBe(id);
	// Two texts, the changes, the chunks of two documents, the one that is in scope, and the answer.
	expect(taken().reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(40);

	operations.changeDocument.run({ organisation: sampleOrganisation, id, change: { containerTags: ["many"] }, now: samples.nextTime(), job: null });
	const left = await ask();
	expect(left).toHaveLength(10);
	expect(left.map(({ document }) => document)).not.toContain(id);
});

test("a list is updated while fewer documents than half of its texts have changed", () => {
	const { reads: plain, add, connection } = filled();
	const { reads, taken } = watched(plain);
	const documentNumbers = new ScopeDocuments(address);
	const live = new LiveTexts(address, null);
	const scope = { rows: chunkScope(sampleOrganisation, { ...wholeOrganisation, containerTags: ["many"] }), name: "many", now: 0 };
	const listed = () => {
		while (plain.snapshot(() => live.catchUp(plain)) !== "current");
		return plain.snapshot(() => documentNumbers.of(reads.connection(), live, scope, Number.POSITIVE_INFINITY)?.length);
	};
	expect(listed()).toBe(969);
	connection.db.transaction(() => {
		for (let i = 0; i < 300; i++) add(i % 100 === 0 ? "many" : "few", "walnut");
	})();
	taken();
	expect(listed()).toBe(972);
	// The changes, the texts of these documents, and those in scope.
	expect(taken().reduce((sum, { rows }) => sum + rows, 0)).toBe(300 + 300 + 3);
});

test("it names the same texts as the tables after any writes", () => {
	const { connection, operations, reads, samples, add } = library();
	const documents: Document[] = [];
	const documentNumbers = new ScopeDocuments(address);
	const live = new LiveTexts(address, null);
	const rows = chunkScope(sampleOrganisation, few);
	const scope = { rows, name: "few", now: 0 };
	const held = () =>
		reads.snapshot(() => {
			while (live.catchUp(reads) !== "current");
			const found = documentNumbers.of(reads.connection(), live, scope, Number.POSITIVE_INFINITY) ?? [];
			return Array.from(found, (documentNumber) => live.key(documentNumber));
		});
	const stored = () => {
		const sql = `SELECT c.key FROM ${rows.from} WHERE ${rows.where} ORDER BY c.key`;
		return connection
			.statement<{ key: number }>(sql)
			.all(...rows.params)
			.map(({ key }) => key);
	};
	const { random, pick, nextTime, makeJob } = samples;
	for (let i = 0; i < 300; i++) {
		const [dice, old] = [random(), documents.length === 0 ? null : pick(documents)];
		const key = old === null ? null : { organisation: sampleOrganisation, id: old.id };
		if (dice < 0.5 || key === null || old === null) documents.push(add(pick(["few", "many"]), `walnut ${i}`));
		else if (dice < 0.7) operations.changeDocument.run({ ...key, change: { containerTags: [pick(["few", "many"])] }, now: nextTime(), job: null });
		else if (dice < 0.85) operations.removeDocument.run({ ...key, now: nextTime() });
		else operations.changeDocument.run({ ...key, change: { filepath: `/${i}` }, now: nextTime(), job: makeJob(old) });
		if (random() < 0.3) expect(held()).toEqual(stored());
	}
	expect(stored().length).toBeGreaterThan(10);
	connection.statement("DELETE FROM scope_changes").run();
	documents.push(add("few", "walnut at last"));
	expect(held()).toEqual(stored());
});

test("a container's list of memories lacks none after any writes, and is not listed anew after each", () => {
	const { connection, operations, reads, samples } = library();
	const watch = watched(reads);
	const now = new Date("2030-01-01T00:00:00Z");
	const scopes = (["few", "many"] as const).map((tag) => {
		const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [tag] }, includeForgotten: false, now };
		return { rows: memoryScope(sampleOrganisation, memoryFilter), name: tag, now: now.getTime(), isUpdatable: containersOnly(memoryFilter) !== null };
	});
	const memoryAddress = { kind: "memory", organisation: sampleOrganisation } as const;
	const [live, lists] = [new LiveTexts(memoryAddress, null), new ScopeDocuments(memoryAddress)];
	const held = (scope: (typeof scopes)[number]) =>
		reads.snapshot(() => {
			while (live.catchUp(reads) !== "current");
			return Array.from(lists.of(watch.reads.connection(), live, scope, Number.POSITIVE_INFINITY) ?? [], (documentNumber) => live.key(documentNumber));
		});
	const keys = (sql: string, ...params: readonly string[]) =>
		connection
			.statement<{ key: number }>(sql)
			.all(...params)
			.map(({ key }) => key);
	const stored = ({ rows }: (typeof scopes)[number]) =>
		keys(`SELECT m.key FROM ${rows.from} WHERE ${rows.where} ORDER BY m.key`, ...(rows.params as readonly string[]));
	const agree = () => {
		for (const scope of scopes) {
			const [found, right] = [held(scope), stored(scope)];
			expect(found.filter((key) => right.includes(key))).toEqual(right);
			expect(new Set(found).size).toBe(found.length);
			const alive = new Set(keys("SELECT m.key FROM memories m WHERE m.organisation = ?", sampleOrganisation));
			expect(found.every((key) => alive.has(key))).toBe(true);
		}
	};
	const { random, pick, nextTime } = samples;
	const ids: MemoryId[] = [];
	for (let i = 0; i < 300; i++) {
		const [dice, some] = [random(), ids.length === 0 ? [] : [pick(ids)]];
		const key = { organisation: sampleOrganisation, ids: some, now: nextTime() };
		if (dice < 0.5 || some.length === 0) {
			const memory = samples.makeMemory({ containerTag: pick(["few", "many"]), extractor: null, evidence: [], forgetAfter: null });
			const vectors = packVectors([samples.makeVector()]);
			operations.saveMemories.run({ organisation: sampleOrganisation, space: sampleSpace.name, memories: [memory], vectors, edges: [] });
			ids.push(memory.id);
		} else if (dice < 0.7) operations.forgetMemories.run({ ...key, reason: null });
		else if (dice < 0.9) operations.restoreMemories.run(key);
		else operations.rehomeMemories.run({ organisation: sampleOrganisation, from: pick(["few", "many"]), to: pick(["few", "many"]), limit: 2, now: nextTime() });
		if (random() < 0.3) agree();
	}
	agree();
	expect(stored(scopes[0] as (typeof scopes)[number]).length).toBeGreaterThan(10);
	watch.taken();
	operations.forgetMemories.run({ organisation: sampleOrganisation, ids: ids.slice(0, 1), reason: null, now: nextTime() });
	agree();
	expect(watch.taken().reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(10);
});

test("a text that has not been read yet is taken in when it is", () => {
	const { reads, add } = library();
	for (let i = 0; i < 40; i++) add("few", `walnut ${i}`);
	const documentNumbers = new ScopeDocuments(address);
	const live = new LiveTexts(address, null);
	const scope = { rows: chunkScope(sampleOrganisation, few), name: "few", now: 0 };
	const count = () => reads.snapshot(() => documentNumbers.of(reads.connection(), live, scope, 100)?.length);
	reads.snapshot(() => live.catchUp(reads));
	expect(count()).toBe(25);
	while (reads.snapshot(() => live.catchUp(reads)) !== "current");
	expect(count()).toBe(40);
});

test("a scope that holds too much is not counted again until there is a fifth more", () => {
	const { reads, add } = library();
	const many = (count: number) => {
		for (let i = 0; i < count; i++) add("few", "walnut");
		while (reads.snapshot(() => live.catchUp(reads)) !== "current");
	};
	const live = new LiveTexts(address, null);
	const watch = watched(reads);
	const documentNumbers = new ScopeDocuments(address);
	const scope = { rows: chunkScope(sampleOrganisation, few), name: "few", now: 0 };
	const ask = () => documentNumbers.of(watch.reads.connection(), live, scope, 10);
	const rows = () => watch.taken().reduce((sum, read) => sum + read.rows, 0);
	many(20);
	expect([ask(), rows()]).toEqual([null, 11]);
	many(3);
	expect([ask(), rows()]).toEqual([null, 0]);
	many(1);
	expect([ask(), rows()]).toEqual([null, 11]);
});
