/** `cairn salvage FOLDER NEW`: what can be read of a damaged data folder goes into a new one, and what cannot is listed. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { salvage } from "../salvage/salvage.ts";
import { type FolderPlace, storeOf } from "./backup.ts";
import { progressBar } from "./progress-bar.ts";

const usage = "cairn salvage FOLDER NEW";

/** @returns the exit code: 1 where something was lost. @throws ServiceError */
export async function salvageCommand(words: readonly string[], place: FolderPlace): Promise<number> {
	const [from, to, ...more] = words;
	if (from === undefined || to === undefined || more.length > 0) throw fail("COMMAND_INVALID", `it is called as ${usage}`);
	if (!existsSync(from)) throw fail("COMMAND_INVALID", `there is no ${from}`);
	const { settings, config, write, writeError } = place;
	const tell = progressBar(place, (total) => `${total} documents and memories`);
	const store = await storeOf(place);
	const { documents, memories, refused, losses } = await salvage({ settings, config, store, from: resolve(from), to: resolve(to), tell });
	write(`${to}: ${documents} documents and ${memories} memories salvaged\n`);
	for (const { kind, id, outcome } of losses) writeError(`${kind} ${id}: ${outcome}\n`);
	for (const id of refused) writeError(`${id}: lost, since what it rests on is lost\n`);
	return losses.length + refused.length === 0 ? 0 : 1;
}
