/** `cairn export` writes all data into one file in an open format, and `cairn import` reads such a file. */

import { mkdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { storeToolsOf } from "../backup/store-tools.ts";
import { escapeControls } from "../escape-controls.ts";
import { exportFolder } from "../export/export-folder.ts";
import { importFile } from "../export/import-file.ts";
import { type OpenStore, openStore } from "../export/open-store.ts";
import { type CommandContext, onlyArgument, requireFile, requireNewFile, requireStored } from "./backup.ts";
import { megabytes, progressBar } from "./progress-bar.ts";

/** A message names this many rejected documents and only counts the others. */
const namesMax = 5;

/** @param organisation its id or name; null for the first one. @returns the exit code. @throws ServiceError */
export async function exportCommand(args: readonly string[], context: CommandContext, organisation: string | null): Promise<number> {
	const file = onlyArgument(args, "cairn export FILE [--organisation ID|NAME]");
	const { settings, config, write, writeError } = context;
	const store = await storeToolsOf(settings.use, config);
	requireNewFile(file);
	if (store !== null) requireStored(settings, store);
	const progress = progressBar(context, (total) => `${total} documents and memories`);
	const { counts, others } = await exportFolder(resolve(file), { settings, config, store, organisation, onProgress: progress });
	write(`${file}: ${counts.document} documents, ${counts.memory} memories, ${megabytes((await stat(file)).size)}\n`);
	if (organisation === null && others.length > 0)
		writeError(`cairn export: of the first organisation alone; --organisation exports another: ${escapeControls(others.join(", "))}\n`);
	return 0;
}

/** @param organisation its id or name; null for the first one. @returns the exit code: 1 if something could not be imported. @throws ServiceError */
export async function importCommand(args: readonly string[], context: CommandContext, organisation: string | null): Promise<number> {
	const file = onlyArgument(args, "cairn import FILE [--organisation ID|NAME]");
	const { settings, config, write, writeError } = context;
	requireFile(file);
	const { size } = await stat(file);
	const [checkProgress, importProgress] = [
		progressBar(context, (total) => `${megabytes(total)} checked`),
		progressBar(context, (total) => `${megabytes(total)} imported`),
	];
	const progress = { onChecked: (endOffset: number) => checkProgress(endOffset, size), onImported: (endOffset: number) => importProgress(endOffset, size) };
	await using openStores = new AsyncDisposableStack();
	const open = async () => {
		await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
		const store: OpenStore = openStores.use(await openStore(settings, config, organisation));
		return { parts: store.parts, organisation: await store.ensureOrganisation() };
	};
	const { documents, memories, known, refused, createdAt } = await importFile(resolve(file), open, progress);
	write(
		`${settings.dataDir}: ${documents} documents and ${memories} memories imported as of ${createdAt.toISOString()}${known > 0 ? `, ${known} existed already` : ""}\n`,
	);
	if (refused.length === 0) return 0;
	const more = refused.length > namesMax ? ` and ${refused.length - namesMax} more` : "";
	writeError(`cairn import: not imported, since another document has the same customId or file: ${refused.slice(0, namesMax).join(", ")}${more}\n`);
	return 1;
}
