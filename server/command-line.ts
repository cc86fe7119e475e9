/** `cairn`: reads the settings and starts the server, prints help, and stops the server on a signal. Followed by a word, it runs that command. */

import { createLog } from "./boot/log.ts";
import { adviseBackup } from "./boot/newest-backup.ts";
import { readConfiguration } from "./boot/read-configuration.ts";
import { reapOrphans } from "./boot/reap-orphans.ts";
import { asStartError } from "./boot/start-error.ts";
import { type RunningServer, startServer } from "./boot/start-server.ts";
import { createWorld } from "./boot/world.ts";
import { isCommand } from "./commands/is-command.ts";
import { greeting } from "./greeting.ts";
import { openObserver } from "./observation/observer.ts";
import type { Settings } from "./settings/settings.ts";

/** Signals closer together than this count as one. */
const sameWishMs = 1_000;

const words = process.argv.slice(2);
/** Null until they are read. */
let known: Settings | null = null;

// A log on a full disk, or a pipe whose reader is gone, loses lines; it must not end the server.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);

try {
	if (isCommand(words[0])) {
		const { runCommand } = await import("./commands/run-command.ts");
		const { createCommandOutput } = await import("./commands/command-output.ts");
		const output = createCommandOutput();
		let code = 1;
		try {
			code = await runCommand({ args: words, env: process.env, write: output.write, writeError: (text) => process.stderr.write(text) });
		} finally {
			await output.finish();
		}
		process.exit(code);
	}
	const given = { env: process.env, flags: words };
	const { settings, config } = await readConfiguration(given);
	known = settings;
	const log = createLog({ level: settings.logLevel, format: settings.logFormat, write: (line) => process.stderr.write(line) });
	const world = createWorld({ log, observer: await openObserver(settings, log) });
	let server: RunningServer | null = null;
	let stoppingSince = Number.POSITIVE_INFINITY;
	const stop = async (signalNumber: number) => {
		const now = performance.now();
		// A supervisor may signal the whole process group, so that one request to stop arrives twice. A later second signal stops at once.
		if (now - stoppingSince > sameWishMs) process.exit(130);
		if (stoppingSince < now) return;
		stoppingSince = now;
		// A start may be cut off at any moment.
		if (server === null) process.exit(128 + signalNumber);
		await server.stop();
		process.exit(0);
	};
	// This is done before the start, because the system withholds signals without a listener from process 1 of a container.
	process.on("SIGINT", () => void stop(2));
	process.on("SIGTERM", () => void stop(15));
	reapOrphans();
	server = await startServer(settings, config, world);
	// Printed last, because a reader may send a signal at once.
	process.stdout.write(
		greeting({ ...server, role: settings.role, dataDir: settings.dataDir, hasOperatorKey: settings.apiKey !== null, provider: settings.router?.url ?? null }),
	);
} catch (thrown) {
	const error = asStartError(thrown);
	if (error === null) throw thrown;
	const backup = known === null ? null : adviseBackup(error, known, process.env["npm_lifecycle_event"] === "start" ? "npm start --" : "cairn");
	const lines = [`cairn ${isCommand(words[0]) ? words[0] : "cannot start"}: ${error.message}`, error.hint, backup, `(${error.code})`];
	process.stderr.write(`${lines.filter((line) => line !== null).join("\n  ")}\n`);
	process.exit(1);
}
