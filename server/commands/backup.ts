/** `cairn backup` writes the data folder into one file, `cairn restore` restores it, and `cairn verify` checks that either is complete. */

import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { Inspection } from "../../core/plugin/contract/folder-tools.ts";
import { restoreBackup, unpackBackup } from "../backup/read-backup.ts";
import { inspectStore, type StoreTools, storeToolsOf } from "../backup/store-tools.ts";
import { writeBackup } from "../backup/write-backup.ts";
import type { Settings } from "../settings/settings.ts";
import { megabytes, progressBar } from "./progress-bar.ts";

export interface CommandContext {
	readonly settings: Settings;
	readonly config: Config;
	readonly write: (text: string) => void;
	readonly writeError: (text: string) => void;
	/** Whether standard error is a terminal, so that a line can be overwritten. */
	readonly isTerminal: boolean;
}

/** @returns the exit code. @throws ServiceError */
export async function backupCommand(args: readonly string[], context: CommandContext): Promise<number> {
	const file = onlyArgument(args, "cairn backup FILE");
	const { dataDir } = context.settings;
	const store = await requireStoreTools(context);
	requireNewFile(file);
	if (!existsSync(join(dataDir, store.folder))) throw fail("DATA_DIR_UNUSABLE", dataDir, "it is empty");
	const { files, createdAt } = await writeBackup(resolve(file), { dataDir, store, now: new Date(), progress: progressBar(context, megabytes) });
	context.write(`${file}: ${files.length} files, ${megabytes((await stat(file)).size)}, as of ${createdAt}\n`);
	if (store.blobs === null)
		context.writeError(`cairn backup: the original files are in the blob store ${context.settings.use.blobStore} and not part of the backup\n`);
	return 0;
}

/** @returns the exit code. @throws ServiceError */
export async function restoreCommand(args: readonly string[], context: CommandContext): Promise<number> {
	const file = onlyArgument(args, "cairn restore FILE");
	const { dataDir, use } = context.settings;
	requireFile(file);
	const { files, createdAt, storage, version } = await restoreBackup(resolve(file), resolve(dataDir));
	context.write(`${dataDir}: ${files.length} files as of ${createdAt}, made by version ${version}\n`);
	if (storage !== use.storage) context.writeError(`cairn restore: the backup contains the storage ${storage}, but the settings name ${use.storage}\n`);
	return 0;
}

/** @returns the exit code. @throws ServiceError */
export async function verifyCommand(args: readonly string[], context: CommandContext): Promise<number> {
	const store = await requireStoreTools(context);
	if (args.length === 0) return printReport(await inspectStore(store, join(context.settings.dataDir, store.folder)), context);
	const file = onlyArgument(args, "cairn verify [FILE]");
	requireFile(file);
	const unpacked = await mkdtemp(join(tmpdir(), "cairn-verify-"));
	try {
		const { files, createdAt } = await unpackBackup(resolve(file), unpacked);
		context.write(`${file}: ${files.length} files as of ${createdAt}, all matching the manifest\n`);
		return printReport(await inspectStore(store, join(unpacked, store.folder)), context);
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

function printReport({ notes, faults }: Inspection, { write, writeError }: CommandContext): number {
	for (const [topic, result] of notes) write(`${topic}: ${result}\n`);
	for (const { message, hint, code } of faults as readonly ServiceError[]) writeError(`${message}${hint === null ? "" : `\n  ${hint}`}\n  (${code})\n`);
	return faults.length === 0 ? 0 : 1;
}

/** @throws ServiceError `COMMAND_INVALID` if the storage keeps its data outside the data folder */
export async function requireStoreTools({ settings: { use }, config }: CommandContext): Promise<StoreTools> {
	const store = await storeToolsOf(use, config);
	if (store === null) throw fail("COMMAND_INVALID", `the storage ${use.storage} keeps its data outside the data folder: use the tools of its database`);
	return store;
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
