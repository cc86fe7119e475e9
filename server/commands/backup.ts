/** `cairn backup` writes the data folder into a file, a folder or a bucket, `cairn restore` restores it, and `cairn verify` checks that either is complete. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { Inspection } from "../../core/plugin/contract/folder-tools.ts";
import { isS3Address } from "../../plugins/s3-client/address.ts";
import { newestIn, removeOldBackups } from "../backup/kept-backups.ts";
import { locate } from "../backup/places/locate.ts";
import type { BackupPlace } from "../backup/places/place.ts";
import { type BackupSource, restoreBackup, unpackBackup } from "../backup/read-backup.ts";
import { inspectStore, type StoreTools, storeToolsOf } from "../backup/store-tools.ts";
import { takeBackup } from "../backup/take-backup.ts";
import { createWorld } from "../boot/world.ts";
import type { Settings } from "../settings/settings.ts";
import { megabytes, progressBar } from "./progress-bar.ts";
import { takeOption } from "./take-option.ts";

const world = createWorld({ log: () => undefined });

export interface CommandContext {
	readonly settings: Settings;
	readonly config: Config;
	readonly write: (text: string) => void;
	readonly writeError: (text: string) => void;
	/** Whether standard error is a terminal, so that a line can be overwritten. */
	readonly isTerminal: boolean;
	/** Whether the result is printed as JSON. */
	readonly isJson: boolean;
}

/** @param keep how many incremental backups are kept; null for all. @returns the exit code. @throws ServiceError */
export async function backupCommand(args: readonly string[], context: CommandContext, keep: number | null): Promise<number> {
	const target = onlyArgument(args, "cairn backup FILE|FOLDER|s3://… [--keep N] [--json]");
	const { settings, write, isJson } = context;
	const store = await requireStoreTools(
		context,
		'back up its database with its own tools, such as pg_dump; "cairn export FILE" makes a copy that any storage can import',
	);
	requireStored(settings, store);
	const { place, name: file } = locate(target, settings, world);
	if (file !== null) await requireNewIn(place, file, target);
	if (file !== null && keep !== null) throw fail("COMMAND_INVALID", "--keep is for a folder or bucket of incremental backups");
	const now = new Date();
	const kind = file === null ? "incremental" : "full";
	const plan = { dataDir: settings.dataDir, store, place, name: file, now, progress: progressBar(context, megabytes) };
	const { name, manifest, added } = await takeBackup(kind, plan, (lock) => removeOldBackups(place, keep ?? Number.POSITIVE_INFINITY, lock));
	const { files, createdAt } = manifest;
	const bytes = files.reduce((sum, { bytes: size }) => sum + size, 0);
	if (isJson) write(`${JSON.stringify({ backup: shownIn(place, name), kind, files: files.length, bytes, bytesAdded: added, createdAt }, null, "\t")}\n`);
	else
		write(
			`${shownIn(place, name)}: ${files.length} files, ${megabytes(bytes)}${kind === "full" ? "" : `, of which ${megabytes(added)} are new`}, as of ${createdAt}\n`,
		);
	if (store.blobs === null) context.writeError(`cairn backup: the original files are in the blob store ${settings.use.blobStore} and not part of the backup\n`);
	return 0;
}

/** @returns the exit code. @throws ServiceError */
export async function restoreCommand(args: readonly string[], context: CommandContext): Promise<number> {
	const source = await sourceOf(onlyArgument(args, "cairn restore FILE|FOLDER|s3://… [--json]"), context);
	const { dataDir, use } = context.settings;
	const { files, createdAt, storage, version } = await restoreBackup(source, resolve(dataDir), progressBar(context, megabytes));
	const backup = shownIn(source.place, source.name);
	if (context.isJson) context.write(`${JSON.stringify({ backup, dataDir, files: files.length, createdAt, version, storage }, null, "\t")}\n`);
	else context.write(`${dataDir}: ${files.length} files as of ${createdAt}, made by version ${version}\n`);
	if (storage !== use.storage)
		context.writeError(
			`cairn restore: the backup is of the storage ${storage}, and the settings name ${use.storage}: to move the data there, give "cairn migrate-store" with CAIRN_USE_STORAGE=${storage}\n`,
		);
	return 0;
}

