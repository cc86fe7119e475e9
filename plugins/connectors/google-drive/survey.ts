/** Lists what the account sees, or what lies in the chosen folders. */

import type { Step } from "cairn-memory";
import { z } from "zod";
import { demandList, type GoogleApi, type Query } from "../google-api.ts";
import { type KeptPages, unkept } from "../kept-pages.ts";
import { Selection } from "../known-items.ts";
import { neverTwice } from "../never-twice.ts";
import { type DriveConfig, provider } from "./config.ts";
import { briefOf, type DriveFile, fileFields, fileSchema, isDocument, isFolder, isShortcut, isTooLarge, warnOfSize } from "./file.ts";

export interface Survey {
	/** What should be a document, by id. */
	readonly wanted: ReadonlyMap<string, DriveFile>;
	readonly folders: ReadonlySet<string>;
	readonly shortcuts: ReadonlySet<string>;
	readonly targets: ReadonlySet<string>;
	/** The shared drives that were read. */
	readonly drives: readonly string[];
	/** Whether there are more files than wanted. */
	readonly isPartial: boolean;
	/** Whether a file that is not wanted is gone, or was at least left out by Drive itself. */
	readonly isComplete: boolean;
	/** Whether folders could not be listed, maybe for ever: they lie in a shared drive of which the account is no member. Files in them may be there. */
	readonly hasUnlisted: boolean;
	/** Whether there is nothing at all, not even what is left out, where there was something to be listed. */
	readonly isEmpty: boolean;
	/** Whether Drive has left something out this time, so that what is not wanted may be there, and what nobody knows of too. */
	readonly isPatchy: boolean;
}

const pageSchema = z.object({ files: z.array(fileSchema), nextPageToken: z.string().optional(), incompleteSearch: z.boolean().default(false) });
type FilePage = Omit<z.infer<typeof pageSchema>, "files"> & {
	readonly files: readonly DriveFile[];
	/** Whether one of the folders, or the drive, is not there: what lies in the others is. */
	readonly isMissing?: boolean;
};
const drivesSchema = z.object({ drives: z.array(z.object({ id: z.string(), name: z.string() })), nextPageToken: z.string().optional() });

/** Drive's largest pages. */
const filesPerPage = 1_000;
const drivesPerPage = 100;
/** Enough for more files than an account may have; a service that goes on forever is left. */
const pagesMax = 10_000;
/** Folders that one query asks for. A query of Drive has no stated limit; this makes 2 kB. */
const foldersPerQuery = 30;
/** Folders below the chosen ones. The cursor has them all. */
const foldersMax = 50_000;

/** My Drive has at most a hundred, of November 2023: https://developers.google.com/workspace/drive/release-notes */
const levelsMax = 101;

const seesAll = { supportsAllDrives: true, includeItemsFromAllDrives: true } as const;

/** All shared drives of the account. @throws ServiceError */
export async function listDrives(api: GoogleApi): Promise<readonly { readonly id: string; readonly name: string }[]> {
	const found: { id: string; name: string }[] = [];
	let pageToken: string | undefined;
	const demandNew = neverTwice(provider);
	for (let pages = 0; pages < pagesMax; pages++) {
		demandNew(pageToken ?? "");
		const answer: z.infer<typeof drivesSchema> | null = await api.json("/drives", { pageSize: drivesPerPage, pageToken }, drivesSchema);
		const page = demandList(answer, provider, "shared drives");
		found.push(...page.drives);
		pageToken = page.nextPageToken;
		if (pageToken === undefined) break;
	}
	return found;
}

/** Null if it is not there, or not for this account. */
export function readEntry(id: string, api: GoogleApi): Promise<DriveFile | null> {
	return api.json(`/files/${id}`, { fields: fileFields, supportsAllDrives: true }, fileSchema);
}

/** Whether a file lies in one of the folders, however far down: one between them may be younger than the list of folders. */
export async function isBelow(
	{ parents }: DriveFile,
	{ folders }: { readonly folders: ReadonlySet<string> },
	folderOf: (id: string) => Promise<DriveFile | null>,
): Promise<boolean> {
	let at: string | undefined = parents[0];
	for (let up = 0; at !== undefined && up < levelsMax; up++) {
		if (folders.has(at)) return true;
		const folder: DriveFile | null = await folderOf(at);
		at = folder === null || folder.trashed ? undefined : folder.parents[0];
	}
	return false;
}

/** Pages of files that match a query. @param drive the shared drive; null for what else the account sees */
export async function* listFiles(
	q: string,
	drive: string | null,
	api: GoogleApi,
	step: Step,
	kept: Pick<KeptPages, "page"> = unkept,
): AsyncGenerator<FilePage> {
	const corpus: Query = drive === null ? { corpora: "user" } : { corpora: "drive", driveId: drive };
	let pageToken: string | undefined;
	const demandNew = neverTwice(provider);
	for (let pages = 0; pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		demandNew(pageToken ?? "");
		const fields = `nextPageToken,incompleteSearch,files(${fileFields})`;
		const query: Query = { ...seesAll, ...corpus, q, fields, pageSize: filesPerPage, pageToken };
		const page = await kept.page<FilePage | null>(JSON.stringify([q, drive, pageToken ?? ""]), () => api.json("/files", query, pageSchema), briefPage);
		if (page === null) {
			yield { files: [], incompleteSearch: false, isMissing: true };
			return;
		}
		yield page;
		pageToken = page.nextPageToken;
		if (pageToken === undefined) return;
	}
}

