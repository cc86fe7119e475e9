/** `npm run doctor`: what would be used, where it comes from, and what is missing. Starts no server and changes nothing. */

import "../server/boot/without-auto-install.ts";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceError } from "../core/errors/fail.ts";
import { boot } from "../server/boot/boot.ts";
import { loadConfig } from "../server/boot/load-config.ts";
import { createLog } from "../server/boot/log.ts";
import { createWorld } from "../server/boot/world.ts";
import { definitions } from "../server/settings/definitions.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { version } from "../server/version.ts";

const given = { env: process.env, flags: process.argv.slice(2) };
const folder = await mkdtemp(join(tmpdir(), "cairn-doctor-"));
try {
	const { path, config } = await loadConfig(readSettings(given).config);
	const settings = readSettings(given, config.use);
	heading("Program");
	row("cairn", version);
	row("bun", Bun.version);
	row("platform", `${process.platform} ${process.arch}`);
	row("config file", path ?? "none");
	heading("Settings that differ from their defaults");
	const set = Object.values(definitions).filter(({ env, flag }) => process.env[env] !== undefined || given.flags.some((each) => each.startsWith(`--${flag}`)));
	for (const definition of set) row(definition.env, "isSecret" in definition && definition.isSecret ? "set" : (process.env[definition.env] ?? "by flag"));
	if (set.length === 0) row("none", "");
	heading("Data");
	row(settings.dataDir, existsSync(settings.dataDir) ? "is there" : "will be made at the first start");
	// The storage is opened on a folder of its own: a running server keeps its data to itself.
	const world = createWorld({ log: createLog({ level: "warn", write: (line) => process.stderr.write(line) }) });
	const booted = await boot({ settings: { ...settings, dataDir: folder }, config, world, inherited: null });
	heading("Parts, in the order in which they are preferred");
	const chosen = new Set([settings.use.storage, settings.use.embedder, settings.use.reranker]);
	for (const { plugin, kind, name } of booted.registry.list()) row(`${kind} ${name}`, `${plugin}${chosen.has(name) ? "  (chosen)" : ""}`);
	await booted.stop();
	console.log("\n  Everything that is needed is there.\n");
} catch (thrown) {
	if (!(thrown instanceof ServiceError)) throw thrown;
	console.log(`\n  ✗ ${thrown.message}${thrown.hint === null ? "" : `\n    ${thrown.hint}`}\n    (${thrown.code})\n`);
	process.exitCode = 1;
} finally {
	await rm(folder, { recursive: true, force: true });
}

function heading(text: string): void {
	console.log(`\n  ${text}`);
}

function row(name: string, value: string): void {
	console.log(`    ${name.padEnd(32)} ${value}`);
}
