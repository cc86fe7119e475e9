/**
 * Follows drives by delta queries: https://learn.microsoft.com/graph/api/driveitem-delta. A drive is followed as a whole, since only that is
 * documented; folders are known by their ids, so that a folder that moves takes along what is in it, of which Graph tells nothing.
 */

import { fail, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { type FeedState, ofFeed } from "../feed-state.ts";
import type { FeedPage, FeedSource, FeedTree } from "../follow-feeds.ts";
import { remembered } from "../remembered.ts";
import type { GraphApi } from "./api.ts";
import { type Chosen, chosenDrives, type OneDriveConfig, provider } from "./config.ts";
import { type DriveItem, has, isDocument, isTooLarge, itemSchema, versionOf } from "./drive-item.ts";
import { readItem } from "./read-item.ts";

const pageSchema = z.object({ value: z.array(itemSchema), "@odata.nextLink": z.string().optional(), "@odata.deltaLink": z.string().optional() });
const driveSchema = z.object({ id: z.string() });

/** Without `cTag`, which is left out there anyway, and without download addresses, which expire before they are used. */
const fields = "id,name,eTag,size,file,folder,package,root,deleted,malware,remoteItem,parentReference,shared,lastModifiedDateTime";
/** What a drive calls its first folder. */
const top = "root";
/** Folders of all drives together. The cursor has them all. */
const foldersMax = 50_000;
/** A chain of folders that is longer is a circle. */
const depthMax = 1_000;

export async function driveFeeds(config: OneDriveConfig, api: GraphApi, step: Step): Promise<FeedSource<DriveItem>> {
	const chosen = config.syncScope === "full" ? [{ drive: await ownDrive(api), folders: null }] : chosenDrives(config.folders);
	const byDrive = new Map(chosen.map((each) => [each.drive, each]));
	const remarks = new Remarks(step);
	const rootOf = remembered((drive) => api.json(`/drives/${drive}/${top}`, itemSchema));
	return {
		provider,
		unit: "file",
		failureCode: "ONEDRIVE_FILE_FAILED",
		scope: JSON.stringify(chosen.map(({ drive, folders }) => [drive, folders === null ? null : [...folders].toSorted()]).toSorted()),
		feeds: chosen.map(({ drive }) => drive),
		documentsMax: config.documentsMax,
		page: async (drive, link) => {
			const page = await readPage(drive, link, config, rootOf, api);
			if (page.kind === "unread") step.warn("ONEDRIVE_DRIVE_UNREAD", `the drive ${drive} may not be read now; its documents stay as they are`);
			if (page.kind === "gone") step.warn("ONEDRIVE_DRIVE_MISSING", `the drive ${drive} is gone, or its account may no longer see it`);
			return page;
		},
		apply: (drive, items, tree) => {
			for (const item of items) apply(item, byDrive.get(drive) ?? { drive, folders: null }, tree, remarks);
		},
		isWanted: (drive, folder, state) => isInside(folder, byDrive.get(drive)?.folders ?? null, ofFeed(state.folders, drive)) === true,
		followed: (state) => {
			for (const { drive, folders } of chosen) {
				for (const folder of folders ?? [])
					if (state.cursors.has(drive) && !ofFeed(state.folders, drive).has(folder))
						step.warn("ONEDRIVE_FOLDER_MISSING", `the folder ${drive}/${folder} is gone, or its account may no longer see it`);
			}
			remarks.tell();
		},
		keyOf: (drive, id) => `${drive}/${id}`,
		feedOf: (key) => key.slice(0, key.indexOf("/")),
		read: (key) => readItem(key, api),
	};
}

async function ownDrive(api: GraphApi): Promise<string> {
	const drive = await api.json("/me/drive?$select=id", driveSchema);
	if (drive === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the account has no OneDrive");
	return drive.id;
}

type RootOf = (drive: string) => Promise<DriveItem | null>;

async function readPage(drive: string, link: string | null, { syncScope }: OneDriveConfig, rootOf: RootOf, api: GraphApi): Promise<FeedPage<DriveItem>> {
	try {
		const root = await rootOf(drive);
		if (root === null) return missing(drive, syncScope);
		const page = await api.delta(link ?? `/drives/${drive}/${top}/delta?$select=${fields}`, pageSchema);
		if (page === null) return missing(drive, syncScope);
		if ("resync" in page) return { kind: "reset", cursor: page.resync };
		const [next, end] = [page["@odata.nextLink"], page["@odata.deltaLink"]];
		const cursor = next ?? end;
		if (cursor === undefined) throw fail("ADDRESS_CHANGED", provider, "its delta query ends without a link");
		// Nothing says that the first folder is among the items, and everything is inside of it.
		const entries = page.value.length > 0 ? [{ ...root, root: {} }, ...page.value] : [];
		return { kind: "page", entries, cursor, isLast: next === undefined };
	} catch (thrown) {
		// Locked, or forbidden to this account: neither says that it is gone.
		if (thrown instanceof ServiceError && thrown.code === "ITEM_REFUSED") return syncScope === "selected" ? { kind: "unread" } : missing(drive, syncScope);
		// A token that Graph no longer understands is an invalid request.
		if (thrown instanceof ServiceError && thrown.code === "ADDRESS_REFUSED" && link !== null) return { kind: "reset", cursor: null };
		throw thrown;
	}
}

/** A chosen library that is gone is one of several; without the account's own drive there is nothing to be followed. */
function missing(drive: string, syncScope: OneDriveConfig["syncScope"]): FeedPage<DriveItem> {
	if (syncScope === "selected") return { kind: "gone" };
	throw fail("CONNECTION_SOURCE_MISSING", provider, `the drive ${drive} cannot be read`);
}

function apply(item: DriveItem, { drive, folders: chosen }: Chosen, tree: FeedTree, remarks: Remarks): void {
	const folders = ofFeed(tree.state.folders, drive);
	const parent = item.parentReference?.id ?? "";
	const isFolder = has(item.root) || (has(item.folder) && !has(item.remoteItem));
	// What was in a deleted folder need not be told; it is inside of nothing now.
	if (has(item.deleted)) folders.delete(item.id);
	else if (has(item.package)) remarks.notebooks.add(item.id);
	else if (isFolder) applyFolder(item.id, has(item.root) ? "" : parent, chosen, tree.state, folders, remarks);
	else if (has(item.file) && isTooLarge(item)) remarks.tooLarge.add(item.id);
	// While a folder above is not told yet, the file may be in a chosen one.
	if (isDocument(item) && isInside(parent, chosen, folders) !== false) tree.offer(drive, item.id, parent, versionOf(item));
	else if (!isFolder) tree.drop(drive, item.id);
	// It may have been a file.
	else tree.state.places.get(drive)?.delete(item.id);
}

function applyFolder(id: string, parent: string, chosen: Chosen["folders"], state: FeedState, folders: Map<string, string>, remarks: Remarks): void {
	if (!folders.has(id) && foldersIn(state) >= foldersMax) {
		remarks.hasTooManyFolders = true;
		return;
	}
	const before = folders.get(id);
	// Whatever it was in may have been told as deleted before its own move.
	const wasOutside = before !== undefined && before !== parent && isInside(id, chosen, folders) !== true;
	folders.set(id, parent);
	// What is in a folder that was moved is not told, and was left out while it was elsewhere. A new folder above may be told after it.
	if (wasOutside && isInside(id, chosen, folders) !== false) state.isStale = true;
}

function foldersIn({ folders }: FeedState): number {
	return folders.values().reduce((sum, { size }) => sum + size, 0);
}

/** Whether a folder is a chosen one or inside of one. Null if a folder above is not known. */
function isInside(folder: string, chosen: Chosen["folders"], folders: ReadonlyMap<string, string>): boolean | null {
	let at = folder;
	let isChosen = false;
	for (let depth = 0; depth < depthMax; depth++) {
		const parent = folders.get(at);
		if (parent === undefined) return null;
		isChosen ||= chosen === null || chosen.has(at);
		// The root is in no folder.
		if (parent === "") return isChosen;
		at = parent;
	}
	return false;
}

/** What was left out, told once: by id, since everything is listed again where Graph has forgotten its place. */
class Remarks {
	readonly #step: Step;
	readonly notebooks = new Set<string>();
	readonly tooLarge = new Set<string>();
	hasTooManyFolders = false;

	constructor(step: Step) {
		this.#step = step;
	}

	tell(): void {
		if (this.notebooks.size > 0) this.#step.warn("ONEDRIVE_NOTEBOOKS_SKIPPED", `${this.notebooks.size} notebooks of OneNote were left out: they are no files`);
		if (this.tooLarge.size > 0) this.#step.warn("ONEDRIVE_FILES_SKIPPED", `${this.tooLarge.size} files are too large`);
		if (this.hasTooManyFolders) this.#step.warn("ONEDRIVE_FOLDERS_TOO_MANY", `there are more than ${foldersMax} folders; the others are skipped`);
	}
}
