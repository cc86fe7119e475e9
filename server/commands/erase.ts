/** `cairn erase NAME` deletes a container or a document permanently. With `--prove` it then searches every remaining file for traces of the data. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { erase, type Proof } from "../erase/erase.ts";
import { type CommandContext, onlyArgument, requireStoreTools } from "./backup.ts";
import { megabytes } from "./progress-bar.ts";

const usage = "cairn erase CONTAINER|ID [--prove]";

/** @returns the exit code: 1 if traces were found. @throws ServiceError */
export async function eraseCommand(args: readonly string[], context: CommandContext, withProof: boolean): Promise<number> {
	const name = onlyArgument(args, usage);
	const { settings, config, write, writeError } = context;
	const store = await requireStoreTools(context);
	if (!existsSync(join(settings.dataDir, store.folder))) throw fail("DATA_DIR_UNUSABLE", settings.dataDir, "it is empty");
	const { documents, memories, proof } = await erase({ settings, config, store, name, withProof });
	write(`${name}: ${documents} documents and ${memories} memories erased\n`);
	if (store.blobs === null) writeError(`cairn erase: the original files are in the blob store ${settings.use.blobStore}, which is not searched\n`);
	return proof === null ? 0 : printProof(proof, context);
}

function printProof({ searchedPieces, sharedPieces, files }: Proof, { write, writeError }: CommandContext): number {
	write(`searched ${files.length} files for ${searchedPieces} pieces of the erased data; ${sharedPieces} more pieces also occur in the remaining data\n`);
	for (const { name: file, bytes, matches, firstMatch } of files) {
		const summary = firstMatch === null ? "nothing" : `${matches} found, the first a ${firstMatch.kind} at byte ${firstMatch.at}`;
		write(`  ${file}, ${megabytes(bytes)}: ${summary}\n`);
	}
	const isFound = files.some(({ matches }) => matches > 0);
	if (isFound) writeError("cairn erase: traces are left; repeat the command, and if they remain, please report it\n");
	return isFound ? 1 : 0;
}
