/** Rows move between SQLite and PostgreSQL and back and stay the same: in this process, and on a server if `CAIRN_TEST_POSTGRES_URL` names one. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row, RowSource, RowTarget } from "../../../core/plugin/contract/row-tools.ts";
import { rowEngine } from "../../../plugins/stores/postgres/rows.ts";
import { migrate, migrations } from "../../../plugins/stores/sql/migrations.ts";
import { movedTables } from "../../../plugins/stores/sql/moving/moved-tables.ts";
import { bytesPerPage, rowSource, rowTarget } from "../../../plugins/stores/sql/moving/row-store.ts";
import { openWriter } from "../../../plugins/stores/sqlite/connection.ts";
import { rowTools } from "../../../plugins/stores/sqlite/rows.ts";
import { beginMove, catchUp, copyTables, endMove, finishEndedMove, notedSums, verifyTables } from "../../../server/move/move-rows.ts";
import { seededRandom } from "../../contract/samples.ts";
import { writeAtRandom } from "../../doubles/random-contents.ts";
import { startTestServer } from "../../doubles/test-server.ts";
import { type Databases, databasesHere, databasesOn } from "../../doubles/two-nodes.ts";
import { contentsIn } from "./databases.ts";

const patienceMs = 300_000;
const onProgress = () => undefined;
const folders: string[] = [];
afterAll(async () => {
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-move-"));
	folders.push(folder);
	return folder;
}

async function filledFolder(seed: number, count: number): Promise<string> {
	const folder = await newFolder();
	const server = await startTestServer([], {}, { folder });
	await writeAtRandom(await server.client(), seededRandom(seed), count);
	await server.dispose();
	return folder;
}

const placeIn = (folder: string) => ({ folder: join(folder, "sqlite"), options: {} });

/** All of a move whose source nobody writes to. */
async function moveAll(move: { readonly source: RowSource; readonly target: RowTarget }): Promise<void> {
	if ((await finishEndedMove(move)) !== null) return;
	await beginMove(move);
	await copyTables({ ...move, onProgress });
	await verifyTables({ ...move, onProgress });
	await endMove(move);
}

async function during<Result>(
	move: { readonly source: RowSource; readonly target: RowTarget },
	run: (move: { readonly source: RowSource; readonly target: RowTarget }) => Promise<Result>,
): Promise<Result> {
	try {
		return await run(move);
	} finally {
		await move.target.close();
		await move.source.close();
	}
}

/** @returns its message; null if it succeeds. With `rejects`, Bun would turn to sockets only now and then. */
function failureOf(promise: Promise<unknown>): Promise<string | null> {
	return promise.then(
		() => null,
		(thrown: Error) => thrown.message,
	);
}

/** Fails at the n-th write, as a program that is killed there: what was committed stays. */
function failingAt(target: RowTarget, n: number): RowTarget {
	let writes = 0;
	const counted =
		<Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
		async (...args: Args) => {
			if (++writes === n) throw new Error("killed");
			return write(...args);
		};
	return { ...target, add: counted(target.add), remove: counted(target.remove), end: counted(target.end) };
}

