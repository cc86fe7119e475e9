/** Lists the folders from which a client chooses. */

import type { Connector, Step } from "cairn-memory";
import { type DropboxApi, isRefused } from "./api.ts";
import { isFolderEntry } from "./entry.ts";
import { pageSchema } from "./folder-feed.ts";

type Listing = NonNullable<Connector["resources"]>["list"];

/** A service that goes on forever is left. */
const pagesMax = 1_000;

/** @param page its `parent` is the id of a folder */
export async function listResources({ page, perPage, parent }: Parameters<Listing>[1], api: DropboxApi, step: Step): ReturnType<Listing> {
	const found: { id: string; name: string; type: string; path: string; parent_id?: string }[] = [];
	let cursor: string | null = null;
	for (let pages = 0; pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		const answer: Awaited<ReturnType<typeof readPage>> = await readPage(parent, cursor, api);
		if (isRefused(answer)) break;
		for (const entry of answer.entries) {
			if (!isFolderEntry(entry)) continue;
			found.push({ id: entry.id, name: entry.name, type: "folder", path: entry.path_display ?? "", ...(parent !== null && { parent_id: parent }) });
		}
		if (!answer.has_more) break;
		cursor = answer.cursor;
	}
	const all = found.toSorted((a, b) => a.name.localeCompare(b.name));
	return { resources: all.slice((page - 1) * perPage, page * perPage), total: all.length };
}

function readPage(parent: string | null, cursor: string | null, api: DropboxApi) {
	return cursor === null
		? api.call("files/list_folder", { path: parent ?? "", include_non_downloadable_files: false }, pageSchema)
		: api.call("files/list_folder/continue", { cursor }, pageSchema);
}
