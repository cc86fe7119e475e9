/** One sync: what the change logs tell, a listing where these are not enough, and then the files that are still to be read. */

import type { Change, Cursor, Step } from "cairn-memory";
import type { GoogleApi } from "../google-api.ts";
import { type KeptPages, keepPages, type PageKeeper } from "../kept-pages.ts";
import { removeExcess, warnOfLimit } from "../known-items.ts";
import { nothingListed } from "../nothing-listed.ts";
import { remembered } from "../remembered.ts";
import { type Pauses, putAll } from "../sync-listing.ts";
import { followLogs, isInScope, ownLog, startLogs } from "./change-logs.ts";
import { type DriveConfig, provider } from "./config.ts";
import { type DriveFile, isDocument, versionOf } from "./file.ts";
import { readFile } from "./read-file.ts";
import { type DriveState, isPending, readState, scopeOf, unsure, versionRead, writeState } from "./state.ts";
import { isBelow, listDrives, readEntry, survey } from "./survey.ts";

/** What progress counts. */
const unit = "file";

/** Files that were listed in this sync, so that they are not asked for one by one. */
type Listed = Map<string, DriveFile>;

export async function* syncDrive(config: DriveConfig, from: Cursor | null, api: GoogleApi, step: Step, world: Pauses): AsyncGenerator<Change> {
	const state = readState(from);
	const pages = keepPages(from, scopeOf(config));
	const cursor = () => ({ ...pages.cursor(), ...writeState(state) });
	const listed: Listed = new Map();
	const isListed = state.scope === scopeOf(config);
	// Pages of an earlier attempt say nothing of later changes, so the logs stay where they were before it until these pages are used up.
	const isResumed = pages.isResumed();
	if (isListed && !isResumed) yield* followLogs(config, state, listed, cursor, api, step);
	const hasRoom = state.isPartial && state.known.size < config.documentsMax;
	if (!isListed || isResumed || state.isStale || hasRoom) yield* listAll(config, state, listed, pages, cursor, api, step);
	yield* removeExcess(state, config.documentsMax, cursor);
	if (state.isPartial) warnOfLimit(step, config.documentsMax);
	yield* readPending(config, state, listed, cursor, api, step, world);
	if (!state.isPatchy) return;
	// Only now: a sync that is cut off while it reads would list everything again before it goes on.
	Object.assign(state, { isPatchy: false, isStale: true });
	yield { kind: "checkpoint", cursor };
}

async function* listAll(
	config: DriveConfig,
	state: DriveState,
	listed: Listed,
	pages: PageKeeper,
	cursor: () => Cursor,
	api: GoogleApi,
	step: Step,
): AsyncGenerator<Change> {
	const list = async (kept: KeptPages) => {
		const drives = config.syncScope === "full" ? await kept.page("drives", async () => (await listDrives(api)).map(({ id }) => id)) : [];
		await startLogs([ownLog, ...drives], state, api);
		const found = await survey(config, drives, state.known, api, kept, step);
		// Documents of another choice are no reason to doubt it.
		if (found.isEmpty && state.known.size > 0 && state.scope === scopeOf(config)) throw nothingListed({ provider, unit });
		return found;
	};
	const surveyed = () => pages.listing(list, cursor);
	let found = yield* surveyed();
	const logs = [ownLog, ...found.drives];
	// Only now it is known in which shared drives the folders lie. What changed before their logs begin is found by listing again.
	if (await startLogs(logs, state, api)) {
		pages.forget();
		found = yield* surveyed();
	}
	for (const log of [...state.tokens.keys()]) if (!logs.includes(log)) state.tokens.delete(log);
	const isPatchy = pages.isResumed() || found.isPatchy;
	for (const key of found.isComplete ? [...state.known.keys()].filter((id) => !found.wanted.has(id)) : []) {
		if (isPatchy || found.hasUnlisted) {
			// It is asked for by itself.
			state.known.set(key, unsure(state.known.get(key) ?? ""));
			continue;
		}
		state.known.delete(key);
		yield { kind: "remove", key, cursor };
	}
	for (const [id, file] of found.wanted) {
		const version = versionOf(file);
		const isRead = versionRead(state.known.get(id) ?? "") === version;
		state.known.set(id, isRead ? version : "");
		if (isRead) continue;
		if (file.briefVersion === undefined) listed.set(id, file);
	}
	pages.forget();
	const isSameScope = state.scope === scopeOf(config);
	// A shortcut or a folder that is missed would make its files look as if they were out of scope.
	const folders = isPatchy && isSameScope ? found.folders.union(state.folders) : found.folders;
	const shortcuts = isPatchy && isSameScope ? found.shortcuts.union(state.shortcuts) : found.shortcuts;
	const targets = isPatchy || found.hasUnlisted ? found.targets.union(state.targets) : found.targets;
	Object.assign(state, { scope: scopeOf(config), folders, shortcuts, targets, isPartial: found.isPartial, isPatchy, isStale: false });
	yield { kind: "checkpoint", cursor };
}

async function* readPending(
	config: DriveConfig,
	state: DriveState,
	listed: Listed,
	cursor: () => Cursor,
	api: GoogleApi,
	step: Step,
	world: Pauses,
): AsyncGenerator<Change> {
	const folderOf = remembered((id) => readEntry(id, api));
	const pending = [...state.known].flatMap(([id, version]) => (isPending(version) ? [[id, { id }] as const] : []));
	const source = {
		unit,
		failureCode: "GOOGLE_DRIVE_FILE_FAILED",
		versionOf: ({ id }: { readonly id: string }) => {
			const file = listed.get(id);
			// It is not kept for longer: there may be ten thousand.
			listed.delete(id);
			return file === undefined ? "" : versionOf(file);
		},
		read: async (_key: string, { id }: { readonly id: string }) => {
			const file = listed.get(id) ?? (await readEntry(id, api));
			if (file === null || !isDocument(file)) return null;
			if (!isInScope(file, config, state) && !(await isBelow(file, state, folderOf))) return null;
			listed.set(id, file);
			return versionRead(state.known.get(id) ?? "") === versionOf(file) ? "unchanged" : readFile(file, api);
		},
	};
	yield* putAll(pending, source, state.known, cursor, step, world);
}
