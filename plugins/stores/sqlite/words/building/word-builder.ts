/** Has one word file built by a process of its own, and makes what it built the index. */

import type { Log } from "cairn-memory";
import { type Building, buildFiles } from "../../index-files/build-files.ts";
import { publishWords, removeWords, wordPaths } from "../stored/word-folder.ts";
import type { BuiltWords } from "../stored/word-manifest.ts";
import type { WordAddress } from "../word-address.ts";

export interface WordBuildRequest {
	/** The database. */
	readonly file: string;
	/** Where word files are. */
	readonly folder: string;
	readonly address: WordAddress;
}

/** The builder's task, as JSON. */
export interface WordBuildTask extends WordBuildRequest {
	readonly generation: string;
	readonly parent: number;
}

/** @returns whether there is a new index. When not, the old one is still in place and still right. */
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
		// The manifest is written through its schema: what does not fit is not published.
		publish: (generation, built) => publishWords(folder, address, generation, built as BuiltWords),
		removeOthers: (generation) => removeWords(folder, address, generation),
	};
	return buildFiles(building, signal, log);
}
