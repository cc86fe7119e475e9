/** Has one index built by a process of its own, and makes what it built the index of the partition. */

import { availableParallelism } from "node:os";
import type { Log } from "cairn-memory";
import { type Building, buildFiles } from "../../index-files/build-files.ts";
import type { PartitionAddress } from "../partition-address.ts";
import { indexPaths, publishIndex, removeIndex } from "./index-folder.ts";
import type { BuiltClaims } from "./index-manifest.ts";

export interface BuildRequest {
	/** The database. */
	readonly file: string;
	/** Where index files are. */
	readonly folder: string;
	readonly address: PartitionAddress;
	/** Making one takes nearly all the time: where all rows are scanned anyway, the file has none. */
	readonly withGraph: boolean;
}

/** The builder's task, as JSON. */
export interface BuildTask extends BuildRequest {
	readonly generation: string;
	readonly threads: number;
	readonly parent: number;
}

/** @returns whether there is a new index. When not, the old one is still in place and still right. */
export function buildIndex(request: BuildRequest, signal: AbortSignal, log: Log): Promise<boolean> {
	const { folder, address } = request;
	// Half the cores: the other half answers.
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
		// The manifest is written through its schema: what does not fit is not published.
		publish: (generation, built) => publishIndex(folder, address, generation, built as BuiltClaims),
		removeOthers: (generation) => removeIndex(folder, address, generation),
	};
	return buildFiles(building, signal, log);
}
