/** PostgreSQL with pgvector, asked by plain SQL as its documentation does: a graph, a GIN index over words joined by OR, reciprocal rank fusion. */

import postgres from "postgres";
import { batchesOf, best, candidates, type Filter, type Passage, type Peer, wordsOf } from "./peer.ts";

const batch = 2_000;
const connections = 8;
/** Made in memory a graph takes minutes, and hours beyond it. That of a million vectors takes 1.5 GB. */
const memory = "2GB";

export async function openPgvector(address: string): Promise<Peer> {
	const sql = postgres(address, { max: connections, onnotice: () => {}, connection: { "hnsw.iterative_scan": "relaxed_order", maintenance_work_mem: memory } });
	const drop = async () => {
		await sql`DROP TABLE IF EXISTS peer_passages`;
	};
	const where = (filter: Filter) => {
		if (filter === null) return sql`TRUE`;
		return "tag" in filter ? sql`tag = ${filter.tag}` : sql`category = ${filter.category}`;
	};
	return {
		name: "pgvector",
		fill: async (passages) => {
			await sql`CREATE EXTENSION IF NOT EXISTS vector`;
			await drop();
			const dimensions = passages[0]?.vector.length ?? 0;
			await sql.unsafe(
				`CREATE TABLE peer_passages (id text PRIMARY KEY, body text NOT NULL, tag text NOT NULL, category text NOT NULL, vector vector(${dimensions}) NOT NULL,
				 words tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED)`,
			);
			for (const rows of batchesOf(passages, batch)) await sql`INSERT INTO peer_passages ${sql(rows.map(rowOf))}`;
			await sql`CREATE INDEX ON peer_passages USING hnsw (vector vector_cosine_ops)`;
			await sql`CREATE INDEX ON peer_passages USING gin (words)`;
			await sql`CREATE INDEX ON peer_passages (tag)`;
			await sql`CREATE INDEX ON peer_passages (category)`;
			await sql`VACUUM ANALYZE peer_passages`;
		},
		hybrid: async ({ text, vector }, filter) => {
			const rows = await sql<{ id: string }[]>`
				WITH near AS (
					SELECT id, row_number() OVER (ORDER BY distance) AS place
					FROM (SELECT id, vector <=> ${literal(vector)}::vector AS distance FROM peer_passages WHERE ${where(filter)} ORDER BY distance LIMIT ${candidates}) AS nearest
				), worded AS (
					SELECT id, row_number() OVER (ORDER BY score DESC) AS place
					FROM (
						SELECT id, ts_rank_cd(words, asked) AS score FROM peer_passages, to_tsquery('english', ${wordsOf(text).join(" | ")}) AS asked
						WHERE words @@ asked AND ${where(filter)} ORDER BY score DESC LIMIT ${candidates}
					) AS ranked
				)
				SELECT id FROM near FULL JOIN worded USING (id)
				ORDER BY coalesce(1.0 / (60 + near.place), 0) + coalesce(1.0 / (60 + worded.place), 0) DESC LIMIT ${best}`;
			return rows.map(({ id }) => id);
		},
		nearest: async ({ vector }, filter) => {
			const rows = await sql<{ id: string }[]>`
				SELECT id FROM peer_passages WHERE ${where(filter)} ORDER BY vector <=> ${literal(vector)}::vector LIMIT ${best}`;
			return rows.map(({ id }) => id);
		},
		[Symbol.asyncDispose]: async () => {
			await drop();
			await sql.end();
		},
	};
}

function rowOf({ id, text, tag, category, vector }: Passage) {
	return { id, body: text, tag, category, vector: literal(vector) };
}

function literal(vector: Float32Array): string {
	return `[${vector.join(",")}]`;
}
