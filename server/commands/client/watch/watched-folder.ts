/** A folder of files as documents of a container: each file has one document, known by the file's path, that is changed and removed with it. */

import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { WireApi } from "../../../client/wire-api.ts";
import { hashOf, sendFile } from "../file-document.ts";

/** In the metadata of the documents: the folder that is watched, as a hash of its path; the file's name in it; when it was last changed. */
const [folderKey, nameKey, changedKey] = ["watchedFolder", "watchedFile", "fileChangedAt"];
const pageSize = 200;

const listed = z.object({
	memories: z.array(z.object({ id: z.string(), metadata: z.record(z.string(), z.unknown()) })),
	pagination: z.object({ totalPages: z.number() }),
});

interface KnownFile {
	readonly document: string;
	readonly changedAt: unknown;
}

export interface WatchedFolder {
	/** Sends a file. @param name relative to the folder. @returns the document; null if the server has this file as it is. @throws WireError, and the system's error for a file that cannot be read */
	readonly send: (name: string) => Promise<string | null>;
	/** @returns the document; null if the server has none of this file. @throws WireError */
	readonly remove: (name: string) => Promise<string | null>;
	/** The names of files that the server has and that are not among these. */
	readonly missing: (names: readonly string[]) => readonly string[];
}

/** Reads what the server has of this folder, from an earlier watch too. @param path absolute. @throws WireError */
export async function openWatchedFolder(path: string, container: string | null, api: WireApi): Promise<WatchedFolder> {
	const folder = hashOf(path);
	const known = await knownFiles(folder, container, api);
	return {
		send: async (name) => {
			const file = join(path, name);
			const changedAt = Math.floor((await stat(file)).mtimeMs);
			if (known.get(name)?.changedAt === changedAt) return null;
			// Otherwise the request would fail, as it does if no server responds.
			await access(file, constants.R_OK);
			const metadata = { [folderKey]: folder, [nameKey]: name, [changedKey]: changedAt };
			const { id: document } = await sendFile({ path: file, name, container, metadata }, api);
			known.set(name, { document, changedAt });
			return document;
		},
		remove: async (name) => {
			const document = known.get(name)?.document;
			if (document === undefined) return null;
			await api.ask("DELETE", `/v3/documents/${document}`);
			known.delete(name);
			return document;
		},
		missing: (names) => {
			const present = new Set(names);
			return [...known.keys()].filter((name) => !present.has(name));
		},
	};
}

async function knownFiles(folder: string, container: string | null, api: WireApi): Promise<Map<string, KnownFile>> {
	const known = new Map<string, KnownFile>();
	const filters = { AND: [{ key: folderKey, value: folder }] };
	for (let page = 1, pages = 1; page <= pages; page++) {
		const wanted = { ...(container === null ? {} : { containerTags: [container] }), filters, page, limit: pageSize };
		const answer = listed.parse(await api.ask("POST", "/v3/documents/list", wanted));
		pages = answer.pagination.totalPages;
		for (const { id, metadata } of answer.memories) known.set(String(metadata[nameKey]), { document: id, changedAt: metadata[changedKey] });
	}
	return known;
}
