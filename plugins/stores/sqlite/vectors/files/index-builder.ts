/** Starts the process that builds one vector index, and makes the result the index of the partition. */

import type { Log } from "cairn-memory";
import { buildFiles, type FileBuild } from "../../index-files/build-files.ts";
import type { PartitionAddress } from "../partition-address.ts";
import { indexPaths, publishIndex, removeIndex } from "./index-folder.ts";
import type { BuiltIndex } from "./index-manifest.ts";

export interface BuildRequest {
	/** The path of the database. */
	readonly file: string;
	/** The folder with the index files. */
	readonly folder: string;
	readonly address: PartitionAddress;
}

/** The builder's task, as JSON. */
export interface BuildTask extends BuildRequest {
	readonly generation: string;
	/** The server's process id. */
	readonly parent: number;
}

/** @returns whether there is a new index. If not, the old one is still in place and valid. */
export function buildIndex(request: BuildRequest, signal: AbortSignal, log: Log): Promise<boolean> {
	const { folder, address } = request;
	const build: FileBuild = {
		what: "a vector index",
		details: { kind: address.kind, organisation: address.organisation, space: address.space.name },
		script: new URL("./build-index.ts", import.meta.url),
		taskOf: (generation): BuildTask => ({ ...request, generation, parent: process.pid }),
		leftoversOf: (generation) => {
			const { data } = indexPaths(folder, address, generation);
			return [data, `${data}.tmp`];
		},
		// The manifest is checked by its schema when it is written, so an invalid result is not published.
		publish: (generation, built) => publishIndex(folder, address, generation, built as BuiltIndex),
		removeOtherGenerations: (generation) => removeIndex(folder, address, { except: generation }),
	};
	return buildFiles(build, signal, log);
}
