/**
 * Follows folders by the cursors of Dropbox, by the rules of https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder.
 * What is deleted is told by its path alone; a file keeps its id wherever it goes.
 */

import { fail, type Step } from "cairn-memory";
import { z } from "zod";
import { ofFeed } from "../feed-state.ts";
import type { FeedPage, FeedSource, FeedTree } from "../follow-feeds.ts";
import { type DropboxApi, isRefused, type Refused } from "./api.ts";
import { type DropboxConfig, provider } from "./config.ts";
import { type DropboxEntry, entrySchema, isDocument, isFileEntry, isFolderEntry, isTooLarge, versionOf } from "./entry.ts";
import { PathTree } from "./path-tree.ts";
import { readFile } from "./read-file.ts";
import { sharingOf } from "./sharing.ts";

export const pageSchema = z.object({ entries: z.array(entrySchema), cursor: z.string(), has_more: z.boolean() });

/** Dropbox's largest page. */
const perPage = 2_000;

/** @param root the namespace that paths begin at, which is part of what is followed */
export function folderFeeds(config: DropboxConfig, root: string | null, api: DropboxApi, step: Step): FeedSource<DropboxEntry> {
	// The path of the account's own folder, or of the team's space, is empty.
	const feeds = config.syncScope === "full" ? [""] : config.folders;
	const paths = new Map<string, PathTree>();
	const sharing = sharingOf(api);
	/** By id, since everything is listed again where Dropbox has forgotten its place. */
	const tooLarge = new Set<string>();
	return {
		provider,
		unit: "file",
		failureCode: "DROPBOX_FILE_FAILED",
		scope: JSON.stringify([root, feeds.toSorted()]),
		feeds,
		documentsMax: config.documentsMax,
		page: async (folder, cursor) => {
			const page = await readPage(folder, cursor, api);
			if (page.kind === "page") return page;
			if (page.kind === "unread") step.warn("DROPBOX_FOLDER_UNREAD", `the folder ${folder} may not be read now; its documents stay as they are`);
			paths.delete(folder);
			if (page.kind === "gone") step.warn("DROPBOX_FOLDER_MISSING", `the folder ${folder} is gone, or its account may no longer see it`);
			return page;
		},
		apply: (folder, entries, tree) => {
			for (const entry of entries) {
				if (isFileEntry(entry) && isTooLarge(entry)) tooLarge.add(entry.id);
				apply(folder, entry, tree, paths);
			}
		},
		followed: () => {
			if (tooLarge.size > 0) step.warn("DROPBOX_FILES_SKIPPED", `${tooLarge.size} files are too large`);
		},
		isWanted: () => true,
		keyOf: (_folder, id) => id,
		feedOf: () => null,
		isGone: (id, unread) => isGone(id, unread, api),
		read: (id) => readFile(id, api, sharing),
	};
}

async function readPage(folder: string, cursor: string | null, api: DropboxApi): Promise<FeedPage<DropboxEntry>> {
	const page =
		cursor === null
			? await api.call("files/list_folder", { path: folder, recursive: true, limit: perPage }, pageSchema)
			: await api.call("files/list_folder/continue", { cursor }, pageSchema);
	if (!isRefused(page)) return { kind: "page", entries: page.entries, cursor: page.cursor, isLast: !page.has_more };
	return refusedPage(page, folder);
}

function refusedPage({ refused }: Refused, folder: string): FeedPage<DropboxEntry> {
	if (refused.startsWith("reset")) return { kind: "reset", cursor: null };
	// Whatever else it says of a path, that it is locked or restricted say, may pass.
	if (refused.startsWith("path/") && folder !== "")
		return { kind: ["path/not_found", "path/not_folder"].some((tag) => refused.startsWith(tag)) ? "gone" : "unread" };
	throw fail("CONNECTION_SOURCE_MISSING", provider, `its folder cannot be listed: ${refused}`);
}

/** A file that left the others may have come to a folder that may not be read now: that one is asked where it is. */
async function isGone(id: string, unread: ReadonlySet<string>, api: DropboxApi): Promise<boolean> {
	const found = await api.call("files/get_metadata", { path: id }, placeSchema);
	// Whatever else it says, that it is locked or restricted say, does not tell that it is gone.
	if (isRefused(found)) return found.refused.startsWith("path/not_found");
	// Of a folder that was chosen by its id the path is not known while it may not be read.
	const isBelow = (folder: string) => !folder.startsWith("/") || found.path_lower === undefined || found.path_lower.startsWith(`${folder.toLowerCase()}/`);
	return ![...unread].some(isBelow);
}

const placeSchema = z.object({ path_lower: z.string().optional() });

function apply(folder: string, entry: DropboxEntry, tree: FeedTree, paths: Map<string, PathTree>): void {
	const path = "path_lower" in entry ? entry.path_lower : undefined;
	if (path === undefined) return;
	const byPath = paths.get(folder) ?? new PathTree(tree.state.places.get(folder) ?? new Map());
	paths.set(folder, byPath);
	// Whatever was there before is replaced; only a folder leaves what is in it as it was.
	for (const id of isFolderEntry(entry) ? byPath.takeAt(path) : byPath.takeAll(path)) tree.drop(folder, id);
	if (!isFileEntry(entry)) return;
	const items = ofFeed(tree.state.places, folder);
	// The path that it has left may be told later, when something else may be there.
	byPath.leave(items.get(entry.id) ?? "", entry.id);
	if (isDocument(entry)) tree.offer(folder, entry.id, path, versionOf(entry));
	else tree.drop(folder, entry.id);
	if (items.has(entry.id)) byPath.add(path, entry.id);
}
