/**
 * Makes the graph (HNSW) of a collection once it is large, and makes another one beside it when much of it was replaced or waits to be in it.
 * Where little waits, it is put into the one that exists. Searches and changes go on meanwhile; the old one is removed when the new one is complete.
 */

import { randomUUID } from "node:crypto";
import type { Log } from "cairn-memory";
import type { PostgresConnection, Query } from "../connection.ts";
import { codeOf, isLost, tryAgain } from "../try-again.ts";
import { type CollectionRow, claimSeconds, type DroppedCollection, type Turn, turnAt } from "./collections.ts";
import { type DueOptions, graphDue } from "./graph-due.ts";
import { beginPart, isWaitedFor, partOf, putSomeIntoGraph, type VectorFacts, vectorFacts } from "./vector-parts.ts";

/** pgvector makes no graph of longer halves. */
const graphDimensionsMax = 4_000;
/** Edges of a node, and candidates while it is made. With pgvector's 16 and 64 a collection of chats, many of whose turns are alike, has too little recall. */
const build = "m = 24, ef_construction = 200";
/** Of memory while a graph is made: for the edges of a vector, and for each of its dimensions. A graph that does not fit takes many times as long. */
const edgeBytes = 1_200;
const dimensionBytes = 2;

/** After a build has failed, say because the disk is full. */
const pauseMs = 5 * 60_000;

/** How often one that waits asks whether it is its turn, or whether a graph is complete. */
const lookMs = 1_000;

export interface GraphOptions extends DueOptions {
	/** The most memory that the database may use to make a graph, unless it is set to use more. */
	readonly buildMegabytes: number;
	readonly log: Log;
	/** Waits for some milliseconds. */
	readonly pause?: (ms: number) => Promise<void>;
}

export interface GraphMaker {
	/** Makes what is due in the graph of a collection. Returns at once. @param moreFollow then it is made only where very much waits */
	readonly keepUp: (row: CollectionRow, facts: VectorFacts, moreFollow: boolean, onMade: () => Promise<unknown>) => void;
	/** Removes the graph of a collection that was dropped. Returns at once: it may have to wait until another graph is made. */
	readonly removeSoon: (dropped: DroppedCollection) => void;
}

