/** `cairn export` and `cairn import`: everything as one open file, and back. */

import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { storeToolsOf } from "../backup/store-tools.ts";
import { exportFolder } from "../export/export-folder.ts";
import { importFile } from "../export/import-file.ts";
import { type OpenStore, openStore } from "../export/open-store.ts";
import { demandFile, demandRoom, type FolderPlace, onlyWord } from "./backup.ts";
import { megabytes, progressBar } from "./progress-bar.ts";

/** Named in full; beyond this only counted. */
const namedMax = 5;

/** @returns the exit code. @throws ServiceError */
export async function exportCommand(words: readonly string[], place: FolderPlace): Promise<number> {
	const file = onlyWord(words, "cairn export FILE");
	const { settings, config, write } = place;
	const store = await storeToolsOf(place.settings.use, place.config);
	demandRoom(file);
	if (store !== null && !existsSync(join(settings.dataDir, store.folder))) throw fail("DATA_DIR_UNUSABLE", settings.dataDir, "there is nothing in it yet");
	const tell = progressBar(place, (total) => `${total} documents and memories`);
	const counts = await exportFolder(resolve(file), { settings, config, store, tell });
	write(`${file}: ${counts.document} documents, ${counts.memory} memories, ${megabytes((await stat(file)).size)}\n`);
	return 0;
}

/** @returns the exit code: 1 where something could not be brought in. @throws ServiceError */
export async function importCommand(words: readonly string[], place: FolderPlace): Promise<number> {
	const file = onlyWord(words, "cairn import FILE");
	const { settings, config, write, writeError } = place;
	demandFile(file);
	const { size } = await stat(file);
	const [checking, importing] = [
		progressBar(place, (total) => `${megabytes(total)} looked through`),
		progressBar(place, (total) => `${megabytes(total)} imported`),
	];
	const tell = { checked: (readTo: number) => checking(readTo, size), imported: (readTo: number) => importing(readTo, size) };
	await using opened = new AsyncDisposableStack();
	const open = async () => {
		await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
		const store: OpenStore = opened.use(await openStore(settings, config));
		return { parts: store.parts, organisation: await store.ensureOrganisation() };
	};
	const { documents, memories, known, refused, createdAt } = await importFile(resolve(file), open, tell);
	write(
		`${settings.dataDir}: ${documents} documents and ${memories} memories imported as of ${createdAt.toISOString()}${known > 0 ? `, ${known} were there already` : ""}\n`,
	);
	if (refused.length === 0) return 0;
	const more = refused.length > namedMax ? ` and ${refused.length - namedMax} more` : "";
	writeError(`cairn import: not imported, since their customId or file belongs to another document here: ${refused.slice(0, namedMax).join(", ")}${more}\n`);
	return 1;
}