test("every table of SQLite moves with all its columns, but for those that are named here", () => {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const columns = connection.statement<{ name: string; column: string }>(
		`SELECT t.name AS name, c.name AS column FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
	);
	const found = Map.groupBy(columns.all(), ({ name }) => name);
	connection.close();
	// What was applied, and what upkeep has done with this very file.
	const left = ["migrations", "upkeep"];
	expect([...found.keys()].filter((name) => !left.includes(name)).toSorted()).toEqual(movedTables.map(({ name }) => name).toSorted());
	for (const { name, columns: moved } of movedTables)
		expect([name, moved.flatMap(({ name: column }) => (column === "rowid" ? [] : [column])).toSorted()]).toEqual([
			name,
			(found.get(name) ?? []).map(({ column }) => column).toSorted(),
		]);
});

function checkAll(open: () => Promise<Databases>): void {
	let databases: Promise<Databases> | null = null;
	afterAll(async () => (await databases)?.close());

	async function withDatabase(run: (engine: () => ReturnType<typeof rowEngine>) => Promise<void>): Promise<void> {
		databases ??= open();
		const { connect, drop } = await (await databases).create();
		try {
			await run(() => rowEngine(connect()));
		} finally {
			await drop();
		}
	}

	const notServed = async () => false;
	const movePartsIn = (ask: ReturnType<typeof rowEngine>["ask"]) =>
		ask("SELECT proname AS name FROM pg_proc WHERE proname LIKE 'log_move_of_%' UNION ALL SELECT tablename FROM pg_tables WHERE tablename LIKE 'move%'");

	test(
		"every table of PostgreSQL moves with all its columns, but for those that are named here",
		() =>
			withDatabase(async (engine) => {
				const { ask, close } = engine();
				const rows = await ask("SELECT table_name AS name, column_name AS column_name FROM information_schema.columns WHERE table_schema = current_schema()");
				await close();
				const found = Map.groupBy(rows, ({ name }) => String(name));
				// What was applied, buckets that are full again after a crash as well, and indexes, which are made from the rest; a view.
				const left =
					"migrations vector_migrations rate_buckets index_collections index_feeders word_entries word_spellings word_terms vector_entries sqlite_sequence".split(
						" ",
					);
				expect([...found.keys()].filter((name) => !left.includes(name)).toSorted()).toEqual(movedTables.map(({ name }) => name).toSorted());
				for (const { name, columns } of movedTables)
					expect([name, columns.map(({ name: column }) => column).toSorted()]).toEqual([
						name,
						(found.get(name) ?? []).map((row) => String(row["column_name"])).toSorted(),
					]);
			}),
		patienceMs,
	);

	test(
		"whatever was written comes back the same",
		async () => {
			for (const seed of [1, 2])
				await withDatabase(async (engine) => {
					const [folder, back] = [await filledFolder(seed, 40), await newFolder()];
					const before = contentsIn(folder);
					await during({ source: await rowTools.openSource(placeIn(folder)), target: await rowTarget(engine()) }, moveAll);
					await during({ source: await rowSource(engine(), notServed), target: await rowTools.openTarget(placeIn(back)) }, moveAll);
					expect(before["documents"]?.length).toBeGreaterThan(3);
					expect(before["memories"]?.length).toBeGreaterThan(0);
					expect(contentsIn(back)).toEqual(before);
					expect(contentsIn(folder)).toEqual(before);
				});
		},
		patienceMs,
	);

	test(
		"a move that is interrupted at any write goes on to the same end",
		async () => {
			const folder = await filledFolder(4, 25);
			const before = contentsIn(folder);
			for (const n of [1, 20, 27, 28, 29])
				await withDatabase(async (engine) => {
					const opened = async () => ({ source: await rowTools.openSource(placeIn(folder)), target: await rowTarget(engine()) });
					const cut = during(await opened(), ({ source, target }) => moveAll({ source, target: failingAt(target, n) }));
					expect(await failureOf(cut)).toBe("killed");
					await during(await opened(), moveAll);
					const back = await newFolder();
					await during({ source: await rowSource(engine(), notServed), target: await rowTools.openTarget(placeIn(back)) }, moveAll);
					expect(contentsIn(back)).toEqual(before);
				});
		},
		patienceMs,
	);

	test(
		"a move that is interrupted when its target is a store already frees the source, and no other move may do so",
		() =>
			withDatabase(async (engine) => {
				const [folder, other, back] = [await filledFolder(9, 15), await filledFolder(10, 3), await newFolder()];
				const before = contentsIn(folder);
				const endLog = async () => {
					throw new Error("killed");
				};
				const cut = ({ source, target }: Parameters<typeof moveAll>[0]) => moveAll({ source: { ...source, endLog }, target });
				const open = async (from = folder) => ({ source: await rowTools.openSource(placeIn(from)), target: await rowTarget(engine()) });
				expect(await failureOf(during(await open(), cut))).toBe("killed");
				expect(await failureOf(during(await open(other), moveAll))).toBe(
					"the target is not empty: a move to it has ended. If it was that of this store, start servers on the target",
				);
				await during(await open(), moveAll);
				expect(contentsIn(folder)).toEqual(before);

				const openBack = async () => ({ source: await rowSource(engine(), notServed), target: await rowTools.openTarget(placeIn(back)) });
				expect(await failureOf(during(await openBack(), cut))).toBe("killed");
				await during(await openBack(), moveAll);
				expect(contentsIn(back)).toEqual(before);
				const { ask, close } = engine();
				expect(await movePartsIn(ask)).toEqual([]);
				await close();
			}),
		patienceMs,
	);

	test(
		"what is written between the copy and the end arrives, also where rows trade what only one may have",
		() =>
			withDatabase(async (engine) => {
				const folder = await newFolder();
				const server = await startTestServer([], {}, { folder });
				const client = await server.client();
				const add = async (content: string, customId: string) => {
					const { id } = (await (await client.send("POST", "/v3/documents", { content, customId, containerTag: "names" })).json()) as { readonly id: string };
					return (await client.finished(id))["id"] as string;
				};
				const [first, second] = [await add("The first has a name.", "one"), await add("The second has another.", "two")];
				await writeAtRandom(client, seededRandom(5), 15);

				const open = async () => ({ source: await rowTools.openSource(placeIn(folder)), target: await rowTarget(engine()) });
				await during(await open(), async (move) => {
					expect(await move.source.isServed()).toBe(true);
					await beginMove(move);
					await copyTables({ ...move, onProgress });
					// Their names change hands, and one is gone.
					await client.send("DELETE", `/v3/documents/${first}`);
					expect((await client.send("PATCH", `/v3/documents/${second}`, { customId: "one" })).status).toBeLessThan(500);
					await add("A third one takes the name.", "two");
					expect(await catchUp(move)).toBeGreaterThan(0);
					await writeAtRandom(client, seededRandom(6), 15);
					await verifyTables({ ...move, onProgress });
				});
				await writeAtRandom(client, seededRandom(7), 15);
				await server.dispose();
				await during(await open(), async (move) => {
					expect(await move.source.isServed()).toBe(false);
					// A crash at the end: the sums are made anew then.
					expect(await failureOf(endMove({ ...move, target: failingAt(move.target, 5) }))).toBe("killed");
				});
				await during(await open(), moveAll);
				const before = contentsIn(folder);
				const back = await newFolder();
				await during({ source: await rowSource(engine(), notServed), target: await rowTools.openTarget(placeIn(back)) }, moveAll);
				expect(contentsIn(back)).toEqual(before);
			}),
		patienceMs,
	);

	test(
		"what is written in PostgreSQL while it is copied arrives as well, and leaves no trace there",
		() =>
			withDatabase(async (engine) => {
				const folder = await filledFolder(8, 15);
				await during({ source: await rowTools.openSource(placeIn(folder)), target: await rowTarget(engine()) }, moveAll);
				const back = await newFolder();
				const own = engine();
				await during({ source: await rowSource(own, notServed), target: await rowTools.openTarget(placeIn(back)) }, async (move) => {
					await beginMove(move);
					await copyTables({ ...move, onProgress });
					await own.ask("UPDATE documents SET title = 'Another', rowid = rowid + 1000");
					await own.ask("UPDATE memories SET container_tag = 'elsewhere'");
					await own.ask("DELETE FROM api_keys");
					await own.ask("INSERT INTO records (organisation, kind, id, value, version) VALUES ('o', 'k', 'late', '{}', 1)");
					await verifyTables({ ...move, onProgress });
					await own.ask("UPDATE documents SET title = title || '.'");
					// Both sides are compared already, and stay so.
					expect(await catchUp(move)).toBeGreaterThan(0);
					expect(await notedSums(move.target)).not.toBeNull();
					await own.ask("DELETE FROM records WHERE id = 'late'");
					await endMove(move);
				});
				const contents = contentsIn(back);
				expect(contents["api_keys"]).toEqual([]);
				expect(contents["records"]?.some((row) => row.includes("late"))).toBe(false);
				expect(contents["documents"]?.every((row) => row.includes("Another"))).toBe(true);
				expect(contents["memories"]?.every((row) => row.includes("elsewhere"))).toBe(true);
				const { ask, close } = engine();
				expect(await movePartsIn(ask)).toEqual([]);
				await close();
			}),
		patienceMs,
	);

	test(
		"a row that PostgreSQL cannot store is named",
		() =>
			withDatabase(async (engine) => {
				const target = await rowTarget(engine());
				await target.begin("m");
				const refused = await target.add("document_texts", [["o", "document-1", "zero \u0000", null]], null).catch((thrown: Error) => thrown.message);
				await target.end({});
				await target.close();
				expect(refused).toContain("the row document-1 of document_texts has the character U+0000");
			}),
		patienceMs,
	);

	test(
		"a page has no more long texts than fit into it",
		() =>
			withDatabase(async (engine) => {
				const folder = await newFolder();
				await (await startTestServer([], {}, { folder })).dispose();
				const long = "é".repeat(bytesPerPage / 4 - 100);
				const rows: Row[] = Array.from({ length: 6 }, (_, i) => ["o", `document-${i}`, i === 3 ? long.repeat(5) : long, null]);
				const target = await rowTarget(engine());
				await target.begin("m");
				await target.add("document_texts", rows, null);
				const sizes: number[] = [];
				for (let after: string | null = null, isAtEnd = false; !isAtEnd; ) {
					const page = await target.page("document_texts", after);
					if (page.rows.length > 0) sizes.push(page.rows.length);
					after = page.end;
					isAtEnd = page.end === null;
				}
				await target.end({});
				await target.close();
				expect(sizes).toEqual([2, 1, 1, 2]);
			}),
		patienceMs,
	);
}

describe("in this process", () => checkAll(databasesHere));

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe.skipIf(url === undefined)("on a server", () => checkAll(() => databasesOn(url ?? "")));
