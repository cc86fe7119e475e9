/** Counts documents by their properties, all of them in one pass over the documents in scope. */

import type { OrganisationId } from "cairn-memory";
import type { Facet, Scope, Tallies } from "cairn-memory/stores";
import type { SqlEngine } from "../executor.ts";
import { manyRows } from "../read-many.ts";
import { documentScope } from "../scopes/scope-sql.ts";

/**
 * By facet: the value that is counted, in the order of the index `documents_by_facets`. Containers are counted by the list that a document's
 * row has of them, without a look-up for each document.
 */
const facets: Readonly<Record<Facet, string>> = {
	containerTag: "d.container_tags",
	type: "d.type",
	status: "d.status",
	taskType: "d.task_type",
	dreamingStatus: "d.dreaming_status",
	source: "CASE WHEN json_type(d.metadata, '$.source') = 'text' THEN json_extract(d.metadata, '$.source') END",
};

const facetNames = Object.keys(facets) as readonly Facet[];

/** The values of a combination by their place among the facets, and how many documents have it. */
type Combination = Readonly<Record<string, string | number | null>> & { readonly count: number };

export function documentTally(organisation: OrganisationId, engine: SqlEngine) {
	const many = manyRows("documents", organisation, engine);
	return async <By extends Facet>(scope: Scope, by: readonly By[]): Promise<Tallies<By>> => {
		const { where, params } = documentScope(organisation, scope);
		const counted = facetNames.filter((facet) => (by as readonly Facet[]).includes(facet));
		const values = counted.map((facet, i) => `${facets[facet]} AS v${i}`).join(", ");
		const sql = `SELECT ${values}, count(*) AS count FROM documents d WHERE ${where} GROUP BY ${counted.map((_, i) => i + 1).join(", ")}`;
		const rows = await many.all<Combination>({ sql, params });
		return Object.fromEntries(counted.map((facet, i) => [facet, sums(rows, `v${i}`, facet === "containerTag")])) as Tallies<By>;
	};
}

/** @param isList whether the value is a list in JSON, each of whose members is counted. */
function sums(rows: readonly Combination[], column: string, isList: boolean): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const { [column]: value, count } of rows) {
		if (typeof value !== "string") continue;
		for (const name of isList ? new Set<string>(JSON.parse(value)) : [value]) counts.set(name, (counts.get(name) ?? 0) + count);
	}
	return counts;
}