const briefPage = (page: FilePage | null) => (page === null ? null : { ...page, files: page.files.map(briefOf) });

/** Files that are documents already come first, so that a new one never displaces one. @param drives all shared drives, where everything is wanted */
export async function survey(
	config: DriveConfig,
	drives: readonly string[],
	known: ReadonlyMap<string, string>,
	api: GoogleApi,
	kept: KeptPages,
	step: Step,
): Promise<Survey> {
	const found = new Found(known, config.documentsMax);
	if (config.syncScope === "full") {
		const corpora: readonly (string | null)[] = [null, ...drives];
		for (const drive of corpora) {
			for await (const page of listFiles("trashed = false", drive, api, step, kept)) {
				found.note(page);
				for (const file of page.files) found.add(file);
				step.progress({ done: found.count, total: found.count, unit: "file" });
			}
		}
		warnOfSize(found.tooLarge, step);
		return { ...found.survey(), folders: new Set(), shortcuts: new Set(), targets: new Set(), drives };
	}
	return surveyFolders(config, found, api, kept, step);
}

/** Goes down from the chosen folders. Folders to which a shortcut leads are gone into, each once. */
async function surveyFolders({ folders: chosen }: DriveConfig, found: Found, api: GoogleApi, kept: KeptPages, step: Step): Promise<Survey> {
	const briefly = (file: DriveFile | null) => (file === null ? null : { ...briefOf(file), name: file.name });
	const entryOf = (id: string) => kept.page<DriveFile | null>(id, () => readEntry(id, api), briefly);
	const [folders, shortcuts, targets, drives] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
	/** By the drive in which they lie. */
	const waiting = new Map<string | null, string[]>();
	const enter = ({ id, driveId }: Pick<DriveFile, "id" | "driveId">) => {
		const drive = driveId ?? null;
		if (folders.has(id)) return;
		if (folders.size >= foldersMax) {
			found.isComplete = false;
			return;
		}
		folders.add(id);
		if (drive !== null) drives.add(drive);
		waiting.set(drive, [...(waiting.get(drive) ?? []), id]);
	};
	let isGone = false;
	for (const id of chosen) {
		const folder = await entryOf(id);
		if (folder !== null && !folder.trashed) {
			enter(folder);
			continue;
		}
		isGone = true;
		step.warn("GOOGLE_DRIVE_FOLDER_MISSING", `the folder ${folder?.name ?? id} is gone, or its account may no longer see it`);
	}
	for (let next = takeSome(waiting); next !== null; next = takeSome(waiting)) {
		const q = `(${next.ids.map((id) => `'${id}' in parents`).join(" or ")}) and trashed = false`;
		for await (const page of listFiles(q, next.drive, api, step, kept)) {
			found.note(page);
			for (const file of page.files) {
				const target = file.shortcutDetails === undefined ? null : await entryOf(file.shortcutDetails.targetId);
				if (isShortcut(file)) shortcuts.add(file.id);
				if (isFolder(target ?? file)) enter(target ?? file);
				else found.add(target ?? file);
				if (target !== null) targets.add(target.id);
			}
			step.progress({ done: found.count, total: found.count, unit: "file" });
		}
	}
	if (found.hasUnlisted)
		step.warn("GOOGLE_DRIVE_FOLDER_MISSING", "some folders could not be listed: they are gone, or in a shared drive of which the account is no member");
	if (folders.size >= foldersMax) step.warn("GOOGLE_DRIVE_FOLDERS_TOO_MANY", `there are more than ${foldersMax} folders; the others are skipped`);
	warnOfSize(found.tooLarge, step);
	const survey = found.survey();
	// Where a chosen folder says itself that it is gone, the others are believed too.
	return { ...survey, isEmpty: survey.isEmpty && !isGone, folders, shortcuts, targets, drives: [...drives] };
}

function takeSome(waiting: Map<string | null, string[]>): { readonly drive: string | null; readonly ids: readonly string[] } | null {
	for (const [drive, ids] of waiting) {
		if (ids.length > 0) return { drive, ids: ids.splice(0, foldersPerQuery) };
	}
	return null;
}

/** What makes documents, of what is listed. */
class Found {
	readonly #selection: Selection<DriveFile>;
	isComplete = true;
	isPatchy = false;
	hasUnlisted = false;
	tooLarge = 0;
	#hasAny = false;

	constructor(known: ReadonlyMap<string, string>, max: number) {
		this.#selection = new Selection(known, max);
	}

	get count(): number {
		return this.#selection.count;
	}

	add(file: DriveFile): void {
		if (isTooLarge(file)) this.tooLarge += 1;
		if (isDocument(file)) this.#selection.add(file.id, file);
	}

	note({ files, incompleteSearch, isMissing = false }: FilePage): void {
		this.#hasAny ||= files.length > 0;
		this.isPatchy ||= incompleteSearch;
		this.hasUnlisted ||= isMissing;
	}

	survey() {
		const { isComplete, isPatchy, hasUnlisted } = this;
		const isEmpty = !this.#hasAny && isComplete && !isPatchy && !hasUnlisted;
		return { ...this.#selection.chosen(), isComplete, isPatchy, hasUnlisted, isEmpty };
	}
}
