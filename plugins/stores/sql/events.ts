/** The event log. Events of documents and memories are written by triggers, see the migrations. */

import type { OrganisationId } from "cairn-memory";
import { clientEventTypes, type EventLog, type EventType, type LogEvent } from "cairn-memory/stores";
import { durable, type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";
import { events } from "./schema.ts";
import { columnList } from "./table-rows.ts";

export function eventOperations({ statement }: SqlContext) {
	return {
		appendEvent: durable(function* ({ organisation, event }: { organisation: OrganisationId; event: Omit<LogEvent, "sequence"> }): Program<void> {
			const sql = "INSERT INTO events (organisation, type, at, subject, container_tags, facts) VALUES (?, ?, ?, ?, ?, ?)";
			const { type, at, subject, containerTags, facts } = event;
			yield* statement(sql).run(organisation, type, at.getTime(), subject, JSON.stringify(containerTags), JSON.stringify(facts));
		}),

		/** Deletes up to `limit` events of documents and memories that are older than `before`. @returns how many were deleted. */
		sweepEvents: repeatable(function* ({ before, limit }: { before: Date; limit: number }): Program<number> {
			const sql = `DELETE FROM events WHERE sequence IN (SELECT sequence FROM events WHERE at < ? AND type IN (SELECT value FROM json_each(?))
				ORDER BY sequence LIMIT ?)`;
			return (yield* statement(sql).run(before.getTime(), JSON.stringify(clientEventTypes), limit)).changes;
		}),
	};
}

type Row = typeof events.$inferSelect;

export function eventLog(organisation: OrganisationId, { statement, read, write }: SqlEngine): EventLog {
	/** The last sequence number, or the first one of the types that are deleted after a time: events of these types before it are gone. */
	function* sequence(which: "min" | "max"): Program<number> {
		const types = which === "min" ? "AND type IN (SELECT value FROM json_each(?))" : "";
		const sql = `SELECT ${which}(sequence) AS sequence FROM events WHERE organisation = ? ${types}`;
		const params = which === "min" ? [organisation, JSON.stringify(clientEventTypes)] : [organisation];
		return (yield* statement<{ sequence: number | null }>(sql).get(...params))?.sequence ?? 0;
	}

	return {
		after: async (from, types, limit) => {
			const sql = `SELECT ${columnList(events, "e")} FROM events e WHERE e.organisation = ?1 AND e.sequence > ?2
				AND (CAST(?3 AS TEXT) IS NULL OR e.type IN (SELECT value FROM json_each(?3))) ORDER BY e.sequence LIMIT ?4`;
			return (await read(statement<Row>(sql).all(organisation, from, types === null ? null : JSON.stringify(types), limit))).map(eventOf);
		},
		latest: () => read(sequence("max")),
		oldest: () => read(sequence("min")),
		append: (event) => write("appendEvent", { organisation, event }),
	};
}

function eventOf({ sequence, type, at, subject, containerTags, facts }: Row): LogEvent {
	return { sequence, type: type as EventType, at: new Date(at), subject, containerTags: JSON.parse(containerTags), facts: JSON.parse(facts) };
}
