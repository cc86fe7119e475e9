/** Compiles the question which memories `m` were known, or so, at another time. */

import type { Moment } from "cairn-memory";
import { allOf, type Fragment } from "./filter-sql.ts";

type Alias = "m" | "s";

/** As `trueFrom` of the core has it. */
const trueFrom = (alias: Alias) => `coalesce(${alias}.event_time, ${alias}.said_at, ${alias}.created_at)`;

/** Asks for the time twice. */
const isAway = (alias: Alias, kind = "1") =>
	`EXISTS (SELECT 1 FROM memory_absences a WHERE a.organisation = ${alias}.organisation AND a.memory = ${alias}.id AND ${kind} AND a.begins <= ? AND (a.ends IS NULL OR a.ends > ?))`;

const isReplaced = "EXISTS (SELECT 1 FROM memory_edges e WHERE e.organisation = m.organisation AND e.target = m.id AND e.relation = 'updates')";

/** All that came after, not only the next: that one may have been removed at the time. */
const replacing = `WITH RECURSIVE newer (id) AS (
		SELECT e.source FROM memory_edges e WHERE e.organisation = m.organisation AND e.target = m.id AND e.relation = 'updates'
		UNION SELECT e.source FROM newer n CROSS JOIN memory_edges e WHERE e.organisation = m.organisation AND e.target = n.id AND e.relation = 'updates'
	) SELECT 1 FROM newer n CROSS JOIN memories s WHERE s.organisation = m.organisation AND s.id = n.id AND s.created_at <= ?`;

/** With its source, that is; what was forgotten or had expired before had said its last word. Asks for the time five times. */
const hasGone = `(${isAway("s", "a.kind = 'removed'")} AND NOT ${isAway("s", "a.kind <> 'removed'")} AND (s.forget_after IS NULL OR s.forget_after > ?))`;

/** Whatever was learnt until then, in all its versions. */
export function learntBy({ knownAt }: Moment): Fragment {
	return { sql: "m.created_at <= ?", params: [knownAt.getTime()] };
}

/**
 * What has been replaced has the edge of what replaced it. One that is not the latest and has no such edge was replaced
 * by something that was forgotten and then removed: it does not come back.
 */
export function atMoment(moment: Moment): Fragment {
	const known = moment.knownAt.getTime();
	const gone = [known, known, known, known, known];
	const isThere = allOf([learntBy(moment), { sql: `(m.is_latest = 1 OR ${isReplaced})`, params: [] }]);
	if (moment.trueAt === null)
		return allOf([
			isThere,
			{ sql: `NOT EXISTS (${replacing} AND NOT ${hasGone})`, params: [known, ...gone] },
			{ sql: `NOT ${isAway("m")}`, params: [known, known] },
			{ sql: "(m.forget_after IS NULL OR m.forget_after > ?)", params: [known] },
		]);
	const so = moment.trueAt.getTime();
	return allOf([
		isThere,
		{ sql: `${trueFrom("m")} <= ?`, params: [so] },
		{ sql: `NOT EXISTS (${replacing} AND ${trueFrom("s")} <= ? AND NOT ${hasGone})`, params: [known, so, ...gone] },
		{ sql: `NOT ${isAway("m", "a.kind <> 'expired'")}`, params: [known, known] },
		{ sql: "(m.forget_after IS NULL OR m.forget_after > ?)", params: [so] },
	]);
}
