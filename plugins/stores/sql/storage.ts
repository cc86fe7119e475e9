/**
 * All ports on one SQL engine, and a complete storage on one connection. An engine with its own threads, group commit or searches
 * builds its storage from `sqlStores`, as `plugins/stores/sqlite` does.
 */

import type { StoragePlugin } from "cairn-memory/stores";
import { accountStore } from "./accounts.ts";
import { containerStore } from "./containers.ts";
import { sweepDiscarded } from "./documents/discarded.ts";
import { documentStore } from "./documents/documents.ts";
import { removalStore } from "./documents/removals.ts";
import { spaceStore } from "./embedding-spaces.ts";
import { createTextEraser } from "./erase-deleted.ts";
import { eventLog } from "./events.ts";
import { type Executor, type Operations, type Question, readsOf, type SchemaExecutor, type SqlEngine } from "./executor.ts";
import { textSource, vectorSource } from "./index-source.ts";
import { jobQueue } from "./jobs.ts";
import { memoryStore } from "./memories/memories.ts";
import { profileStore } from "./memories/profiles.ts";
import { migrate, migrations, outdatedSchema } from "./migrations.ts";
import { createOperations } from "./operations.ts";
import { recordStore } from "./records.ts";
import { countRecords } from "./statistics.ts";
import { blobsNeeded, sweepRows } from "./upkeep.ts";

export type SqlStores = Pick<StoragePlugin, "organisation" | "vectorSource" | "textSource" | "jobs" | "accounts" | "spaces" | "blobsNeeded"> &
	Required<Pick<StoragePlugin, "statistics">>;

/** @param scans an engine for background work that scans whole tables, if that uses a connection of its own. */
export function sqlStores(engine: SqlEngine, scans: SqlEngine = engine): SqlStores {
	return {
		organisation: (organisation) => ({
			documents: documentStore(organisation, engine),
			memories: memoryStore(organisation, engine),
			containers: containerStore(organisation, engine),
			profiles: profileStore(organisation, engine),
			records: recordStore(organisation, engine),
			removals: removalStore(organisation, engine),
			events: eventLog(organisation, engine),
		}),
		vectorSource: (organisation, space) => vectorSource(organisation, space, engine),
		textSource: (organisation) => textSource(organisation, engine),
		jobs: jobQueue(engine),
		accounts: accountStore(engine),
		spaces: spaceStore(scans),
		statistics: (now) => countRecords(engine, now),
		blobsNeeded: (organisation, keys) => scans.read(blobsNeeded(scans, organisation, keys)),
	};
}

/** Everything that a new engine has to provide. If the storage claims to be durable, a transaction that resolves is durable. */
export interface SqlConnection extends Executor, SchemaExecutor {
	readonly close: () => void;
}

export interface SqlStorageOptions extends Pick<StoragePlugin, "name" | "supports"> {
	readonly connection: SqlConnection;
	/** The clock by which memories expire. */
	readonly now: () => Date;
}

export function sqlStorage({ name, supports, connection, now }: SqlStorageOptions): StoragePlugin {
	const engine = directEngine(connection);
	const eraseDeleted = createTextEraser(engine);
	let isClosed = false;
	return {
		name,
		supports,
		...sqlStores(engine),
		migrate: async (beforeUpgrade) => {
			const schema = outdatedSchema(connection, migrations);
			if (schema !== null) await beforeUpgrade?.(schema);
			migrate(connection, migrations);
		},
		check: async () => void connection.statement("SELECT 1 FROM organisations LIMIT 1").get(),
		maintain: async (signal, removeBlobs) => {
			const hasSwept = await sweepRows(engine, now(), signal, removeBlobs);
			while (!signal.aborted && sweepDiscarded(connection));
			await eraseDeleted({ now: now(), signal, hasSwept });
		},
		close: async () => {
			if (!isClosed) connection.close();
			isClosed = true;
		},
	};
}

/** Every statement runs in the calling thread, and every write is a transaction of its own. */
function directEngine(connection: SqlConnection): SqlEngine {
	const { statement, transaction } = connection;
	let operations: Operations | null = null;
	return {
		...readsOf(connection),
		// Arguments and results are copied into rows and out of them, so nothing is shared with the caller.
		write: async (operation, args) => {
			operations ??= createOperations(connection);
			return transaction(() => operations?.[operation]?.run(args) as never);
		},
		aside: {
			read: async ({ sql, params }) => statement<{ part: Uint8Array }>(sql).get(...params)?.part ?? null,
			all: async <Row>({ sql, params }: Question) => statement<Row>(sql).all(...params),
		},
	};
}
