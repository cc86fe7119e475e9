/** Starts the process that builds one word file, and makes the result the index. */

import type { Log } from "cairn-memory";
import { buildFiles, type FileBuild } from "../../index-files/build-files.ts";
import { publishWords, removeOtherWords, wordPaths } from "../stored/word-folder.ts";
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
	const build: FileBuild = {
		what: "a word index",
		details: { ...address },
		script: new URL("./build-words.ts", import.meta.url),
		taskOf: (generation): WordBuildTask => ({ ...request, generation, parent: process.pid }),
		leftoversOf: (generation) => {
			// The builder writes `.tmp.tmp` and renames it to `.tmp` when it is complete; `publish` renames that to the final name.
			const { data } = wordPaths(folder, address, generation);
			return [data, `${data}.tmp`, `${data}.tmp.tmp`];
		},
		// The manifest is checked by its schema when it is written, so an invalid result is not published.
		publish: (generation, built) => publishWords(folder, address, generation, built as BuiltWords),
		removeOtherGenerations: (generation) => removeOtherWords(folder, address, generation),
	};
	return buildFiles(build, signal, log);
}
