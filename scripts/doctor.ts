/**
 * `npm run doctor`: what would be used, where it comes from, what is missing, and whether the data is whole. Starts no server
 * and changes nothing, also while one runs. With `--vacuum` it rewrites the database, so that nothing is left in it of what was deleted.
 */

import "../server/boot/without-auto-install.ts";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceError } from "../core/errors/fail.ts";
import type { Plugin } from "../core/plugin/define-plugin.ts";
import { isOwn, type OwnerRow, ownerRecord, readMark, refusalOf } from "../core/runtime/blob-mark.ts";
import { vacuum } from "../plugins/stores/sqlite/files/inspect.ts";
import { inspectStore, storeTools } from "../server/backup/store-tools.ts";
import { defaultParts } from "../server/boot/builtin-plugins.ts";
import { createLog } from "../server/boot/log.ts";
import { readConfiguration } from "../server/boot/read-configuration.ts";
import { asStartError } from "../server/boot/start-error.ts";
import { pluginsOf } from "../server/boot/start-plugins.ts";
import { createWorld } from "../server/boot/world.ts";
import { type Composed, compose } from "../server/compose.ts";
import { definitions } from "../server/settings/definitions.ts";
import { builtinDefinitions } from "../server/settings/plugin-settings.ts";
import type { Settings } from "../server/settings/settings.ts";
import { version } from "../server/version.ts";

const vacuumFlag = "--vacuum";
const words = process.argv.slice(2);
const given = { env: process.env, flags: words.filter((word) => word !== vacuumFlag) };
const folder = await mkdtemp(join(tmpdir(), "cairn-doctor-"));
try {
	const { config, settings } = await readConfiguration(given);
	heading("Program");
	row("cairn", version);
	row("bun", Bun.version);
	row("platform", `${process.platform} ${process.arch}`);
	row("config file", settings.config ?? "none");
	heading("Settings that differ from their defaults");
	const set = [...Object.values(definitions), ...builtinDefinitions].filter(
		({ env, flag }) => process.env[env] !== undefined || given.flags.some((each) => each.startsWith(`--${flag}`)),
	);
	for (const definition of set) row(definition.env, "isSecret" in definition && definition.isSecret ? "set" : (process.env[definition.env] ?? "by flag"));
	if (set.length === 0) row("none", "");
	heading("Data");
	row(settings.dataDir, existsSync(settings.dataDir) ? "is there" : "will be made at the first start");
	await examineStore(settings, await pluginsOf(config));
	// The storage is opened on a folder of its own: a running server keeps its data to itself.
	const world = createWorld({ log: createLog({ level: "warn", write: (line) => process.stderr.write(line) }) });
	const booted = await compose({ settings: { ...settings, dataDir: folder }, config, world });
	heading("Parts, in the order in which they are preferred");
	const chosen = new Set([settings.use.storage, settings.use.embedder, settings.use.reranker]);
	for (const { plugin, kind, name } of booted.registry.list()) row(`${kind} ${name}`, `${plugin}${chosen.has(name) ? "  (chosen)" : ""}`);
	await examineBucket(booted, settings, await pluginsOf(config)).finally(booted.stop);
	if (process.exitCode !== 1) console.log("\n  Everything that is needed is there.\n");
} catch (thrown) {
	const error = asStartError(thrown);
	if (error === null) throw thrown;
	tell(error);
} finally {
	await rm(folder, { recursive: true, force: true });
}

async function examineStore({ dataDir, use }: Settings, plugins: readonly Plugin[]): Promise<void> {
	const store = storeTools(plugins, { ...use, blobStore: use.blobStore ?? defaultParts.blobStore });
	if (store === null) return;
	const folder = join(dataDir, store.folder);
	if (words.includes(vacuumFlag) && use.storage === "sqlite") vacuum(folder);
	const { notes, faults } = await inspectStore(store, folder);
	for (const [what, how] of notes) row(what, how);
	for (const fault of faults) tell(fault);
}

/** Whose the original files in a bucket are, which other servers may reach. Nothing is claimed. */
async function examineBucket({ registry, parts }: Composed, { dataDir, use }: Settings, plugins: readonly Plugin[]): Promise<void> {
	const blobStore = use.blobStore ?? defaultParts.blobStore;
	const { owner } = registry.one("blobStore", blobStore);
	if (owner === undefined || plugins.some(({ blobFolder }) => blobFolder?.blobStore === blobStore)) return;
	heading("Original files outside of the data folder");
	const store = storeTools(plugins, { ...use, blobStore });
	const { organisation, kind, id } = ownerRecord;
	const kept = () => parts.storage.organisation(organisation).records.get(kind, id, new Date()).catch(nullUnlessRefused);
	// First, as it is written after the row: otherwise the server's next turn between the two would look like another server's.
	const mark = await readMark(owner);
	const known = store === null ? (await kept())?.value : store.tables.record(join(dataDir, store.folder), ownerRecord);
	const found = { mark, row: (known ?? null) as OwnerRow | null };
	if (found.mark === null) return row("owner", "none yet: the first server that stores a file");
	if (isOwn(found)) return row("owner", "this server");
	console.log(`\n  ✗ no original files are removed: ${refusalOf(found)}\n    (docs/configuration.md, "Whose original files they are")\n`);
	process.exitCode = 1;
}

/** A database that no server has opened yet has no tables. */
function nullUnlessRefused(thrown: unknown): null {
	if (thrown instanceof ServiceError) throw thrown;
	return null;
}

function tell({ message, hint, code }: ServiceError): void {
	console.log(`\n  ✗ ${message}${hint === null ? "" : `\n    ${hint}`}\n    (${code})\n`);
	process.exitCode = 1;
}

function heading(text: string): void {
	console.log(`\n  ${text}`);
}

function row(name: string, value: string): void {
	console.log(`    ${name.padEnd(32)} ${value}`);
}
