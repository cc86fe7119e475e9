/** Containers with their descriptions and settings: how they are created automatically, and when a description is removed. */

import { fail, type OrganisationId } from "cairn-memory";
import { type Container, type ContainerChange, type ContainerStore, type JobId, newId } from "cairn-memory/stores";
import { durable, type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";
import { jobAdder } from "./jobs.ts";
import { manyRows } from "./read-many.ts";
import { containers } from "./schema.ts";
import { columnList, decoder, setOf } from "./table-rows.ts";

export interface ContainerName {
	readonly organisation: OrganisationId;
	readonly tag: string;
}

/** Returns a function that creates those of the containers that do not exist. */
export function containerOpener({ statement }: SqlContext): (organisation: OrganisationId, tags: readonly string[], now: Date) => Program<void> {
	return function* (organisation, tags, now) {
		for (const tag of tags)
			yield* statement("INSERT INTO containers (organisation, tag, created_at, updated_at) VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO NOTHING").run(
				organisation,
				tag,
				now.getTime(),
			);
	};
}

const select = `SELECT ${columnList(containers, "c")} FROM containers c WHERE c.organisation = ?`;
const whereNamed = "WHERE organisation = ? AND tag = ?";

export function containerOperations(executor: SqlContext) {
	const { statement } = executor;
	const open = containerOpener(executor);
	return {
		changeContainer: durable(function* ({ change, now, organisation, tag }: ContainerName & { change: ContainerChange; now: Date }): Program<Container | null> {
			yield* open(organisation, [tag], now);
			const set = setOf(containers, { ...change, updatedAt: now });
			yield* statement(`UPDATE containers SET ${set.sql} ${whereNamed}`).run(...set.params, organisation, tag);
			const row = yield* statement(`${select} AND c.tag = ?`).get(organisation, tag);
			return row === null ? null : containerOf(row);
		}),

		describeContainer: repeatable(function* ({ description, organisation, tag }: ContainerName & { description: string }): Program<boolean> {
			return (yield* statement(`UPDATE containers SET description = ? ${whereNamed}`).run(description, organisation, tag)).changes > 0;
		}),

		removeContainer: durable(function* ({ organisation, tag }: ContainerName): Program<boolean> {
			return (yield* statement(`DELETE FROM containers ${whereNamed}`).run(organisation, tag)).changes > 0;
		}),
	};
}

/**
 * One pass over each table. Documents are counted by the list of containers in their own row. With `document_tags` the row of each
 * document would have to be looked up too, which takes seven times as long.
 */
const selectCounts = `SELECT container_tags AS tags, count(*) AS documents, 0 AS memories, max(updated_at) AS at
		FROM documents WHERE organisation = ?1 GROUP BY container_tags
	UNION ALL
	SELECT CAST(json_array(container_tag) AS TEXT), 0, count(*), max(updated_at)
		FROM memories WHERE organisation = ?1 AND is_latest = 1 AND is_forgotten = 0 GROUP BY container_tag`;

interface Counted {
	readonly documents: number;
	readonly memories: number;
	readonly at: number;
}

interface CountRow extends Counted {
	/** JSON */
	readonly tags: string;
}

const nothing: Counted = { documents: 0, memories: 0, at: 0 };

function countsByTag(rows: readonly CountRow[]): ReadonlyMap<string, Counted> {
	const counts = new Map<string, Counted>();
	for (const { tags, documents, memories, at } of rows) {
		for (const tag of new Set<string>(JSON.parse(tags))) {
			const before = counts.get(tag) ?? nothing;
			counts.set(tag, { documents: before.documents + documents, memories: before.memories + memories, at: Math.max(before.at, at) });
		}
	}
	return counts;
}

export function containerStore(organisation: OrganisationId, engine: SqlEngine): ContainerStore {
	const { statement, read, write } = engine;
	const documents = manyRows("documents", organisation, engine);
	const memories = manyRows("memories", organisation, engine);
	return {
		list: async () => {
			const many = (await read(documents.areMany())) ? documents : memories;
			const counts = countsByTag(await many.all<CountRow>({ sql: selectCounts, params: [organisation] }));
			return (await read(statement(`${select} ORDER BY c.created_at, c.tag`).all(organisation))).map(containerOf).map((container) => {
				const { at, ...counted } = counts.get(container.tag) ?? nothing;
				return { container, counts: { ...counted, lastActivityAt: at === 0 ? null : new Date(at) } };
			});
		},
		get: async (tag) => {
			const row = await read(statement(`${select} AND c.tag = ?`).get(organisation, tag));
			return row === null ? null : containerOf(row);
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

const decode = decoder(containers);

function containerOf(row: unknown): Container {
	const { organisation: _, ...container } = decode(row);
	return container;
}

/**
 * Returns a function that removes the descriptions of containers when one of their documents is removed, because a description has
 * words of the documents. A job writes a new one from the remaining documents.
 */
export function undescriber(connection: SqlContext): (organisation: OrganisationId, tags: readonly string[], now: Date) => Program<void> {
	const addJob = jobAdder(connection);
	return function* (organisation, tags, now) {
		for (const tag of tags) {
			const sql = "UPDATE containers SET description = NULL WHERE organisation = ? AND tag = ? AND description IS NOT NULL";
			if ((yield* connection.statement(sql).run(organisation, tag)).changes === 0) continue;
			const id = newId<JobId>((byteLength) => crypto.getRandomValues(new Uint8Array(byteLength)));
			yield* addJob({ id, organisation, task: "remember", subject: tag, notBefore: now, trace: null });
		}
	};
}
