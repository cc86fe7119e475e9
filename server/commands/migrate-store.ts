/** `cairn migrate-store` moves everything that the server stores to another place: between a data folder and PostgreSQL, and between a folder of files and S3. */

import { fail } from "../../core/errors/fail.ts";
import { redactAddress } from "../boot/network/redact-address.ts";
import { createWorld } from "../boot/world.ts";
import { secretsNeeded } from "../move/move-secrets.ts";
import { moveStore } from "../move/move-store.ts";
import { openSource } from "../move/open-move.ts";
import type { CommandContext } from "./backup.ts";
import { progressBar } from "./progress-bar.ts";
import { takeOption } from "./take-option.ts";

const usage = "cairn migrate-store --to postgres://…|FOLDER [--blobs s3://…|folder] [--json], or cairn migrate-store --cancel";

export interface MoveWords {
	readonly to: string | null;
	readonly blobs: string | null;
	readonly isCancelled: boolean;
}

/** Takes the options of this command out of the arguments. @throws ServiceError `COMMAND_INVALID` */
export function takeMoveWords(args: readonly string[]): { readonly words: readonly string[]; readonly move: MoveWords } {
	const to = takeOption(args, "to");
	const blobs = takeOption(to.words, "blobs");
	const words = blobs.words.filter((word) => word !== "--cancel");
	return { words, move: { to: to.value, blobs: blobs.value, isCancelled: words.length < blobs.words.length } };
}

/** @returns the exit code. @throws ServiceError */
export async function migrateStoreCommand(args: readonly string[], { to, blobs, isCancelled }: MoveWords, context: CommandContext): Promise<number> {
	if (args.length > 0 || (to === null) !== isCancelled) throw fail("COMMAND_INVALID", `usage: ${usage}`);
	return to === null ? cancel(context) : move(to, blobs, context);
}

async function move(to: string, blobs: string | null, context: CommandContext): Promise<number> {
	const { settings, config, write, writeError, isJson, isTerminal } = context;
	const began = performance.now();
	const world = createWorld({ log: () => undefined });
	const moved = await moveStore(
		{ settings, config, world, to, blobs },
		{
			onCopied: progressBar(context, (total) => `${total} rows copied`),
			onCompared: progressBar(context, (total) => `${total} rows compared`),
			onBlob: (done) => isTerminal && done % 100 === 0 && writeError(`\r\u001b[2K${done} original files`),
		},
	);
	const seconds = Math.round(performance.now() - began) / 1_000;
	const shown = redactAddress(to);
	const rows = Object.values(moved.tables).reduce((sum, table) => sum + table.rows, 0);
	if (isJson) {
		write(`${JSON.stringify({ to: shown, isEnded: moved.isEnded, rows, seconds, blobs: moved.blobs, tables: moved.tables }, null, "\t")}\n`);
		return 0;
	}
	const files = moved.blobs === null ? "original files stay where they are" : `${moved.blobs.blobs} original files, ${moved.blobs.copied} of them copied now`;
	write(`${shown}: ${rows} rows in ${Object.keys(moved.tables).length} tables, all as in the source; ${files}; ${seconds} s\n`);
	write(
		moved.isEnded
			? `the move has ended; ${secretsNeeded(moved.dataDir, settings.secret)}\n`
			: "a server still uses the source: stop it, then give the same command again, which copies what was written since and ends the move\n",
	);
	return 0;
}

/** Gives a move up: the source keeps no log any longer. */
async function cancel({ settings, config, write }: CommandContext): Promise<number> {
	const source = await openSource({ settings, config });
	try {
		await source.endLog();
	} finally {
		await source.close();
	}
	write("the move is given up, and the store keeps no log for it any longer; empty its target before another move goes there\n");
	return 0;
}
