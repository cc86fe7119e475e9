/** `cairn erase NAME` deletes a container, a document or a memory of a client permanently. With `--prove` it then searches every remaining file, table and blob for traces of the data. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { storeToolsOf } from "../backup/store-tools.ts";
import { erase, type Proof } from "../erase/erase.ts";
import { type CommandContext, onlyArgument } from "./backup.ts";
import { megabytes } from "./progress-bar.ts";

const usage = "cairn erase CONTAINER|ID [--prove] [--organisation ID|NAME]";

/** @param organisation its id or name; null for the first one. @returns the exit code: 1 if traces were found. @throws ServiceError */
export async function eraseCommand(args: readonly string[], context: CommandContext, withProof: boolean, organisation: string | null = null): Promise<number> {
	const name = onlyArgument(args, usage);
	const { settings, config, write } = context;
	const store = await storeToolsOf(settings.use, config);
	if (store !== null && !existsSync(join(settings.dataDir, store.folder))) throw fail("DATA_DIR_UNUSABLE", settings.dataDir, "it is empty");
	const { documents, memories, proof } = await erase({ settings, config, store, organisation, name, withProof });
	write(`${name}: ${documents} documents and ${memories} memories erased\n`);
	return proof === null ? 0 : printProof(proof, context);
}

function printProof({ searchedPieces, sharedPieces, searched }: Proof, { write, writeError }: CommandContext): number {
	const what = searched.some(({ name }) => /^(table|blob) /.test(name)) ? "files, tables and blobs" : "files";
	write(`searched ${searched.length} ${what} for ${searchedPieces} pieces of the erased data; ${sharedPieces} more pieces also occur in the remaining data\n`);
	for (const { name, bytes, matches, firstMatch } of searched) {
		const summary = firstMatch === null ? "nothing" : `${matches} found, the first a ${firstMatch.kind} at byte ${firstMatch.at}`;
		write(`  ${name}, ${megabytes(bytes)}: ${summary}\n`);
	}
	const isFound = searched.some(({ matches }) => matches > 0);
	if (isFound) writeError("cairn erase: traces are left; repeat the command, and if they remain, please report it\n");
	return isFound ? 1 : 0;
}
