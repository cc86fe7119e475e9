/** `cairn erase NAME`: a container or a document goes for good. With `--prove` every file that is left is looked through for what was erased. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { erase, type Proof } from "../erase/erase.ts";
import { type FolderPlace, onlyWord, storeOf } from "./backup.ts";
import { megabytes } from "./progress-bar.ts";

const usage = "cairn erase CONTAINER|ID [--prove]";

/** @returns the exit code: 1 where something was found. @throws ServiceError */
export async function eraseCommand(words: readonly string[], place: FolderPlace, isProved: boolean): Promise<number> {
	const name = onlyWord(words, usage);
	const { settings, config, write, writeError } = place;
	const store = await storeOf(place);
	if (!existsSync(join(settings.dataDir, store.folder))) throw fail("DATA_DIR_UNUSABLE", settings.dataDir, "there is nothing in it yet");
	const { documents, memories, proof } = await erase({ settings, config, store, name, isProved });
	write(`${name}: ${documents} documents and ${memories} memories erased\n`);
	if (store.blobs === null) writeError(`cairn erase: the originals are in the blob store ${settings.use.blobStore}, whose files are not looked through\n`);
	return proof === null ? 0 : tell(proof, place);
}

function tell({ lookedFor, shared, files }: Proof, { write, writeError }: FolderPlace): number {
	write(`${lookedFor} pieces of them were looked for in ${files.length} files; ${shared} more are also in what stays\n`);
	for (const { name: file, bytes, found, first } of files) {
		const where = first === null ? "nothing" : `${found} found, the first a ${first.kind} at byte ${first.at}`;
		write(`  ${file}, ${megabytes(bytes)}: ${where}\n`);
	}
	const isFound = files.some(({ found }) => found > 0);
	if (isFound) writeError("cairn erase: something is left; repeat the command, and if it stays, tell us\n");
	return isFound ? 1 : 0;
}
