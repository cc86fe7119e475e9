/** The description of a container is made of words of its documents: when one of them goes, it goes, and is made anew from those that are left. */

import { type JobId, newId, type OrganisationId } from "cairn-memory";
import type { Executor } from "../executor.ts";
import { jobAdder } from "../job-operations.ts";

export function undescriber(connection: Executor): (organisation: OrganisationId, tags: readonly string[], now: Date) => void {
	const addJob = jobAdder(connection);
	return (organisation, tags, now) => {
		for (const tag of tags) {
			const sql = "UPDATE containers SET description = NULL WHERE organisation = ? AND tag = ? AND description IS NOT NULL";
			if (connection.statement(sql).run(organisation, tag).changes === 0) continue;
			const id = newId<JobId>((byteLength) => crypto.getRandomValues(new Uint8Array(byteLength)));
			addJob({ id, organisation, task: "remember", subject: tag, notBefore: now });
		}
	};
}
