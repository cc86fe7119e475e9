/** The storage on one folder with a database and index files. */

import { mkdirSync } from "node:fs";
import { MessagePort } from "node:worker_threads";
import { fail, type Host, type OrganisationId } from "cairn-memory";
import { type BlobRemover, createSettledClock, type StoragePlugin, type TenantRecords } from "cairn-memory/stores";
import { BoundedMap } from "cairn-memory/words";
import { createTextEraser } from "../sql/erase-deleted.ts";
import { readsOf } from "../sql/executor.ts";
import { sqlStores } from "../sql/storage.ts";
import { sweepRows } from "../sql/upkeep.ts";
import { openScanner } from "./connection.ts";
import { createGapClearer } from "./files/clear-gaps.ts";
import { databaseFile, examineDatabase, markCreated, outdatedSchemaOf } from "./files/database-file.ts";
import { createTraceEraser } from "./files/erase-traces.ts";
import { type FolderLock, lockFolder } from "./files/folder-lock.ts";
import { createFullCheck } from "./files/full-check.ts";
import { lostWrites } from "./files/lost-writes.ts";
import { asideThread } from "./threads/aside-thread.ts";
import { asideThreads } from "./threads/aside-threads.ts";
import { convertErrors } from "./threads/convert-errors.ts";
import { damageReporter, readiness } from "./threads/readiness.ts";
import { openReads } from "./threads/reads.ts";
import { openVectors } from "./vectors/vectors.ts";
import { defaultLimits, type VectorLimits } from "./vectors/vectors-context.ts";
import { createWordMaintenance } from "./words/building/maintain-words.ts";
import { wordFolder } from "./words/stored/word-folder.ts";
import { wordsThread } from "./words/words-thread.ts";
import { type WriterClient, writerClient } from "./writer/writer-client.ts";
import { asStorageError } from "./writer/writer-protocol.ts";
import { startWriter } from "./writer/writer-thread.ts";

/** How many texts may be missing from the index files. The first search after a start splits them into words, in a tenth of a second. */
const wordsFreshMin = 2_000;

/** Organisations whose stores are kept. They hold no state, so those of another one are made again. */
const tenantsMax = 1_000;

export interface StorageLimits extends VectorLimits {
	/** How long after the start the whole database is looked through, if that was not done within a day. */
	readonly checkAfterMs?: number;
}

export const checkAfterMsDefault = 10 * 60_000;

const lostWritesRemedy = "after a loss of power these are writes that no client was told of; otherwise compare the newest documents with a backup";

/** What only the first thread has: the lock on the folder, and the writer thread. */
interface FolderOwner {
	readonly migrate: StoragePlugin["migrate"];
	readonly emptyLog: () => Promise<boolean>;
	readonly dropCache: () => Promise<void>;
	readonly connect: () => MessagePort;
	readonly close: () => Promise<void>;
}

/** Opens the storage. In other threads than the first, the host passes a port to the writer. */
export function openStorage(host: Host, limits: StorageLimits = defaultLimits): StoragePlugin {
	if (host.inherited === null) return openFirst(host, limits);
	if (!(host.inherited instanceof MessagePort)) throw fail("STORAGE_UNREACHABLE", "what the first thread passed on is not a port to the writer");
	return assemble(host, limits, writerClient(host.inherited), null);
}

function openFirst(host: Host, limits: StorageLimits): StoragePlugin {
	const lock = takeFolder(host);
	const thread = startWriter({ file: databaseFile(host.folder) });
	const client = writerClient(thread.connect());
	thread.ended.then((why) => client.breakOff(why));
	return assemble(host, limits, client, {
		migrate: async (beforeUpgrade) => {
			const schema = beforeUpgrade === undefined ? null : outdatedSchemaOf(host.folder);
			if (schema !== null) await beforeUpgrade?.(schema);
			await thread.migrate();
			markCreated(host.folder);
		},
		emptyLog: thread.emptyLog,
		dropCache: thread.dropCache,
		connect: thread.connect,
		close: async () => {
			await thread.close();
			lock.release();
		},
	});
}

