/** Lists of many documents: the thread that answers reads a page and no more, and what goes through all is read aside. */

import type { SQLQueryBindings } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocumentStatus, type DocumentStore, documentStatuses, type Page, unfinishedStatuses, wholeOrganisation } from "cairn-memory/stores";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { containerStore } from "../../../../plugins/stores/sql/containers.ts";
import { documentStore } from "../../../../plugins/stores/sql/documents/documents.ts";
import { type LongReads, readsOf, type SqlEngine, type Write } from "../../../../plugins/stores/sql/executor.ts";
import { memoryStore } from "../../../../plugins/stores/sql/memories/memories.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { openReads, type Reads } from "../../../../plugins/stores/sqlite/threads/reads.ts";
import { createSamples, sampleOrganisation } from "../../../contract/samples.ts";
import { explained } from "./explained.ts";

const count = 2_600;
const limit = 7;

let folder: string;
let connection: Connection;
let reads: Reads;
/** By status, its newest first. */
const stored: { readonly id: string; readonly status: DocumentStatus; readonly at: number }[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-document-list-"));
	const file = join(folder, "cairn.sqlite");
	connection = openWriter(file);
	migrate(connection, migrations);
	reads = openReads(file);
	const samples = createSamples(1);
	const { addDocument } = createOperations(connection);
	connection.db.transaction(() => {
		for (let i = 0; i < count; i++) {
			const status = i % 3 === 0 ? "done" : (documentStatuses[i % documentStatuses.length] ?? "queued");
			// Some were added in the same millisecond.
			const document = samples.makeDocument({ status, createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(i / 3)), containerTags: [`tag-${i % 2}`] });
			addDocument.run({ document, job: samples.makeJob(document) });
			stored.push({ id: document.id, status, at: document.createdAt.getTime() });
		}
	})();
	stored.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
});

afterAll(async () => {
	reads.close();
	connection.close();
	await rm(folder, { recursive: true, force: true });
});

interface Watched {
	readonly store: DocumentStore;
	readonly engine: SqlEngine;
	/** The statements that ran on the thread that answers, with how SQLite goes about them. */
	readonly here: { readonly sql: string; readonly plan: readonly string[]; readonly rows: number }[];
	readonly elsewhere: string[];
}

function watched(): Watched {
	const here: Watched["here"] = [];
	const elsewhere: string[] = [];
	const note = (sql: string, params: readonly SQLQueryBindings[], rows: number) => {
		here.push({ sql, plan: explained(connection, sql, params), rows });
	};
	const statement = (sql: string) => ({
		get: (...params: SQLQueryBindings[]) => {
			const row = reads.statement<unknown>(sql).get(...params);
			note(sql, params, 1);
			return row;
		},
		all: (...params: SQLQueryBindings[]) => {
			const rows = reads.statement<unknown>(sql).all(...params);
			note(sql, params, rows.length);
			return rows;
		},
	});
	const watchedReads = { ...reads, statement } as unknown as Reads;
	const aside = {
		all: async ({ sql, params }: { sql: string; params: readonly SQLQueryBindings[] }) => {
			elsewhere.push(sql);
			return reads.statement<unknown>(sql).all(...params);
		},
	} as unknown as LongReads;
	const engine: SqlEngine = { ...readsOf(watchedReads), write: {} as Write, aside };
	return { store: documentStore(sampleOrganisation, engine), engine, here, elsewhere };
}

function expected(statuses: readonly DocumentStatus[]): readonly string[] {
	return stored.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
}

const page = (more: Partial<Page> = {}): Page => ({ offset: 0, limit, sort: "createdAt", order: "desc", ...more });

/** Nothing is counted where others are answered, no table is walked, and no more is read than is shown. */
function demandBounded({ here }: Watched): void {
	for (const { sql, plan, rows } of here) {
		expect(sql).not.toContain("count(");
		expect(plan.filter((step) => step.startsWith("SCAN d"))).toEqual([]);
		expect(rows).toBeLessThanOrEqual(limit);
	}
}

