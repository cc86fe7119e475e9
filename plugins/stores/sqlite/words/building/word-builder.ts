/** Starts the process that builds one word file, and makes the result the index. */

import type { Log } from "cairn-memory";
import { type Building, buildFiles } from "../../index-files/build-files.ts";
import { publishWords, removeWords, wordPaths } from "../stored/word-folder.ts";
import type { BuiltWords } from "../stored/word-manifest.ts";
import type { WordAddress } from "../word-address.ts";

export interface WordBuildRequest {
	/** The path of the database. */
	readonly file: string;
	/** The folder with the word files. */
	readonly folder: string;
	readonly address: WordAddress;
}

/** The builder's task, as JSON. */
export interface WordBuildTask extends WordBuildRequest {
	readonly generation: string;
	/** The server's process id. */
	readonly parent: number;
}

/** @returns whether there is a new index. If not, the old one is still in place and valid. */
export function buildWords(request: WordBuildRequest, signal: AbortSignal, log: Log): Promise<boolean> {
	const { folder, address } = request;
	const building: Building = {
		what: "a word index",
		facts: { ...address },
		script: new URL("./build-words.ts", import.meta.url),
		taskOf: (generation): WordBuildTask => ({ ...request, generation, parent: process.pid }),
		leftoversOf: (generation) => {
			const { texts } = wordPaths(folder, address, generation);
			return [texts, `${texts}.tmp`, `${texts}.tmp.tmp`];
		},
		// The manifest is checked by its schema when it is written, so an invalid result is not published.
		publish: (generation, built) => publishWords(folder, address, generation, built as BuiltWords),
		removeOthers: (generation) => removeWords(folder, address, generation),
	};
	return buildFiles(building, signal, log);
}
