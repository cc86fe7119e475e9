/** A vector index on pgvector: halves of 16 bits, compared one by one in small collections and small scopes, by a graph in large ones. */

import type { EntryFilter, Vector, VectorCollection, VectorEntry, VectorIndex } from "cairn-memory";
import { type PostgresConnection, writeIdleMs } from "../connection.ts";
import { tryAgain } from "../try-again.ts";
import { type CollectionRow, gone, move, quoted, sharedIndex } from "./collections.ts";
import { type GraphMaker, type GraphOptions, graphMaker } from "./vector-graph.ts";
import { coversAllParts, putSql, type VectorFacts, vectorFacts } from "./vector-parts.ts";

/** How many candidates the graph follows at once: recall is 0.99 on 66,500 real texts. pgvector allows 1,000. */
const candidatesLeast = 400;
const candidatesMax = 1_000;
/** A filtered search looks at so many vectors of the graph at most. */
const scannedMax = 200_000;
/** What a graph is not made for. */
const graphLimitMax = 2_000;

export function pgvectorIndex(connection: PostgresConnection, options: GraphOptions): VectorIndex {
	const maker = graphMaker(connection, options);
	return {
		name: "pgvector",
		filters: "payload",
		...sharedIndex({
			...{ connection, kind: "vectors" },
			collectionOf: (row) => vectorCollection(row, connection, options.exactMax, maker.keepUp),
			tables: ["vector_entries"],
			onDropped: maker.removeSoon,
		}),
	};
}

interface Found {
	readonly ids: readonly string[];
	/** How many the graph gave, of which some may be farther than all that wait. */
	readonly inGraph: number;
}

/** `hnsw.iterative_scan`. A search that may go on keeps all that it passes, which takes 6.8 ms instead of 5.8. */
type GoesOn = "off" | "relaxed_order";

