/** `cairn salvage FOLDER NEW` copies everything readable from a damaged data folder into a new one, and lists what was lost. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { escapeControls } from "../escape-controls.ts";
import { salvage } from "../salvage/salvage.ts";
import { type CommandContext, requireStoreTools } from "./backup.ts";
import { progressBar } from "./progress-bar.ts";

const usage = "cairn salvage FOLDER NEW";

/** @returns the exit code: 1 if something was lost. @throws ServiceError */
export async function salvageCommand(args: readonly string[], context: CommandContext): Promise<number> {
	const [from, to, ...extraArgs] = args;
	if (from === undefined || to === undefined || extraArgs.length > 0) throw fail("COMMAND_INVALID", `usage: ${usage}`);
	if (!existsSync(from)) throw fail("COMMAND_INVALID", `there is no ${from}`);
	const { settings, config, write, writeError } = context;
	const progress = progressBar(context, (total) => `${total} documents and memories`);
	const store = await requireStoreTools(context, "use the tools of its database");
	const { documents, memories, refused, losses } = await salvage({ settings, config, store, from: resolve(from), to: resolve(to), onProgress: progress });
	write(`${to}: ${documents} documents and ${memories} memories salvaged\n`);
	for (const { kind, id, outcome } of losses) writeError(`${kind} ${escapeControls(id)}: ${outcome}\n`);
	for (const id of refused) writeError(`${id}: lost, because something that it depends on is lost\n`);
	return losses.length + refused.length === 0 ? 0 : 1;
}
