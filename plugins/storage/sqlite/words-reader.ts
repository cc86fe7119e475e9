/**
 * The thread that looks words up for the server: FTS5 scores every text that holds a word, which in a large store takes
 * tens of milliseconds for a common one. Here nobody waits for that but who asked; the vectors are searched meanwhile.
 */

import { parentPort, workerData } from "node:worker_threads";
import type { OrganisationId, WordIndex } from "cairn";
import { openReads } from "./reads.ts";
import { wordIndex } from "./words.ts";
import type { Lookup, LookupAnswer, WordsReaderData } from "./words-thread.ts";
import { postFailure } from "./writer-protocol.ts";

const { file }: WordsReaderData = workerData;
const reads = openReads(file);

parentPort?.on("message", async (lookup: Lookup | "close") => {
	if (lookup !== "close") return parentPort?.postMessage(await answer(lookup));
	reads.close();
	parentPort?.close();
});

async function answer({ id, organisation, asked }: Lookup): Promise<LookupAnswer> {
	try {
		return { id, ok: true, hits: await match(wordIndex(organisation as OrganisationId, reads), asked) };
	} catch (thrown) {
		return { id, ok: false, failure: postFailure(thrown) };
	}
}

function match(index: WordIndex, asked: Lookup["asked"]): ReturnType<WordIndex["matchChunks"] | WordIndex["matchMemories"]> {
	if (asked.kind === "chunk") return index.matchChunks(asked.words, asked.scope, asked.limit);
	return index.matchMemories(asked.words, asked.reach, asked.limit);
}
