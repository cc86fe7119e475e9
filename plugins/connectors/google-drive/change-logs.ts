/**
 * Follows the change logs of Drive: that of the account, and one for each shared drive, since a shared drive's changes need not be in the
 * account's log. https://developers.google.com/workspace/drive/api/guides/about-changes
 */

import { type Change, type Cursor, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";
import { neverTwice } from "../never-twice.ts";
import { type DriveConfig, provider } from "./config.ts";
import { type DriveFile, fileFields, fileSchema, isDocument, isFolder, isShortcut, isTooLarge, versionOf, warnOfSize } from "./file.ts";
import { type DriveState, unsure } from "./state.ts";

const changeSchema = z.object({
	changeType: z.string().default("file"),
	fileId: z.string().optional(),
	removed: z.boolean().default(false),
	file: fileSchema.optional(),
});
const pageSchema = z.object({ changes: z.array(changeSchema), nextPageToken: z.string().optional(), newStartPageToken: z.string().optional() });
type ChangePage = z.infer<typeof pageSchema>;

const startSchema = z.object({ startPageToken: z.string() });
/** Drive's largest page. */
const perPage = 1_000;
const pagesMax = 10_000;

/** The name of the account's own log in the state. */
export const ownLog = "";

/**
 * Begins logs that are not followed yet, at the present. It comes before a listing, so that no change falls in between. There is none of a shared
 * drive of which the account is no member. @returns whether one has begun
 */
export async function startLogs(logs: readonly string[], state: DriveState, api: GoogleApi): Promise<boolean> {
	const before = state.tokens.size;
	for (const log of logs) {
		if (state.tokens.has(log)) continue;
		const start = await api.json("/changes/startPageToken", { supportsAllDrives: true, driveId: log || undefined }, startSchema);
		if (start !== null) state.tokens.set(log, start.startPageToken);
	}
	return state.tokens.size > before;
}

/** Marks files that changed as not read, and removes those that are gone. @param listed gets the files that changed, so that they are not asked for again */
export async function* followLogs(
	config: DriveConfig,
	state: DriveState,
	listed: Map<string, DriveFile>,
	cursor: () => Cursor,
	api: GoogleApi,
	step: Step,
): AsyncGenerator<Change> {
	let tooLarge = 0;
	for (const log of [...state.tokens.keys()]) {
		const demandNew = neverTwice(provider);
		for (let pages = 0; pages < pagesMax; pages++) {
			step.signal.throwIfAborted();
			demandNew(state.tokens.get(log) ?? "");
			const page = await readPage(log, state, api);
			if (page === null) {
				// The account has left the shared drive, or Drive no longer knows the token.
				state.tokens.delete(log);
				state.isStale = true;
				break;
			}
			// Of several changes of a file the last one counts.
			const last = new Map(page.changes.map((change) => [change.fileId ?? "", change]));
			tooLarge += last.values().reduce((sum, { file }) => sum + Number(file !== undefined && isTooLarge(file) && isInScope(file, config, state)), 0);
			for (const key of [...last.values()].flatMap((change) => gone(change, config, state, listed))) {
				state.known.delete(key);
				yield { kind: "remove", key, cursor };
			}
			const next = page.nextPageToken ?? page.newStartPageToken;
			const isMoved = next !== undefined && next !== state.tokens.get(log);
			if (isMoved) state.tokens.set(log, next);
			if (isMoved || page.changes.length > 0) yield { kind: "checkpoint", cursor };
			if (page.nextPageToken === undefined) break;
		}
	}
	warnOfSize(tooLarge, step);
}

async function readPage(log: string, { tokens }: DriveState, api: GoogleApi): Promise<ChangePage | null> {
	const fields = `nextPageToken,newStartPageToken,changes(changeType,fileId,removed,file(${fileFields}))`;
	// With corpus removals a file that moved to a shared drive is told with its new place, instead of as gone.
	const query = { includeRemoved: true, includeCorpusRemovals: true, includeItemsFromAllDrives: true, supportsAllDrives: true, pageSize: perPage };
	try {
		return await api.json("/changes", { ...query, fields, pageToken: tokens.get(log), driveId: log || undefined }, pageSchema);
	} catch (thrown) {
		if (thrown instanceof ServiceError && (thrown.code === "ADDRESS_REFUSED" || thrown.code === "ITEM_REFUSED")) return null;
		throw thrown;
	}
}

/** The key of a document that is gone by this change, if there is one. */
function gone(change: z.infer<typeof changeSchema>, config: DriveConfig, state: DriveState, listed: Map<string, DriveFile>): readonly string[] {
	const { changeType, fileId = "", file } = change;
	if (changeType !== "file") {
		// Shared drives come, go and change their names; only for everything it matters which there are.
		if (config.syncScope === "full") state.isStale = true;
		return [];
	}
	if (isAboutMore(fileId, file ?? null, config, state)) {
		state.isStale = true;
		return [];
	}
	const isIn = file !== undefined && isInScope(file, config, state);
	const known = state.known.get(fileId);
	// Of one that is a document its folders are asked for: a listing may have missed them.
	if (file !== undefined && isDocument(file) && (isIn || known !== undefined)) {
		if (isIn && known === versionOf(file)) return [];
		if (known === undefined && state.known.size >= config.documentsMax) {
			state.isPartial = true;
			return [];
		}
		state.known.set(fileId, isIn ? "" : unsure(known ?? ""));
		listed.set(fileId, file);
		return [];
	}
	listed.delete(fileId);
	return known === undefined ? [] : [fileId];
}

/** Whether files may have come or gone that have no change of their own: a folder was moved with all in it, or a shortcut was made. */
function isAboutMore(id: string, file: DriveFile | null, { syncScope }: DriveConfig, { known, folders, shortcuts }: DriveState): boolean {
	if (folders.has(id) || shortcuts.has(id)) return true;
	// What is gone for good has only its id: it may have been a folder.
	if (file === null) return syncScope === "full" && !known.has(id);
	if (!isFolder(file) && !isShortcut(file)) return false;
	return syncScope === "full" ? isFolder(file) : file.parents.some((parent) => folders.has(parent));
}

export function isInScope({ id, parents }: DriveFile, { syncScope }: DriveConfig, { folders, targets }: DriveState): boolean {
	return syncScope === "full" || targets.has(id) || parents.some((parent) => folders.has(parent));
}