function vectorCollection(
	row: CollectionRow,
	{ query, once, transaction }: PostgresConnection,
	exactMax: number,
	keepGraphUp: GraphMaker["keepUp"],
): VectorCollection {
	const { organisation, number, dimensions } = row;
	let facts: VectorFacts = { position: null, entries: 0, graph: null, replaced: 0, graphPart: 0, waits: 0 };
	const within = `organisation = ${quoted(organisation)} AND collection = ${number}`;

	let [asked, answered] = [0, 0];

	async function refresh(): Promise<VectorFacts> {
		const turn = ++asked;
		const fresh = await vectorFacts(query, row);
		// One that was asked later may have been answered sooner, and knows more.
		if (turn < answered) return facts;
		answered = turn;
		facts = fresh;
		return facts;
	}

	async function isSmall(tagged: string): Promise<boolean> {
		if (facts.graph === null) return true;
		if (tagged === "") return false;
		const { rows } = await once(`SELECT count(*) AS count FROM (SELECT 1 FROM vector_entries WHERE ${within}${tagged} LIMIT ${exactMax + 1}) few`);
		return (rows as readonly { readonly count: number }[])[0]?.count !== exactMax + 1;
	}

	/** @param goesOn how a search in the graph goes on until it has enough; null to compare all one by one */
	async function find(vector: Vector, limit: number, tagged: string, goesOn: GoesOn | null): Promise<Found> {
		const asked = `${quoted(halves(vector))}::halfvec`;
		const nearestIn = (distance: string, part = "", waits = false) =>
			`(SELECT id, ${distance} AS distance, ${waits} AS waits FROM vector_entries WHERE ${within}${part}${tagged} ORDER BY distance LIMIT ${limit})`;
		const compared = `vector <=> ${asked}`;
		const cast = `::halfvec(${dimensions})`;
		const { graphPart, waits } = facts;
		const inGraph = nearestIn(`vector${cast} <=> ${asked}${cast}`, ` AND part <= ${graphPart}`);
		const inParts = waits === 1 ? `${inGraph} UNION ALL ${nearestIn(compared, ` AND part > ${graphPart}`, true)}` : inGraph;
		const { rows } = await once(`WITH collection AS MATERIALIZED (SELECT number${goesOn === null ? "" : settings(limit, goesOn)}
			FROM index_collections WHERE organisation = ${quoted(organisation)} AND kind = 'vectors' AND number = ${number})
			SELECT id, count(id) FILTER (WHERE NOT waits) OVER () AS "inGraph" FROM collection LEFT JOIN LATERAL (${goesOn === null ? nearestIn(compared) : inParts}) found ON TRUE ORDER BY distance, id LIMIT ${limit}`);
		if (rows.length === 0) throw gone("vectors");
		const found = rows as readonly { readonly id: string | null; readonly inGraph: number }[];
		return { ids: found.flatMap(({ id }) => id ?? []), inGraph: found[0]?.inGraph ?? 0 };
	}

	return {
		position: async () => (await refresh()).position,
		apply: async ({ put, remove, position, moreFollow = false }) => {
			const entries = new Map(put.map((entry) => [entry.id, entry]));
			const rows = JSON.stringify(Array.from(entries.values(), (entry) => rowOf(entry, number)));
			await tryAgain(() =>
				transaction(
					"",
					async (inside) => {
						await move(inside.query, "vectors", row, { from: facts.position, to: position });
						await inside.query(replaceSql, [organisation, number, JSON.stringify([...remove, ...entries.keys()])]);
						if (entries.size > 0) await inside.query(putSql[moreFollow && !coversAllParts(facts.graph) ? "later" : "now"], [organisation, number, rows]);
					},
					writeIdleMs,
				),
			);
			keepGraphUp(row, await refresh(), moreFollow, refresh);
		},
		nearest: async (vector, limit, filter) => {
			if (limit <= 0) return [];
			const tagged = taggedSql(filter, number);
			if (limit > graphLimitMax || (await isSmall(tagged))) return (await find(vector, limit, tagged, null)).ids;
			// Where most of what is near was replaced and is not cleaned up yet, a search that does not go on finds too few.
			const found = tagged === "" && limit <= candidatesMax ? await find(vector, limit, tagged, "off") : null;
			return found !== null && found.inGraph >= limit ? found.ids : (await find(vector, limit, tagged, "relaxed_order")).ids;
		},
	};
}

const replaceSql = `WITH gone AS (DELETE FROM vector_entries WHERE organisation = $1 AND collection = $2
		AND id = ANY (ARRAY(SELECT json_array_elements_text($3::text::json))) RETURNING 1)
	UPDATE index_collections SET entries = entries - (SELECT count(*) FROM gone), replaced = replaced + (SELECT count(*) FROM gone)
	WHERE organisation = $1 AND number = $2 AND EXISTS (SELECT 1 FROM gone)`;

function rowOf({ id, vector, containerTags }: VectorEntry, number: number) {
	return { id, tags: containerTags.map((tag) => `${number}:${tag}`), vector: halves(vector) };
}

/** Of length 1, so that every part is in the range of a half, of which five digits are more than it keeps. */
function halves(vector: Vector): string {
	const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
	return `[${Array.from(vector, (value) => (value / length).toPrecision(5)).join(",")}]`;
}

function taggedSql({ containerTags, tagsMatch }: EntryFilter, number: number): string {
	if (containerTags.length === 0) return "";
	return ` AND tags ${tagsMatch === "all" ? "@>" : "&&"} ARRAY[${containerTags.map((tag) => quoted(`${number}:${tag}`)).join(", ")}]`;
}

/** They last as long as the statement. */
function settings(limit: number, goesOn: GoesOn): string {
	const set = {
		"hnsw.ef_search": Math.min(Math.max(2 * limit, candidatesLeast), candidatesMax),
		"hnsw.iterative_scan": goesOn,
		"hnsw.max_scan_tuples": scannedMax,
	};
	return Object.entries(set)
		.map(([name, value]) => `, set_config('${name}', '${value}', TRUE)`)
		.join("");
}
