/** All ports together, on one folder: a database and index files. */

import { mkdirSync } from "node:fs";
import { MessagePort } from "node:worker_threads";
import { fail, type Host, type OrganisationId, type StoragePlugin, type TenantRecords } from "cairn-memory";
import { sqlStores } from "../sql/storage.ts";
import { sweepRows } from "../sql/upkeep.ts";
import { openScanner } from "./connection.ts";
import { databaseFile, examineDatabase, markMade } from "./files/database-file.ts";
import { tracesEraser } from "./files/erase-traces.ts";
import { type FolderLock, lockFolder } from "./files/folder-lock.ts";
import { asideThread } from "./threads/aside-thread.ts";
import { damageNoter, readiness } from "./threads/readiness.ts";
import { openReads } from "./threads/reads.ts";
import { tellingFailures } from "./threads/told-failures.ts";
import { openVectors } from "./vectors/vectors.ts";
import { defaultLimits, type VectorLimits } from "./vectors/vectors-context.ts";
import { createWordMaintenance } from "./words/building/maintain-words.ts";
import { wordFolder } from "./words/stored/word-folder.ts";
import { wordsThread } from "./words/words-thread.ts";
import { type WriterClient, writerClient } from "./writer/writer-client.ts";
import { asStorageError } from "./writer/writer-protocol.ts";
import { startWriter } from "./writer/writer-thread.ts";

/** So many texts are read and parted into words in a tenth of a second: that long the first search after a start may take. */
const wordsFreshMin = 2_000;

/** What the first thread holds for all: the folder itself, and the thread that writes. */
interface Keeper {
	readonly migrate: () => Promise<void>;
	readonly emptyLog: () => Promise<boolean>;
	readonly connect: () => MessagePort;
	readonly close: () => Promise<void>;
}

/** In another thread of the program the host hands over a line to the writer. */
export function openStorage(host: Host, limits: VectorLimits = defaultLimits): StoragePlugin {
	if (host.inherited === null) return openFirst(host, limits);
	if (!(host.inherited instanceof MessagePort)) throw fail("STORAGE_UNREACHABLE", "what was inherited is no line to a writer");
	return assemble(host, limits, writerClient(host.inherited), null);
}

function openFirst(host: Host, limits: VectorLimits): StoragePlugin {
	const lock = takeFolder(host.folder);
	const thread = startWriter({ file: databaseFile(host.folder) });
	const client = writerClient(thread.connect());
	thread.ended.then((why) => client.breakOff(why));
	return assemble(host, limits, client, {
		migrate: async () => {
			await thread.migrate();
			markMade(host.folder);
		},
		emptyLog: thread.emptyLog,
		connect: thread.connect,
		close: async () => {
			await thread.close();
			lock.release();
		},
	});
}

/** Nothing is begun in a folder that another server has, or whose database cannot be used. */
function takeFolder(folder: string): FolderLock {
	let lock: FolderLock | null = null;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		lock = lockFolder(folder);
		examineDatabase(folder);
		return lock;
	} catch (thrown) {
		lock?.release();
		throw asStorageError(thrown);
	}
}

function assemble(host: Host, limits: VectorLimits, client: WriterClient, keeper: Keeper | null): StoragePlugin {
	const { folder, log, world } = host;
	const file = databaseFile(folder);
	const reads = openReads(file);
	const scans = openReads(file, openScanner);
	const vectors = openVectors({ file, folder, log, canBuild: keeper !== null, limits });
	// Where the server answers, nothing may keep it; where documents are ingested, no words are looked up.
	const words = wordsThread({ file, folder, canRemove: keeper !== null }, log);
	const aside = asideThread({ file });
	const wordMaintenance = createWordMaintenance({ file, folder: wordFolder(folder), log, reads: scans, freshMin: Math.min(limits.tailMin, wordsFreshMin) });
	const stores = sqlStores({ ...reads, write: client.write, aside }, { ...scans, write: client.write, aside });
	const tenant = new Map<OrganisationId, TenantRecords>();
	const note = damageNoter(client, log);
	const telling = <Stores extends object>(stores: Stores): Stores => tellingFailures(stores, note);
	const check = readiness(folder, reads, client);
	const eraseTraces = keeper && tracesEraser({ file, reads: scans, client, emptyLog: keeper.emptyLog });
	let closing: Promise<void> | null = null;

	function open(organisation: OrganisationId): TenantRecords {
		const known = tenant.get(organisation);
		if (known !== undefined) return known;
		const opened = telling(stores.organisation(organisation));
		tenant.set(organisation, opened);
		return opened;
	}

	async function close(): Promise<void> {
		// In this order, and the writer and the lock last: each is let go of whatever the others throw.
		await using closed = new AsyncDisposableStack();
		closed.defer(async () => keeper?.close());
		closed.defer(scans.close);
		closed.defer(reads.close);
		closed.defer(vectors.close);
		closed.defer(wordMaintenance.close);
		closed.defer(aside.close);
		closed.defer(words.close);
		await client.drain();
	}

	return {
		name: "sqlite",
		supports: { manyWriters: false, durable: true },
		organisation: open,
		vectorSource: (organisation, space) => telling(stores.vectorSource(organisation, space)),
		search: telling({ words: words.index, vectors: vectors.index }),
		textSource: (organisation) => telling(stores.textSource(organisation)),
		...telling({
			jobs: stores.jobs,
			accounts: stores.accounts,
			spaces: stores.spaces,
			blobsNeeded: stores.blobsNeeded,
			migrate: async () => keeper?.migrate(),
			check,
			maintain: async (signal: AbortSignal) => {
				if (keeper === null) return;
				const hasSwept = await sweepRows(client, world.now(), signal);
				await eraseTraces?.({ now: world.now(), signal, hasSwept });
				// What has gone from the tables goes from their files.
				await wordMaintenance.maintain(signal);
				await vectors.maintain(signal);
			},
		}),
		onWritten: client.onWritten,
		close: () => {
			closing ??= close();
			return closing;
		},
		...(keeper === null ? {} : { share: () => inheritance(keeper.connect()) }),
	};
}

function inheritance(port: MessagePort) {
	return { value: port, transfer: [port] };
}