export function graphMaker({ query, alone, transaction }: PostgresConnection, options: GraphOptions): GraphMaker {
	const { buildMegabytes, log, pause = unheldPause } = options;
	const { hasWork, isDue } = graphDue(query, options);
	const working = new Set<number>();
	/** Those that changed meanwhile. */
	const changed = new Set<number>();
	/** The collections of which more follows at once. */
	const fed = new Set<number>();
	/** Not for the build after one in which the connection was lost: the database may have been ended for its memory. */
	let asksForMemory = true;
	let isRemovalWaiting = false;
	/** Whether it has looked for graphs that a killed program has left. */
	let hasTidied = false;

	/**
	 * One in all programs at a time. Two such statements on one table wait for each other, since each waits until no transaction sees the table
	 * as it was, and the database ends one of them.
	 */
	async function inTurn<Result>(run: (turn: Turn) => Promise<Result>): Promise<Result> {
		const turn = turnAt("graphs", query);
		while (!(await turn.claim())) await Bun.sleep(lookMs);
		const renew = async () => {
			// Once it is lost it is not taken again: what another one did meanwhile is not known here.
			if (!(await turn.claim().catch(() => true))) clearInterval(renewing);
		};
		const renewing = setInterval(renew, (claimSeconds * 1_000) / 3);
		try {
			return await run(turn);
		} finally {
			clearInterval(renewing);
			await turn.end();
		}
	}

	/** One that cannot be removed, say because somebody else owns it, keeps no other one from being removed or made. */
	async function remove(name: string): Promise<void> {
		await alone(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`).catch((thrown: unknown) =>
			log("warn", "a graph of vectors that no collection has could not be removed", { name, reason: String(thrown) }),
		);
	}

	/**
	 * Removes the graphs that no collection has: old ones, those of dropped collections, and what an interrupted build has left. One that was
	 * paused meanwhile removes nothing, because it would remove what another one makes.
	 */
	async function removeUnused(turn: Turn): Promise<void> {
		const { rows } = await query("SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND starts_with(relname, $1) AND pg_table_is_visible(oid)", [
			prefix,
		]);
		const used = await query("SELECT graph AS name FROM index_collections WHERE graph IS NOT NULL", []);
		if (!(await turn.isKept(query))) return;
		const unused = new Set(namesIn(rows)).difference(new Set(namesIn(used.rows)));
		for (const name of unused) await remove(name);
	}

	/** Makes it the graph of its collection, unless that was dropped or another program has made one meanwhile. */
	async function adopt({ organisation, number }: Omit<CollectionRow, "dimensions">, { name, part }: Graph, turn: Turn): Promise<void> {
		await alone("ANALYZE vector_entries");
		await transaction("", async (inside) => {
			if (!(await turn.isKept(inside.query))) return;
			const sql = "UPDATE index_collections SET graph = $3, graph_part = $4, replaced = 0 WHERE organisation = $1 AND number = $2";
			await inside.query(sql, [organisation, number, name, part]);
		});
	}

	/** Takes over the graphs that programs have left to the database when they ended, once they are complete, and removes what no collection has. */
	async function tidy(turn: Turn): Promise<void> {
		hasTidied = true;
		while (await isGraphBeingMade(query)) await Bun.sleep(lookMs);
		const left = ((await query(leftSql, [prefix])).rows as readonly LeftGraph[]).map((each) => ({ ...each, part: partOf(each.name) }));
		// A graph that a collection had before covers fewer parts.
		for (const each of left.sort((one, other) => one.part - other.part)) if (each.part > each.graphPart) await adopt(each, each, turn);
		await removeUnused(turn);
	}

	async function create({ number, dimensions }: CollectionRow, { name, part }: Graph, entries: number): Promise<void> {
		const sql = `CREATE INDEX CONCURRENTLY ${name} ON vector_entries USING hnsw ((vector::halfvec(${dimensions})) halfvec_cosine_ops)
			WITH (${build}) WHERE collection = ${number} AND part <= ${part}`;
		const needed = Math.ceil((entries * (edgeBytes + dimensions * dimensionBytes)) / 2 ** 20);
		const [set] = (await query(memorySql, [asksForMemory ? Math.min(needed, buildMegabytes) : 0])).rows as readonly { readonly memory: string }[];
		const settings = { maintenance_work_mem: set?.memory ?? `${needed}MB` };
		try {
			await alone(sql, settings).catch(async (thrown: unknown) => {
				if (!outOfRoom.test(codeOf(thrown))) throw thrown;
				// Several processes share memory, of which a container often has little (`/dev/shm`). One needs none of it.
				await remove(name);
				await alone(sql, { ...settings, max_parallel_maintenance_workers: "0" });
			});
			asksForMemory = true;
		} catch (thrown) {
			// Where the connection is lost the database may go on with it. Otherwise it leaves what it has made, which takes room and makes changes slow.
			if (isLost(thrown)) forgoMemory(thrown);
			else await remove(name);
			throw thrown;
		}
	}

	function forgoMemory(thrown: unknown): void {
		if (asksForMemory) log("warn", "the connection was lost while a graph of vectors was made; the next build asks for no memory", { reason: String(thrown) });
		asksForMemory = false;
	}

	/** @returns whether nobody else had the turn meanwhile; otherwise it has to be looked at again. */
	async function make(row: CollectionRow, turn: Turn): Promise<boolean> {
		await tidy(turn);
		const facts = await vectorFacts(query, row);
		// Another program may have made it.
		if (!(await isDue(row, facts, fed.has(row.number)))) return true;
		if (!(await turn.isKept(query))) return false;
		const part = await beginPart(query, row);
		const graph = { name: `${prefix}${row.number}_${part}_${randomUUID().slice(0, 8)}`, part };
		await create(row, graph, facts.entries);
		await adopt(row, graph, turn);
		await removeUnused(turn);
		return turn.isKept(query);
	}

	async function makeInTurn(row: CollectionRow): Promise<void> {
		try {
			while (!(await inTurn((turn) => make(row, turn))));
		} catch (thrown) {
			log("warn", "a graph of vectors could not be made; it is tried again in five minutes", { reason: String(thrown) });
			await pause(pauseMs);
		}
	}

	async function putWaiting(row: CollectionRow): Promise<void> {
		while (!fed.has(row.number)) {
			const facts = await vectorFacts(query, row);
			if (!isWaitedFor(facts) || !(await tryAgain(() => putSomeIntoGraph(query, row, facts)))) return;
		}
	}

	async function work(row: CollectionRow, onMade: () => Promise<unknown>): Promise<void> {
		// Again: much may have come while one was made.
		while (await isDue(row, await vectorFacts(query, row), fed.has(row.number))) {
			await makeInTurn(row);
			await onMade();
		}
		await putWaiting(row);
	}

	function start(row: CollectionRow, onMade: () => Promise<unknown>): void {
		working.add(row.number);
		work(row, onMade)
			.then(onMade)
			.catch((thrown: unknown) =>
				log("warn", "the graph of vectors could not be brought up to date; those that wait are compared one by one", { reason: String(thrown) }),
			)
			.finally(() => {
				working.delete(row.number);
				if (changed.delete(row.number)) start(row, onMade);
			});
	}

	function removeSoon(): void {
		if (isRemovalWaiting) return;
		isRemovalWaiting = true;
		const removing = inTurn((turn) => {
			isRemovalWaiting = false;
			return tidy(turn);
		});
		removing.catch((thrown: unknown) => {
			isRemovalWaiting = false;
			log("warn", "graphs that no collection has are removed with the next one", { reason: String(thrown) });
		});
	}

	return {
		keepUp(row, facts, moreFollow, onMade) {
			if (row.dimensions > graphDimensionsMax) return;
			if (moreFollow) fed.add(row.number);
			else fed.delete(row.number);
			if (!hasWork(row, facts, moreFollow)) {
				if (!hasTidied) removeSoon();
			} else if (!working.has(row.number)) start(row, onMade);
			else if (!moreFollow) changed.add(row.number);
		},
		removeSoon: ({ graph }) => {
			if (graph !== null) removeSoon();
		},
	};
}

/** Whether any program has the database make a graph. It goes on for a program that has ended. */
export async function isGraphBeingMade(query: Query): Promise<boolean> {
	const sql = "SELECT 1 FROM pg_stat_progress_create_index WHERE datname = current_database() AND relid = to_regclass('vector_entries')";
	return (await query(sql, [])).rows.length > 0;
}

const prefix = "vector_graph_";

interface Graph {
	readonly name: string;
	/** It covers the parts up to this one. */
	readonly part: number;
}

interface LeftGraph extends Omit<CollectionRow, "dimensions"> {
	readonly name: string;
	readonly graphPart: number;
}

/** Keeps no program from ending. */
function unheldPause(ms: number): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	setTimeout(resolve, ms).unref();
	return promise;
}

function namesIn(rows: readonly unknown[]): readonly string[] {
	return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** The complete graphs of collections. Those that are used come too. */
const leftSql = `SELECT c.relname AS name, k.organisation, k.number, k.graph_part AS "graphPart" FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
	JOIN index_collections k ON k.kind = 'vectors' AND starts_with(c.relname, $1 || k.number || '_') WHERE i.indrelid = 'vector_entries'::regclass AND i.indisvalid`;
/** It is set in kB. */
const memorySql = "SELECT greatest(setting::bigint / 1024, $1::bigint) || 'MB' AS memory FROM pg_settings WHERE name = 'maintenance_work_mem'";
/** No disk, no memory. */
const outOfRoom = /^53[12]00$/;
