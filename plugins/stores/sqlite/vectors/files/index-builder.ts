/** Starts the process that builds one vector index, and makes the result the index of the partition. */

import { availableParallelism } from "node:os";
import type { Log } from "cairn-memory";
import { type Building, buildFiles } from "../../index-files/build-files.ts";
import type { PartitionAddress } from "../partition-address.ts";
import { indexPaths, publishIndex, removeIndex } from "./index-folder.ts";
import type { BuiltClaims } from "./index-manifest.ts";

export interface BuildRequest {
	/** The path of the database. */
	readonly file: string;
	/** The folder with the index files. */
	readonly folder: string;
	readonly address: PartitionAddress;
	/** Whether to build a graph, which takes nearly all the time. There is none if every search scans all rows anyway. */
	readonly withGraph: boolean;
}

/** The builder's task, as JSON. */
export interface BuildTask extends BuildRequest {
	readonly generation: string;
	readonly threads: number;
	/** The server's process id. */
	readonly parent: number;
}

/** @returns whether there is a new index. If not, the old one is still in place and valid. */
export function buildIndex(request: BuildRequest, signal: AbortSignal, log: Log): Promise<boolean> {
	const { folder, address } = request;
	// Half of the cores; the others are for the server.
	const threads = Math.max(1, Math.floor(availableParallelism() / 2));
	const building: Building = {
		what: "a vector index",
		facts: { kind: address.kind, organisation: address.organisation, space: address.space.name },
		script: new URL("./build-index.ts", import.meta.url),
		taskOf: (generation): BuildTask => ({ ...request, generation, threads, parent: process.pid }),
		leftoversOf: (generation) => {
			const { graph, rows } = indexPaths(folder, address, generation);
			return [graph, rows, `${graph}.tmp`, `${rows}.tmp`];
		},
		// The manifest is checked by its schema when it is written, so an invalid result is not published.
		publish: (generation, built) => publishIndex(folder, address, generation, built as BuiltClaims),
		removeOthers: (generation) => removeIndex(folder, address, generation),
	};
	return buildFiles(building, signal, log);
}
