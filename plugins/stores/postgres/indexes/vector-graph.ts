/**
 * Makes the graph (HNSW) of a collection once it is large, and makes another one beside it when much of it was replaced. Searches and
 * changes go on meanwhile; the old one is removed when the new one is complete.
 */

import { randomUUID } from "node:crypto";
import type { Log } from "cairn-memory";
import type { PostgresConnection } from "../connection.ts";
import { type CollectionFacts, type CollectionRow, claimSeconds, factsOf, type Turn, turnAt } from "./collections.ts";

/** pgvector makes no graph of longer halves. */
const graphDimensionsMax = 4_000;
/** A graph keeps a place for what was deleted, and gets worse. */
const replacedShare = 0.5;
/** Edges of a node, and candidates while it is made. With pgvector's 16 and 64 a collection of chats, many of whose turns are alike, has too little recall. */
const build = "m = 24, ef_construction = 200";

/** How often one that waits asks whether it is its turn. */
const turnLookMs = 1_000;

export interface GraphMaker {
	/** Returns at once. */
	readonly makeIfDue: (row: CollectionRow, facts: CollectionFacts, onMade: () => Promise<unknown>) => void;
	/** Removes the graph of a collection that was dropped. Returns at once: it may have to wait until another graph is made. */
	readonly removeSoon: (dropped: Pick<CollectionFacts, "graph">) => void;
}

export function graphMaker({ query, alone, transaction }: PostgresConnection, exactMax: number, log: Log): GraphMaker {
	const making = new Set<number>();
	let isRemovalWaiting = false;

	/**
	 * One in all programs at a time. Two such statements on one table wait for each other, since each waits until no transaction sees the table
	 * as it was, and the database ends one of them.
	 */
	async function inTurn<Result>(run: (turn: Turn) => Promise<Result>): Promise<Result> {
		const turn = turnAt("graphs", query);
		while (!(await turn.claim())) await Bun.sleep(turnLookMs);
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
	async function adopt({ organisation, number }: CollectionRow, name: string, turn: Turn): Promise<void> {
		await transaction("", async (inside) => {
			if (!(await turn.isKept(inside.query))) return;
			await inside.query("UPDATE index_collections SET graph = $3, replaced = 0 WHERE organisation = $1 AND number = $2", [organisation, number, name]);
		});
	}

	function isDue({ entries, graph, replaced }: CollectionFacts): boolean {
		return graph === null ? entries > exactMax : replaced > entries * replacedShare;
	}

	/** @returns whether nobody else had the turn meanwhile; otherwise it has to be looked at again. */
	async function make(row: CollectionRow, turn: Turn): Promise<boolean> {
		await removeUnused(turn);
		// Another program may have made it.
		if (!isDue(await factsOf(query, "vectors", row))) return true;
		const { number, dimensions } = row;
		const name = `${prefix}${number}_${randomUUID().slice(0, 8)}`;
		const vectors = `(vector::halfvec(${dimensions})) halfvec_cosine_ops`;
		await alone(`CREATE INDEX CONCURRENTLY ${name} ON vector_entries USING hnsw (${vectors}) WITH (${build}) WHERE collection = ${number}`);
		await alone("ANALYZE vector_entries");
		await adopt(row, name, turn);
		await removeUnused(turn);
		return turn.isKept(query);
	}

	async function makeInTurn(row: CollectionRow): Promise<void> {
		while (!(await inTurn((turn) => make(row, turn))));
	}

	async function removeInTurn(): Promise<void> {
		await inTurn((turn) => {
			isRemovalWaiting = false;
			return removeUnused(turn);
		});
	}

	return {
		makeIfDue(row, facts, onMade) {
			if (!isDue(facts) || row.dimensions > graphDimensionsMax || making.has(row.number)) return;
			making.add(row.number);
			makeInTurn(row)
				.then(onMade)
				.catch((thrown: unknown) => log("warn", "a graph of vectors could not be made; they are compared one by one", { reason: String(thrown) }))
				.finally(() => making.delete(row.number));
		},
		removeSoon: ({ graph }) => {
			if (graph === null || isRemovalWaiting) return;
			isRemovalWaiting = true;
			removeInTurn().catch((thrown: unknown) => {
				isRemovalWaiting = false;
				log("warn", "the graph of a dropped collection is removed with the next one", { reason: String(thrown) });
			});
		},
	};
}

const prefix = "vector_graph_";

function namesIn(rows: readonly unknown[]): readonly string[] {
	return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}
