/**
 * Makes the graph (HNSW) of a collection once it is large, and makes another one beside it when much of it was replaced. Searches and
 * changes go on meanwhile; the old one is removed when the new one is complete.
 */

import { randomUUID } from "node:crypto";
import type { Log } from "cairn-memory";
import type { PostgresConnection } from "../connection.ts";
import type { CollectionFacts, CollectionRow } from "./collections.ts";

/** pgvector makes no graph of longer halves. */
const graphDimensionsMax = 4_000;
/** A graph keeps a place for what was deleted, and gets worse. */
const replacedShare = 0.5;
/** Edges of a node, and candidates while it is made. With pgvector's 16 and 64 a collection of chats, many of whose turns are alike, has too little recall. */
const build = "m = 24, ef_construction = 200";

export interface GraphMaker {
	/** Returns at once. */
	readonly makeIfDue: (row: CollectionRow, facts: CollectionFacts, onMade: () => Promise<unknown>) => void;
	readonly remove: (row: CollectionRow) => Promise<void>;
}

export function graphMaker({ query, alone }: PostgresConnection, exactMax: number, log: Log): GraphMaker {
	const making = new Set<number>();

	/** Removes the graphs of a collection but one: the old one, and what a build that was interrupted has left. */
	async function removeOthers({ number }: CollectionRow, but: string | null): Promise<void> {
		const { rows } = await query("SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND starts_with(relname, $1)", [prefix(number)]);
		for (const { name } of rows as readonly { readonly name: string }[]) if (name !== but) await alone(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
	}

	async function make(row: CollectionRow, old: string | null): Promise<void> {
		const { organisation, number, dimensions } = row;
		await removeOthers(row, old);
		const name = `${prefix(number)}${randomUUID().slice(0, 8)}`;
		const vectors = `(vector::halfvec(${dimensions})) halfvec_cosine_ops`;
		await alone(`CREATE INDEX CONCURRENTLY ${name} ON vector_entries USING hnsw (${vectors}) WITH (${build}) WHERE collection = ${number}`);
		await alone("ANALYZE vector_entries");
		const sql = "UPDATE index_collections SET graph = $3, replaced = 0 WHERE organisation = $1 AND number = $2";
		const { changes } = await query(sql, [organisation, number, name]);
		await removeOthers(row, changes === 0 ? null : name);
	}

	return {
		makeIfDue(row, { entries, graph, replaced }, onMade) {
			const isDue = graph === null ? entries > exactMax : replaced > entries * replacedShare;
			if (!isDue || row.dimensions > graphDimensionsMax || making.has(row.number)) return;
			making.add(row.number);
			make(row, graph)
				.then(onMade)
				.catch((thrown: unknown) => log("warn", "a graph of vectors could not be made; they are compared one by one", { reason: String(thrown) }))
				.finally(() => making.delete(row.number));
		},
		remove: (row) => removeOthers(row, null),
	};
}

const prefix = (number: number) => `vector_graph_${number}_`;
