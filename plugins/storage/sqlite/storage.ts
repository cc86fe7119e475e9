/** All ports together, on one folder: a database, blobs and index files. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MessagePort } from "node:worker_threads";
import { fail, type Host, type OrganisationId, type OrganisationRooms, type Storage } from "cairn";
import { accountStore } from "./accounts.ts";
import { asideThread } from "./aside-thread.ts";
import { blobStore } from "./blobs.ts";
import { openScanner } from "./connection.ts";
import { containerStore } from "./containers.ts";
import { documentStore } from "./documents.ts";
import { eventLog } from "./events.ts";
import { lockFolder } from "./folder-lock.ts";
import { jobQueue } from "./jobs.ts";
import { memoryStore } from "./memories.ts";
import { profileStore } from "./profiles.ts";
import { openReads, type Reads } from "./reads.ts";
import { recordStore } from "./records.ts";
import { removalStore } from "./removals.ts";
import { spaceStore } from "./spaces.ts";
import { sweepBlobs } from "./sweep-blobs.ts";
import { sweepRows } from "./sweep-rows.ts";
import { defaultLimits, type VectorLimits } from "./vectors/vectors-context.ts";
import { openVectors } from "./vectors.ts";
import { createWordTending } from "./words/tend-words.ts";
import { wordFolder } from "./words/word-folder.ts";
import { wordsThread } from "./words-thread.ts";
import { type WriterClient, writerClient } from "./writer-client.ts";
import { asStorageError } from "./writer-protocol.ts";
import { startWriter } from "./writer-thread.ts";

/** So many texts are read and parted into words in a tenth of a second: that long the first search after a start may take. */
const wordsFreshMin = 2_000;

/** What the first thread holds for all: the folder itself, and the thread that writes. */
interface Keeper {
	readonly migrate: () => Promise<void>;
	readonly connect: () => MessagePort;
	readonly close: () => Promise<void>;
}

/** In another thread of the program the host hands over a line to the writer. */
export function openStorage(host: Host, limits: VectorLimits = defaultLimits): Storage {
	if (host.inherited === null) return openFirst(host, limits);
	if (!(host.inherited instanceof MessagePort)) throw fail("STORAGE_UNREACHABLE", "what was inherited is no line to a writer");
	return assemble(host, limits, writerClient(host.inherited), null);
}

function openFirst(host: Host, limits: VectorLimits): Storage {
	mkdirSync(host.folder, { recursive: true, mode: 0o700 });
	const lock = lockFolder(host.folder);
	const thread = startWriter({ file: databaseFile(host.folder) });
	const client = writerClient(thread.connect());
	thread.broken.then((why) => client.breakOff(why));
	return assemble(host, limits, client, {
		migrate: thread.migrate,
		connect: thread.connect,
		close: async () => {
			await thread.close();
			lock.release();
		},
	});
}

function assemble(host: Host, limits: VectorLimits, client: WriterClient, keeper: Keeper | null): Storage {
	const { folder, log, world } = host;
	const file = databaseFile(folder);
	const blobs = join(folder, "blobs");
	const reads = openReads(file);
	const scans = openReads(file, openScanner);
	const vectors = openVectors({ file, folder, log, canBuild: keeper !== null, limits });
	// Where the server answers, nothing may keep it; where documents are ingested, no words are looked up.
	const words = wordsThread({ file, folder, canRemove: keeper !== null }, log);
	const aside = asideThread({ file });
	const wordTending = createWordTending({ file, folder: wordFolder(folder), log, reads: scans, freshMin: Math.min(limits.tailMin, wordsFreshMin) });
	const rooms = new Map<OrganisationId, OrganisationRooms>();
	let closing: Promise<void> | null = null;

	function open(organisation: OrganisationId): OrganisationRooms {
		const known = rooms.get(organisation);
		if (known !== undefined) return known;
		const opened: OrganisationRooms = {
			documents: documentStore(organisation, reads, client, aside),
			memories: memoryStore(organisation, reads, client, aside),
			words: words.index(organisation),
			blobs: blobStore(blobs, organisation),
			containers: containerStore(organisation, reads, client, aside),
			profiles: profileStore(organisation, reads, client),
			records: recordStore(organisation, reads, client),
			removals: removalStore(organisation, reads, client),
			events: eventLog(organisation, reads, client),
			vectors: (space) => vectors.index(organisation, space),
		};
		rooms.set(organisation, opened);
		return opened;
	}

	async function close(): Promise<void> {
		await client.drain();
		await words.close();
		await aside.close();
		await wordTending.close();
		await vectors.close();
		reads.close();
		scans.close();
		await keeper?.close();
	}

	return {
		name: "sqlite",
		supports: { manyWriters: false, durable: true },
		organisation: open,
		jobs: jobQueue(reads, client),
		accounts: accountStore(reads, client),
		spaces: spaceStore(scans, client),
		migrate: async () => keeper?.migrate(),
		check: async () => check(reads, client),
		tend: async (signal) => {
			if (keeper === null) return;
			await wordTending.tend(signal);
			await vectors.tend(signal);
			await sweepRows(client, world.now(), signal);
			const removed = await sweepBlobs(blobs, scans.statement, world.now(), signal);
			if (removed > 0) log("info", "removed blobs that nothing pointed to", { removed });
		},
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

/** A read and a write: the one tells of the file, the other of the writer. */
async function check(reads: Reads, { write }: WriterClient): Promise<void> {
	try {
		reads.statement("SELECT 1 FROM organisations LIMIT 1").get();
		await write("ping", null);
	} catch (thrown) {
		throw asStorageError(thrown);
	}
}

function databaseFile(folder: string): string {
	return join(folder, "cairn.sqlite");
}