test("what is being processed is read along the index, as much of it as is shown, and counted aside", async () => {
	const watch = watched();
	const { documents, total } = await watch.store.list(wholeOrganisation, unfinishedStatuses, page(), false);
	expect(documents.map(({ id }) => id as string)).toEqual(expected(unfinishedStatuses).slice(0, limit));
	expect(total).toBe(expected(unfinishedStatuses).length);
	demandBounded(watch);
	expect(watch.elsewhere).toHaveLength(1);
	const steps = watch.here.find(({ rows }) => rows === limit)?.plan ?? [];
	// In the order of the index: only what has the same time is sorted.
	expect(steps.filter((step) => step === "SEARCH d USING INDEX documents_by_status (organisation=? AND status=?)")).toHaveLength(unfinishedStatuses.length);
	expect(steps.filter((step) => step === "USE TEMP B-TREE FOR LAST TERM OF ORDER BY")).toHaveLength(unfinishedStatuses.length);
});

test("a page is the same whichever way it is read: any statuses, either order, from a place on, far behind", async () => {
	const { store } = watched();
	for (const statuses of [unfinishedStatuses, ["done"], ["failed", "done"], documentStatuses, []] as const satisfies readonly (readonly DocumentStatus[])[]) {
		const all = expected(statuses);
		const read = async (more: Partial<Page>) => (await store.list(wholeOrganisation, statuses, page(more), false)).documents.map(({ id }) => id as string);
		expect(await read({ offset: 11 })).toEqual(all.slice(11, 11 + limit));
		expect(await read({ offset: 2_100 })).toEqual(all.slice(2_100, 2_100 + limit));
		expect(await read({ order: "asc" })).toEqual(all.toReversed().slice(0, limit));
		const last = stored.find(({ id }) => id === all[30]);
		if (last !== undefined) expect(await read({ after: { at: new Date(last.at), id: last.id } })).toEqual(all.slice(31, 31 + limit));
		const tagged = await store.list({ ...wholeOrganisation, containerTags: ["tag-0"] }, statuses, page(), false);
		expect(tagged.total).toBeLessThanOrEqual(all.length);
		expect(tagged.documents.every(({ containerTags }) => containerTags.includes("tag-0"))).toBe(true);
	}
});

test("what goes through all documents or memories is read aside: facets, counts of containers, lists under a scope", async () => {
	const watch = watched();
	await watch.store.tally(wholeOrganisation, ["source"]);
	await watch.store.list({ ...wholeOrganisation, containerTags: ["tag-0"] }, documentStatuses, page(), false);
	await watch.store.list(wholeOrganisation, unfinishedStatuses, page({ sort: "updatedAt" }), false);
	const listed = await containerStore(sampleOrganisation, watch.engine).list();
	expect(listed.map(({ counts }) => counts.documents)).toEqual([count / 2, count / 2]);
	expect(watch.elsewhere).toHaveLength(6);
	// The containers themselves are few: their rows are read here.
	for (const { sql } of watch.here) expect(sql).toMatch(/^SELECT 1 FROM (documents|memories) | FROM containers c /);
});

test("where memories are few they are read here", async () => {
	const watch = watched();
	const memories = memoryStore(sampleOrganisation, watch.engine);
	expect(await memories.list(wholeOrganisation, true, page())).toEqual({ memories: [], total: 0 });
	expect(watch.elsewhere).toEqual([]);
});

test("a total that nobody asks for is counted only as far as it takes to choose how the page is read", async () => {
	const { store } = watched();
	for (const scope of [wholeOrganisation, { ...wholeOrganisation, containerTags: ["tag-0"] }]) {
		const all = await store.list(scope, ["done"], page(), false);
		const first = await store.list(scope, ["done"], page({ totalMax: limit }), false);
		expect(first.documents).toEqual(all.documents);
		expect([all.total > 400, first.total >= limit && first.total < 400]).toEqual([true, true]);
	}
});
