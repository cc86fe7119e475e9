/** Containers: reads here, writes by way of the writer. */

import { type ContainerStore, fail, type OrganisationId } from "cairn-memory";
import { and, asc, eq, sql } from "drizzle-orm";
import type { AsideThread } from "../sqlite/threads/aside-thread.ts";
import type { Reads } from "../sqlite/threads/reads.ts";
import type { WriterClient } from "../sqlite/writer/writer-client.ts";
import { containerOf } from "./container-operations.ts";
import { manyRows } from "./read-many.ts";
import { containers } from "./schema.ts";

/** One look at each table for all containers together. */
const selectCounts = `SELECT tag, sum(documents) AS documents, sum(memories) AS memories, max(at) AS at FROM (
	SELECT t.tag, count(*) AS documents, 0 AS memories, max(d.updated_at) AS at
		FROM document_tags t JOIN documents d ON d.organisation = t.organisation AND d.id = t.document WHERE t.organisation = ?1 GROUP BY t.tag
	UNION ALL
	SELECT container_tag, 0, count(*), max(updated_at)
		FROM memories WHERE organisation = ?1 AND is_latest = 1 AND is_forgotten = 0 GROUP BY container_tag
) GROUP BY tag`;

interface CountRow {
	readonly tag: string;
	readonly documents: number;
	readonly memories: number;
	readonly at: number | null;
}

export function containerStore(organisation: OrganisationId, reads: Reads, { write }: WriterClient, aside: AsideThread): ContainerStore {
	const { prepare } = reads;
	const documents = manyRows("documents", organisation, reads, aside);
	const memories = manyRows("memories", organisation, reads, aside);
	const prepared = prepare(({ orm }) => ({
		all: () => orm.select().from(containers).where(eq(containers.organisation, organisation)).orderBy(asc(containers.createdAt), asc(containers.tag)).all(),
		// Asked for several times for each document: made anew each time it would take a millisecond.
		one: orm
			.select()
			.from(containers)
			.where(and(eq(containers.organisation, organisation), eq(containers.tag, sql.placeholder("tag"))))
			.prepare(),
	}));

	return {
		list: async () => {
			const rows = await (documents.areMany() ? documents : memories).all<CountRow>({ sql: selectCounts, params: [organisation] });
			const counts = new Map(rows.map((row) => [row.tag, row]));
			return prepared()
				.all()
				.map((row) => {
					const { documents = 0, memories = 0, at = null } = counts.get(row.tag) ?? {};
					return { container: containerOf(row), counts: { documents, memories, lastActivityAt: at === null ? null : new Date(at) } };
				});
		},
		get: async (tag) => {
			const row = prepared().one.get({ tag });
			return row === undefined ? null : containerOf(row);
		},
		change: async (tag, change, now) => {
			const changed = await write("changeContainer", { organisation, tag, change, now });
			if (changed === null) throw fail("INTERNAL");
			return changed;
		},
		describe: (tag, description) => write("describeContainer", { organisation, tag, description }),
		remove: (tag) => write("removeContainer", { organisation, tag }),
	};
}
