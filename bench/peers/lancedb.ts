/** LanceDB in this process, from its package: a graph of 8-bit vectors, its full-text index, and its own reciprocal rank fusion. Its log, on stderr, warns of each query; `LANCE_LOG=error` keeps it quiet. */

import { batchesOf, best, candidates, type Filter, type Passage, type Peer, type Question } from "./peer.ts";

interface Query {
	readonly where: (predicate: string) => Query;
	readonly distanceType: (type: "cosine") => Query;
	readonly fullTextSearch: (text: string) => Query;
	readonly rerank: (reranker: unknown) => Query;
	readonly select: (columns: readonly string[]) => Query;
	readonly limit: (limit: number) => Query;
	readonly toArray: () => Promise<readonly { readonly id: string }[]>;
}
interface Table {
	readonly add: (rows: readonly object[]) => Promise<unknown>;
	readonly createIndex: (column: string, options: { readonly config: unknown }) => Promise<void>;
	readonly optimize: () => Promise<unknown>;
	readonly query: () => { readonly nearestTo: (vector: Float32Array) => Query };
	readonly close: () => void;
}
interface LanceDb {
	readonly connect: (
		folder: string,
	) => Promise<{ readonly createTable: (name: string, rows: readonly object[]) => Promise<Table>; readonly close: () => void }>;
	readonly Index: {
		readonly hnswSq: (options: { readonly distanceType: "cosine" }) => unknown;
		readonly fts: () => unknown;
		readonly btree: () => unknown;
		readonly bitmap: () => unknown;
	};
	readonly rerankers: { readonly RRFReranker: { readonly create: () => Promise<unknown> } };
}

const batch = 5_000;

export async function openLancedb(module: unknown, folder: string): Promise<Peer> {
	const { connect, Index, rerankers } = module as LanceDb;
	const database = await connect(folder);
	const reranker = await rerankers.RRFReranker.create();
	let table: Table | undefined;
	const nearest = ({ vector }: Question, filter: Filter): Query => {
		if (table === undefined) throw new Error("it was not filled");
		const query = table.query().nearestTo(vector).distanceType("cosine").select(["id"]);
		return filter === null ? query : query.where(predicateOf(filter));
	};
	return {
		name: "LanceDB",
		fill: async (passages) => {
			for (const rows of batchesOf(passages.map(rowOf), batch)) {
				if (table === undefined) table = await database.createTable("passages", rows);
				else await table.add(rows);
			}
			await table?.createIndex("vector", { config: Index.hnswSq({ distanceType: "cosine" }) });
			await table?.createIndex("text", { config: Index.fts() });
			await table?.createIndex("tag", { config: Index.btree() });
			await table?.createIndex("category", { config: Index.bitmap() });
			await table?.optimize();
		},
		hybrid: async (question, filter) =>
			idsOf(await nearest(question, filter).fullTextSearch(question.text).rerank(reranker).limit(candidates).toArray()).slice(0, best),
		nearest: async (question, filter) => idsOf(await nearest(question, filter).limit(best).toArray()),
		[Symbol.asyncDispose]: async () => {
			table?.close();
			database.close();
		},
	};
}

function rowOf({ vector, ...passage }: Passage): object {
	return { ...passage, vector: Array.from(vector) };
}

function predicateOf(filter: NonNullable<Filter>): string {
	return "tag" in filter ? `tag = '${filter.tag}'` : `category = '${filter.category}'`;
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
	return rows.map(({ id }) => id);
}
