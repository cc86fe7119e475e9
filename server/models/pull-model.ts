/** Downloads all files of a model, pinned to the revision and the hashes of the first download. */

import { existsSync } from "node:fs";
import { mkdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { World } from "../../core/ports/world.ts";
import type { GuardedDownload } from "../boot/network/guarded-fetch.ts";
import { chooseFiles } from "./choose-files.ts";
import { fetchFile } from "./fetch-file.ts";
import { filesOf, fileUrl, type Hub, type HubFile, revisionOf } from "./hub.ts";
import type { KnownModel } from "./known-models.ts";
import { type LockedFile, type LockedModel, readLocks, writeLock } from "./lock-file.ts";

export interface PullParts {
	/** The folder of all models. */
	readonly folder: string;
	readonly hub: Hub;
	readonly download: GuardedDownload;
	readonly world: Pick<World, "now" | "sleep" | "random">;
	readonly signal: AbortSignal;
	/** Whether to download the newest revision, ignoring the lock file. */
	readonly update: boolean;
	/** The most bytes of all files together. */
	readonly bytesMax: number;
	readonly progress: (done: number, total: number) => void;
}

/** How much disk space has to be free after the download. */
const freeBytesMin = 256 * 1024 * 1024;

/** @throws ServiceError `MODEL_PULL_FAILED`, `MODEL_CHANGED` */
export async function pullModel({ name, repository, recipe }: Pick<KnownModel, "name" | "repository" | "recipe">, parts: PullParts): Promise<LockedModel> {
	const { folder, hub, signal, world } = parts;
	const lock = (await readLocks(folder))[name];
	if (lock !== undefined && lock.repository !== repository && !parts.update) throw fail("MODEL_CHANGED", name, `it came from ${lock.repository}`);
	const pinned = parts.update ? undefined : lock;
	const revision = pinned?.revision ?? (await revisionOf(repository, name, hub, signal));
	const files = chooseFiles(await filesOf(repository, revision, name, hub, signal), name);
	if (pinned !== undefined) demandUnchanged(files, pinned, name);
	const partialFolder = join(folder, `.pulling-${name}-${revision.slice(0, 12)}`);
	await demandFits(files, partialFolder, name, parts);
	const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
	const fetched: LockedFile[] = [];
	let done = 0;
	for (const file of files) {
		const url = fileUrl(hub, repository, revision, file.path);
		const progress = (bytes: number) => parts.progress(done + bytes, total);
		fetched.push(await fetchFile({ ...parts, name, file, url, target: join(partialFolder, file.path), progress }));
		done += file.bytes;
	}
	const locked: LockedModel = { repository, revision, pulledAt: world.now().toISOString(), files: fetched };
	if (pinned !== undefined) demandUnchanged(fetched, pinned, name);
	if (recipe !== undefined) await writeFile(join(partialFolder, "cairn.json"), `${JSON.stringify(recipe, null, "\t")}\n`);
	await replaceFolder(partialFolder, join(folder, name));
	await writeLock(folder, name, locked);
	return locked;
}

/** The same revision must have the same files; otherwise the hub is not trusted. */
function demandUnchanged(
	files: readonly (Pick<HubFile, "path" | "bytes"> & { readonly sha256: string | null })[],
	{ files: pinned }: LockedModel,
	name: string,
): void {
	const byPath = new Map(pinned.map((file) => [file.path, file]));
	if (files.length !== pinned.length) throw fail("MODEL_CHANGED", name, `it had ${pinned.length} files, and now has ${files.length}`);
	for (const { path, bytes, sha256 } of files) {
		const lockedFile = byPath.get(path);
		if (lockedFile === undefined || lockedFile.bytes !== bytes || (sha256 !== null && sha256 !== lockedFile.sha256))
			throw fail("MODEL_CHANGED", name, `${path} differs`);
	}
}

async function demandFits(files: readonly HubFile[], partialFolder: string, name: string, { bytesMax }: PullParts): Promise<void> {
	const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
	if (total > bytesMax) throw fail("MODEL_PULL_FAILED", name, `it has ${megabytes(total)} MB, and the limit is ${megabytes(bytesMax)} MB`);
	await mkdir(partialFolder, { recursive: true, mode: 0o700 });
	const { bavail, bsize } = await statfs(partialFolder);
	const free = bavail * bsize - freeBytesMin;
	if (total > free) throw fail("MODEL_PULL_FAILED", name, `it needs ${megabytes(total)} MB, and the disk has ${megabytes(Math.max(0, free))} MB free for it`);
}

function megabytes(bytes: number): number {
	return Math.ceil(bytes / 1024 ** 2);
}

/** Replaces the model's folder. A running server can still read the old files that it has open. */
async function replaceFolder(partialFolder: string, target: string): Promise<void> {
	const old = `${partialFolder}-old`;
	await rm(old, { recursive: true, force: true });
	if (existsSync(target)) await rename(target, old);
	await rename(partialFolder, target);
	await rm(old, { recursive: true, force: true });
}