/** Locks the folder and checks its database. Throws if another server uses the folder, or if the database cannot be used. */
function takeFolder({ folder, log }: Pick<Host, "folder" | "log">): FolderLock {
	let lock: FolderLock | null = null;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		lock = lockFolder(folder);
		const lost = lostWrites(databaseFile(folder));
		examineDatabase(folder);
		if (lost !== null) log("error", `the data folder is damaged: ${lost}`, { remedy: lostWritesRemedy });
		return lock;
	} catch (thrown) {
		lock?.release();
		throw asStorageError(thrown);
	}
}

function assemble(host: Host, limits: StorageLimits, client: WriterClient, owner: FolderOwner | null): StoragePlugin {
	const { folder, log, world } = host;
	const file = databaseFile(folder);
	const reads = openReads(file);
	// A connection for background work that scans whole tables.
	const scans = openReads(file, openScanner);
	const vectors = openVectors({ file, folder, log, canBuild: owner !== null, limits });
	// Keyword searches run in a thread of their own, so that they never block the thread that answers requests.
	const words = wordsThread({ file, folder, canRemove: owner !== null }, log);
	const aside = asideThreads([asideThread({ file }), asideThread({ file })]);
	const wordMaintenance = createWordMaintenance({ file, folder: wordFolder(folder), log, reads: scans, freshMin: Math.min(limits.tailMin, wordsFreshMin) });
	const stores = sqlStores({ ...readsOf(reads), write: client.write, aside }, { ...readsOf(scans), write: client.write, aside });
	const tenants = new BoundedMap<OrganisationId, TenantRecords>(tenantsMax);
	const reportDamage = damageReporter(client, log);
	const withStorageErrors = <Stores extends object>(stores: Stores): Stores => convertErrors(stores, reportDamage);
	const check = readiness(folder, reads, client);
	const settledNow = createSettledClock(world);
	const fullCheck = owner && createFullCheck({ file, afterMs: limits.checkAfterMs ?? checkAfterMsDefault, log, now: world.now, onDamage: reportDamage });
	const eraseDeleted = createTextEraser({ ...readsOf(scans), write: client.write });
	const eraseTraces = owner && createTraceEraser({ file, eraseDeleted, emptyLog: owner.emptyLog, clearGaps: createGapClearer(file, owner.dropCache) });
	let closing: Promise<void> | null = null;

	function open(organisation: OrganisationId): TenantRecords {
		const opened = tenants.get(organisation);
		if (opened !== undefined) return opened;
		const records = withStorageErrors(stores.organisation(organisation));
		tenants.set(organisation, records);
		return records;
	}

	async function close(): Promise<void> {
		// They are closed in reverse order, the writer and the lock last, whatever the others throw.
		await using closed = new AsyncDisposableStack();
		closed.defer(async () => owner?.close());
		closed.defer(scans.close);
		closed.defer(reads.close);
		closed.defer(vectors.close);
		closed.defer(wordMaintenance.close);
		closed.defer(aside.close);
		closed.defer(words.close);
		closed.defer(async () => fullCheck?.close());
		await client.drain();
	}

	return {
		name: "sqlite",
		supports: { manyWriters: false, durable: true },
		organisation: open,
		vectorSource: (organisation, space) => withStorageErrors(stores.vectorSource(organisation, space)),
		search: withStorageErrors({ words: words.index, vectors: vectors.index }),
		textSource: (organisation) => withStorageErrors(stores.textSource(organisation)),
		...withStorageErrors({
			jobs: stores.jobs,
			accounts: stores.accounts,
			spaces: stores.spaces,
			blobsNeeded: stores.blobsNeeded,
			statistics: stores.statistics,
			migrate: async (beforeUpgrade?: (schema: number) => Promise<void>) => owner?.migrate(beforeUpgrade),
			check,
			maintain: async (signal: AbortSignal, removeBlobs?: BlobRemover) => {
				if (owner === null) return;
				fullCheck?.beginIfDue();
				const now = settledNow();
				const hasSwept = await sweepRows(client, now, signal, removeBlobs);
				await eraseTraces?.({ now, signal, hasSwept });
				// Index files come after the tables, because they have to lose what was deleted there.
				await wordMaintenance.maintain(signal);
				await vectors.maintain(signal);
			},
		}),
		onWritten: client.onWritten,
		close: () => {
			closing ??= close();
			return closing;
		},
		...(owner === null ? {} : { share: () => inheritance(owner.connect()) }),
	};
}

function inheritance(port: MessagePort) {
	return { value: port, transfer: [port] };
}
