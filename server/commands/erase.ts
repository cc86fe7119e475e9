/**
 * `cairn erase NAME` deletes a container, a document or a memory of a client permanently. With `--prove` it then searches every remaining
 * file, table and blob for traces of the data. With `--gone` it deletes nothing, and searches for what was deleted before.
 */

import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { fail } from "../../core/errors/fail.ts";
import { storeToolsOf } from "../backup/store-tools.ts";
import { erase, type GivenText, lookForDeleted, type Proof } from "../erase/erase.ts";
import { textBytesMin } from "../erase/traces.ts";
import { type CommandContext, onlyArgument, requireStored } from "./backup.ts";
import { megabytes } from "./progress-bar.ts";
import { takeOption } from "./take-option.ts";

const usage = "cairn erase CONTAINER|ID [--prove] [--gone] [--text FILE] [--organisation ID|NAME]";
/** A place names this many of the texts that were found in it, and only counts the others. */
const textsShownMax = 10;

export interface EraseOptions {
	readonly withProof: boolean;
	/** Whether it was deleted before and is only searched for. */
	readonly isGone: boolean;
	/** A file with one text on each line, `-` for standard input; null for none. */
	readonly textFile: string | null;
	/** Its id or name; null for the first one. */
	readonly organisation: string | null;
}

export function takeEraseOptions(args: readonly string[]): { readonly words: readonly string[]; readonly options: Omit<EraseOptions, "organisation"> } {
	const { words, value } = takeOption(args, "text");
	const options = { withProof: words.includes("--prove"), isGone: words.includes("--gone"), textFile: value };
	return { words: words.filter((word) => word !== "--prove" && word !== "--gone"), options };
}

/** @returns the exit code: 1 if traces were found. @throws ServiceError */
export async function eraseCommand(args: readonly string[], context: CommandContext, options: EraseOptions): Promise<number> {
	const { withProof, isGone, textFile, organisation } = options;
	const { settings, config, write } = context;
	const lines = textFile === null ? [] : await linesOf(textFile);
	const name = isGone ? null : onlyArgument(args, usage);
	const given = [...(isGone ? args.map((text) => ({ label: text, text })) : []), ...lines];
	requireUsable(given, options);
	const store = await storeToolsOf(settings.use, config);
	if (store !== null) requireStored(settings, store);
	if (name === null) return printProof(await lookForDeleted({ settings, config, store, given }), isGone, context);
	const { documents, memories, proof } = await erase({ settings, config, store, organisation, name, given, withProof });
	write(`${name}: ${documents} documents and ${memories} memories erased\n`);
	return proof === null ? 0 : printProof(proof, isGone, context);
}

async function linesOf(file: string): Promise<readonly GivenText[]> {
	const bytes = await (file === "-" ? Bun.stdin.bytes() : readFile(file)).catch((thrown: Error) => {
		throw fail("COMMAND_INVALID", `${file} cannot be read: ${thrown.message}`);
	});
	// Read in another encoding it would be found nowhere, and the result would look like a proof.
	if (!isUtf8(bytes) || bytes.includes(0)) throw fail("COMMAND_INVALID", `${file} is not in UTF-8`);
	const lines = new TextDecoder()
		.decode(bytes)
		.split(/\r?\n/)
		.map((line, i) => ({ label: `line ${i + 1}`, text: line.trim() }));
	return lines.filter((line) => line.text !== "");
}

/** @throws ServiceError `COMMAND_INVALID` */
function requireUsable(given: readonly GivenText[], { withProof, isGone, textFile, organisation }: EraseOptions): void {
	if (textFile !== null && !withProof && !isGone) throw fail("COMMAND_INVALID", "--text needs --prove or --gone");
	if (isGone && organisation !== null) throw fail("COMMAND_INVALID", "--gone searches the data of all organisations; leave out --organisation");
	if (given.length === 0 && (isGone || textFile !== null)) throw fail("COMMAND_INVALID", `there is nothing to look for; usage: ${usage}`);
	const short = given.find(({ text }) => Buffer.byteLength(text) < textBytesMin);
	if (short !== undefined)
		throw fail("COMMAND_INVALID", `${short.label} has fewer than ${textBytesMin} bytes, which are in large files by chance; give a longer one`);
}

function printProof({ searchedPieces, sharedPieces, searched }: Proof, isGone: boolean, { write, writeError }: CommandContext): number {
	const what = searched.some(({ name }) => /^(table|blob) /.test(name)) ? "files, tables and blobs" : "files";
	const data = isGone ? "what was deleted" : "the erased data";
	write(`searched ${searched.length} ${what} for ${searchedPieces} pieces of ${data}; ${sharedPieces} more pieces also occur in the remaining data\n`);
	for (const { name, bytes, matches, firstMatch, texts } of searched) {
		const summary = firstMatch === null ? "nothing" : `${matches} found, the first a ${firstMatch.kind} at byte ${firstMatch.at}${labelsOf(texts)}`;
		write(`  ${name}, ${megabytes(bytes)}: ${summary}\n`);
	}
	const isFound = searched.some(({ matches }) => matches > 0);
	const remedy = isGone ? "docs/damage.md says what stays for how long" : "repeat the command, and if they remain, please report it";
	if (isFound) writeError(`cairn erase: traces are left; ${remedy}\n`);
	return isFound ? 1 : 0;
}

function labelsOf(texts: readonly string[]): string {
	if (texts.length === 0) return "";
	const more = texts.length - textsShownMax;
	return `: ${texts.slice(0, textsShownMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
