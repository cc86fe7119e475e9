/**
 * Makes the graph (HNSW) of a collection once it is large, and makes another one beside it when much of it was replaced. Searches and
 * changes go on meanwhile; the old one is removed when the new one is complete.
 */

import { randomUUID } from "node:crypto";
import type { Log } from "cairn-memory";
import type { PostgresConnection } from "../connection.ts";
import { type CollectionFacts, type CollectionRow, claimSeconds, factsOf, turnAt } from "./collections.ts";

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
	readonly remove: (row: CollectionRow) => Promise<void>;
}

export function graphMaker({ query, alone }: PostgresConnection, exactMax: number, log: Log): GraphMaker {
	const making = new Set<number>();

	/**
	 * One in all programs at a time. Two such statements on one table wait for each other, since each waits until no transaction sees the table
	 * as it was, and the database ends one of them.
	 */
	async function inTurn(run: () => Promise<void>): Promise<void> {
		const turn = turnAt("graphs", query);
		while (!(await turn.claim())) await Bun.sleep(turnLookMs);
		const renewing = setInterval(() => turn.claim().catch(() => undefined), (claimSeconds * 1_000) / 3);
		try {
			await run();
		} finally {
			clearInterval(renewing);
			await turn.end();
		}
	}

	async function graphsOf({ number }: CollectionRow): Promise<readonly string[]> {
		const { rows } = await query("SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND starts_with(relname, $1)", [prefix(number)]);
		return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
	}

	/** Removes the graphs of a collection but one: the old one, and what a build that was interrupted has left. */
	async function removeOthers(row: CollectionRow, but: string | null): Promise<void> {
		for (const name of await graphsOf(row)) if (name !== but) await alone(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
	}

	function isDue({ entries, graph, replaced }: CollectionFacts): boolean {
		return graph === null ? entries > exactMax : replaced > entries * replacedShare;
	}

	async function make(row: CollectionRow): Promise<void> {
		const facts = await factsOf(query, "vectors", row);
		// Another program may have made it.
		if (!isDue(facts)) return;
		const { organisation, number, dimensions } = row;
		await removeOthers(row, facts.graph);
		const name = `${prefix(number)}${randomUUID().slice(0, 8)}`;
		const vectors = `(vector::halfvec(${dimensions})) halfvec_cosine_ops`;
		await alone(`CREATE INDEX CONCURRENTLY ${name} ON vector_entries USING hnsw (${vectors}) WITH (${build}) WHERE collection = ${number}`);
		await alone("ANALYZE vector_entries");
		const sql = "UPDATE index_collections SET graph = $3, replaced = 0 WHERE organisation = $1 AND number = $2";
		const { changes } = await query(sql, [organisation, number, name]);
		await removeOthers(row, changes === 0 ? null : name);
	}

	return {
		makeIfDue(row, facts, onMade) {
			if (!isDue(facts) || row.dimensions > graphDimensionsMax || making.has(row.number)) return;
			making.add(row.number);
			inTurn(() => make(row))
				.then(onMade)
				.catch((thrown: unknown) => log("warn", "a graph of vectors could not be made; they are compared one by one", { reason: String(thrown) }))
				.finally(() => making.delete(row.number));
		},
		remove: async (row) => {
			if ((await graphsOf(row)).length > 0) await inTurn(() => removeOthers(row, null));
		},
	};
}

const prefix = (number: number) => `vector_graph_${number}_`;
