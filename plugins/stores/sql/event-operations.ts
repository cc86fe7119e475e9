/** Writes of the event log. What happens to documents and memories is written by triggers. */

import { type OrganisationId, type StoreEvent, storedEventTypes } from "cairn-memory";
import type { Executor } from "./executor.ts";
import { durable, repeatable } from "./operation.ts";

export function eventOperations({ statement }: Executor) {
	return {
		appendEvent: durable(({ organisation, event }: { organisation: OrganisationId; event: Omit<StoreEvent, "sequence"> }): void => {
			const sql = "INSERT INTO events (organisation, type, at, subject, container_tags, facts) VALUES (?, ?, ?, ?, ?, ?)";
			const { type, at, subject, containerTags, facts } = event;
			statement(sql).run(organisation, type, at.getTime(), subject, JSON.stringify(containerTags), JSON.stringify(facts));
		}),

		/** Of documents and memories, those older than `before`. A few at a time. @returns how many went. */
		sweepEvents: repeatable(({ before, limit }: { before: Date; limit: number }): number => {
			const sql = `DELETE FROM events WHERE sequence IN (SELECT sequence FROM events WHERE at < ? AND type IN (SELECT value FROM json_each(?))
				ORDER BY sequence LIMIT ?)`;
			return statement(sql).run(before.getTime(), JSON.stringify(storedEventTypes), limit).changes;
		}),
	};
}
