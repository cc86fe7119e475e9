/** `cairn watch DIR`: keeps the documents of a container the same as the files of a folder, for as long as it runs. */

import { realpath, stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { fail } from "../../../../core/errors/fail.ts";
import { WireError } from "../../../client/wire-api.ts";
import { type ClientCall, type ClientCommand, failWithUsage } from "../client-command.ts";
import { filesBelow, isSkipped } from "../files-below.ts";
import { type Change, createChanges } from "./changes.ts";
import { openWatchedFolder, type WatchedFolder } from "./watched-folder.ts";

/** Concurrent requests. */
const concurrent = 4;
/** A file that was not written to for this long is considered complete. */
const settledMs = 400;
/** The wait between attempts while the server does not respond or is overloaded. */
const retryMs = 1_000;
/** Statuses after which another attempt may succeed: no server, timeout, too many requests, overloaded. */
const temporaryStatuses: ReadonlySet<number> = new Set([0, 408, 429, 502, 503, 504]);

export const watch: ClientCommand = {
	usage: "DIR",
	description: "adds the files of a folder, and goes on: what is changed or deleted there is changed or deleted here",
	options: { once: { type: "boolean", description: "ends when the container is as the folder is now" } },
	run: async (call) => {
		const [given, ...more] = call.args;
		if (given === undefined || more.length > 0) failWithUsage("watch", watch);
		if (!(await stat(given).catch(() => null))?.isDirectory()) throw fail("COMMAND_INVALID", `${given} is no folder`);
		const stopping = new AbortController();
		const stop = () => stopping.abort();
		process.once("SIGINT", stop).once("SIGTERM", stop);
		try {
			return await watchFolder(await realpath(given), call, stopping.signal);
		} finally {
			process.off("SIGINT", stop).off("SIGTERM", stop);
		}
	},
};

/** @param path absolute. @returns when it is stopped, or with `--once` when all is sent: 0 if nothing was refused, else 1. @throws WireError */
export async function watchFolder(path: string, call: ClientCall, stopping: AbortSignal): Promise<number> {
	const stopped = new Promise<void>((resolve) => stopping.addEventListener("abort", () => resolve(), { once: true }));
	const folder = await openWatchedFolder(path, call.container, call.api);
	const refused: string[] = [];
	const changes = createChanges(concurrent, async (name, change) => {
		const error = await carryOut(folder, name, change, call, stopping, stopped);
		if (error !== null) refused.push(name);
		if (error !== null) call.writeError(`${name}: ${error}`);
	});
	const watcher = call.options["once"] === true ? null : await watcherOf(path, changes.add, call);
	// Files are listed after the watcher has started, so that a change after the listing is an event of the watcher.
	const names = await filesBelow(path);
	for (const name of folder.missing(names)) changes.add(name, "remove");
	for (const name of names) changes.add(name, "send");
	if (watcher === null) await Promise.race([changes.idle(), stopped]);
	else await stopped;
	await watcher?.close();
	changes.stop();
	await changes.idle();
	return refused.length === 0 ? 0 : 1;
}

async function watcherOf(path: string, add: (name: string, change: Change) => void, call: ClientCall) {
	const nameOf = (file: string) => relative(path, file).split(sep).join("/");
	const { watch: watchFiles } = await import("chokidar");
	const watcher = watchFiles(path, {
		ignored: (file) => isSkipped(nameOf(file)),
		ignoreInitial: true,
		awaitWriteFinish: { stabilityThreshold: settledMs, pollInterval: 100 },
		followSymlinks: false,
	});
	watcher
		.on("add", (file) => add(nameOf(file), "send"))
		.on("change", (file) => add(nameOf(file), "send"))
		.on("unlink", (file) => add(nameOf(file), "remove"))
		.on("error", (error) => call.writeError(error instanceof Error ? error.message : String(error)));
	await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
	return watcher;
}

/** Tries again while the server cannot answer. @returns why the server refuses it; null if it is done, or needs no more doing */
async function carryOut(
	folder: WatchedFolder,
	name: string,
	change: Change,
	call: ClientCall,
	stopping: AbortSignal,
	stopped: Promise<void>,
): Promise<string | null> {
	for (;;) {
		try {
			const document = await (change === "send" ? folder.send(name) : folder.remove(name));
			if (document !== null) call.print({ change, name, document }, [`${change === "send" ? "sent" : "removed"}  ${name}`]);
			return null;
		} catch (thrown) {
			// The file was deleted since, or the document by somebody else.
			if ((thrown as NodeJS.ErrnoException).code === "ENOENT" || (thrown instanceof WireError && change === "remove" && thrown.status === 404)) return null;
			if (!(thrown instanceof WireError)) return thrown instanceof Error ? thrown.message : String(thrown);
			if (!temporaryStatuses.has(thrown.status) || stopping.aborted) return thrown.message;
			await Promise.race([Bun.sleep(retryMs), stopped]);
		}
	}
}