/** @returns the exit code. @throws ServiceError */
export async function verifyCommand(args: readonly string[], context: CommandContext): Promise<number> {
	if (args.length === 0) {
		const store = await requireStoreTools(context, 'its database has tools for that, such as pg_amcheck; "cairn verify FILE" looks through a backup');
		requireStored(context.settings, store);
		return printReport(await inspectStore(store, join(context.settings.dataDir, store.folder)), context, {});
	}
	const source = await sourceOf(onlyArgument(args, "cairn verify [FILE|FOLDER|s3://…] [--json]"), context);
	const unpacked = await mkdtemp(join(tmpdir(), "cairn-verify-"));
	try {
		const { files, createdAt, storage } = await unpackBackup(source, unpacked, progressBar(context, megabytes));
		// Whichever storage the settings name, the backup is of its own, with its originals.
		const use = storage === context.settings.use.storage ? context.settings.use : { ...context.settings.use, storage, blobStore: null };
		const store = await requireStoreTools({ ...context, settings: { ...context.settings, use } }, "no plugin that is listed knows its files");
		const backup = shownIn(source.place, source.name);
		if (!context.isJson) context.write(`${backup}: ${files.length} files as of ${createdAt}, all matching the manifest\n`);
		return printReport(await inspectStore(store, join(unpacked, store.folder)), context, { backup, files: files.length, createdAt });
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

/** The backup that an address means: of a folder or a bucket the newest. */
async function sourceOf(address: string, { settings }: CommandContext): Promise<BackupSource> {
	if (!isS3Address(address)) requireFile(address);
	const { place, name } = locate(address, settings, world);
	return { place, name: name ?? (await newestIn(place)) };
}

/** A full backup replaces nothing, and a manifest is written by an incremental backup alone. */
async function requireNewIn(place: BackupPlace, name: string, shown: string): Promise<void> {
	if (name.endsWith(".json")) throw fail("COMMAND_INVALID", `${shown} is the name of an incremental backup: name its folder, or a file that ends in .tar`);
	if (place.folder !== null) requireNewFile(join(place.folder, name));
	else if ((await place.list("")).some((file) => file.name === name)) throw fail("COMMAND_INVALID", `${shown} exists already: name a new file`);
}

/** Takes `--keep N` out of the arguments. @throws ServiceError `COMMAND_INVALID` */
export function takeKeep(args: readonly string[]): { readonly words: readonly string[]; readonly keep: number | null } {
	const { words, value } = takeOption(args, "keep");
	if (value === null) return { words, keep: null };
	if (!/^[1-9]\d{0,4}$/.test(value)) throw fail("COMMAND_INVALID", "--keep is the number of backups that are kept, 1 or more");
	return { words, keep: Number(value) };
}

function shownIn({ address, folder }: BackupPlace, name: string): string {
	return folder === null ? `${address}/${name}` : join(folder, name);
}

function printReport({ notes, faults }: Inspection, { write, writeError, isJson }: CommandContext, about: object): number {
	if (isJson) {
		const [found, wrong] = [Object.fromEntries(notes), faults.map(({ code, message, hint }) => ({ code, message, hint }))];
		write(`${JSON.stringify({ ...about, isWhole: faults.length === 0, notes: found, faults: wrong }, null, "\t")}\n`);
		return faults.length === 0 ? 0 : 1;
	}
	for (const [topic, result] of notes) write(`${topic}: ${result}\n`);
	for (const { message, hint, code } of faults as readonly ServiceError[]) writeError(`${message}${hint === null ? "" : `\n  ${hint}`}\n  (${code})\n`);
	return faults.length === 0 ? 0 : 1;
}

/** @param instead what can be done where the storage keeps its data outside the data folder. @throws ServiceError `COMMAND_INVALID` in that case */
export async function requireStoreTools({ settings: { use }, config }: CommandContext, instead: string): Promise<StoreTools> {
	const store = await storeToolsOf(use, config);
	if (store === null) throw fail("COMMAND_INVALID", `the storage ${use.storage} keeps its data outside the data folder: ${instead}`);
	return store;
}

/** Otherwise a misspelt data folder would be called sound. @throws ServiceError `DATA_DIR_UNUSABLE` */
export function requireStored({ dataDir }: Settings, { folder }: StoreTools): void {
	if (!existsSync(join(dataDir, folder))) throw fail("DATA_DIR_UNUSABLE", dataDir, "it holds no data of a server");
}

export function onlyArgument(args: readonly string[], usage: string): string {
	const [argument, ...more] = args;
	if (argument === undefined || more.length > 0) throw fail("COMMAND_INVALID", `usage: ${usage}`);
	return argument;
}

/** @throws ServiceError `COMMAND_INVALID` if the folder of the file does not exist, or the file does */
export function requireNewFile(file: string): void {
	if (!existsSync(dirname(resolve(file)))) throw fail("COMMAND_INVALID", `there is no folder ${dirname(file)}: name a file in an existing folder`);
	if (existsSync(file)) throw fail("COMMAND_INVALID", `${file} exists already: name a new file`);
}

export function requireFile(file: string): void {
	if (!existsSync(file)) throw fail("COMMAND_INVALID", `there is no ${file}`);
}
