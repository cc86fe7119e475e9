/**
 * The thread for keyword search. After a start it has to read texts that are in no word file, and in a large store a common word takes
 * milliseconds. In this thread other requests do not wait for that, and the vectors are searched at the same time.
 */

import { parentPort, workerData } from "node:worker_threads";
import type { OrganisationId } from "cairn-memory";
import { openReads } from "../threads/reads.ts";
import { dataVersion } from "../vectors/vector-tables.ts";
import { type Answer, postFailure } from "../writer/writer-protocol.ts";
import { createReadAhead } from "./read-ahead.ts";
import { wordFolder } from "./stored/word-folder.ts";
import { takeTurns } from "./take-turns.ts";
import { WordPartitions } from "./word-partitions.ts";
import { type WordPartitionSearch, wordIndex } from "./words.ts";
import type { Lookup, LookupResult, WordsNotice, WordsReaderData } from "./words-thread.ts";

const { file, folder, canRemove }: WordsReaderData = workerData;
const reads = openReads(file);
const partitions = new WordPartitions({ folder: wordFolder(folder), reads, canRemove, warn });
const readAhead = createReadAhead({ version: () => dataVersion(reads), read: () => partitions.readAhead() });
const pending = new Set<Promise<void>>();
const turns = takeTurns<{ readonly lookup: Lookup; readonly end: () => void }>(({ lookup, end }) => {
	answer(lookup)
		.then((found) => parentPort?.postMessage(found))
		.finally(() => {
			readAhead.searched();
			end();
		});
});

parentPort?.on("message", (message: Lookup | string) => {
	if (message === "close") return close();
	const lookup: Lookup = typeof message === "string" ? JSON.parse(message) : message;
	const { promise, resolve } = Promise.withResolvers<void>();
	pending.add(promise);
	promise.finally(() => pending.delete(promise));
	turns.put(lookup.organisation, { lookup, end: resolve });
});

async function answer({ id, organisation, asked }: Lookup): Promise<Answer> {
	try {
		const found = await match(wordIndex(organisation as OrganisationId, reads, partitions), asked);
		return { id, ok: true, result: JSON.stringify(found) satisfies LookupResult };
	} catch (thrown) {
		return { id, ok: false, failure: postFailure(thrown) };
	}
}

function match({ matchChunks, matchMemories }: WordPartitionSearch, { isHurried, words, limit, ...asked }: Lookup["asked"]): Promise<unknown> {
	return asked.kind === "chunk" ? matchChunks(words, asked.scope, limit, isHurried) : matchMemories(words, asked.memoryFilter, limit, isHurried);
}

/** Answers pending requests, and ends the thread. */
async function close(): Promise<void> {
	readAhead.stop();
	await Promise.all(pending);
	reads.close();
	parentPort?.close();
}

function warn(message: string, details: Readonly<Record<string, unknown>>): void {
	const notice: WordsNotice = { notice: message, details };
	parentPort?.postMessage(notice);
}
