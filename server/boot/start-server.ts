/** Starts the server: reads settings, starts plugins, migrates, recovers, listens. Stops in reverse order. */

import { accessSync, constants } from "node:fs";
import { asServiceError, fail } from "../../core/errors/fail.ts";
import { asId, type JobId, newId, type OrganisationId } from "../../core/model/id.ts";
import type { Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { World } from "../../core/ports/world.ts";
import { createSharedMutex } from "../../core/runtime/keyed-mutex.ts";
import { ensureAccount } from "../auth/keys.ts";
import { checkBackupFolder } from "../backup/check-folder.ts";
import { runBackups } from "../backup/scheduled-backups.ts";
import { removeLeftovers } from "../backup/staging.ts";
import { storeToolsOf } from "../backup/store-tools.ts";
import { makeFolder } from "../backup/sync-files.ts";
import { runUpgradeBackupRemoval, upgradeBackup } from "../backup/upgrade-backup.ts";
import { compose } from "../compose.ts";
import { demandModelsFolder } from "../models/models-folder.ts";
import type { Served, WorkerThread } from "../serve.ts";
import type { ServerRole, Settings } from "../settings/settings.ts";
import { startIngest } from "./ingest.ts";
import { createEmbedderMaintenance } from "./maintain-embedders.ts";
import { demandOpenFiles } from "./open-files.ts";
import { followSharedClock, setSharedClock } from "./storage-sharing/shared-clock.ts";
import { workerName } from "./storage-sharing/worker-name.ts";
import type { ServerWorld } from "./world.ts";

export interface RunningServer {
	/** The URL of the server, such as `http://127.0.0.1:6767`, with the actual port. */
	readonly url: string;
	/** The API key that was just created, to be shown once; null if there was one already. */
	readonly newKey: string | null;
	/** The language model and its endpoint; null for none. */
	readonly model: string | null;
	readonly stop: () => Promise<void>;
}

/** How long requests in flight may take to end before their connections are closed. */
const drainMs = 5_000;
/** Interval of storage maintenance: index files, unreferenced blobs. */
const maintainEveryMs = 30_000;

export async function startServer(settings: Settings, config: Config, world: ServerWorld): Promise<RunningServer> {
	demandOpenFiles();
	await prepareFolder(settings.dataDir);
	demandModelsFolder(settings.modelsDir);
	// Everything that was started is stopped in reverse order: at the end, or as soon as one of the next steps fails.
	await using started = new AsyncDisposableStack();
	started.defer(async () => world.observer?.tracing?.close());
	const { parts, serve, stop, modelDescription } = await compose({ settings, config, world });
	started.defer(stop);

	demandRole(settings.role, parts);
	const worker = workerName(settings, parts.storage);
	const newKey = await prepareStorage(parts, settings, config, worker, world);
	const embedders = createEmbedderMaintenance(settings, parts);
	await embedders.begin();

	const ingest = settings.role === "api" ? null : await startIngest(settings, parts.storage, worker, world);
	if (ingest !== null) started.defer(ingest.stop);

	await removeLeftovers(settings.dataDir);
	const { app, events, settled, backups } = await serve(ingest === null ? noWorker : { ...ingest, notify: ingest.wake });
	listen(app, settings);
	started.defer(() => waitAtMost(drainMs, settled(), world));
	started.defer(() => drain(app, world));
	// Event streams never end by themselves, so they are closed first. Other requests in flight are waited for.
	started.defer(events.stop);

	const background = new AbortController();
	const { signal } = background;
	if (settings.role !== "api") {
		const isInDataDir = (await storeToolsOf(settings.use, config)) !== null;
		// Not awaited: a folder on a network mount may never answer.
		void checkBackupFolder({ folder: backups.configured?.place.folder ?? null, dataDir: isInDataDir ? settings.dataDir : null }, world, signal);
	}
	const upkeep = settings.role === "api" ? [] : [maintain(parts, signal)];
	const maintenance = Promise.all([...upkeep, embedders.run(signal), followSharedClock(parts.storage, world, signal)]);
	const indexFeed = parts.feedIndexes(signal);
	const backingUp = settings.role === "api" ? null : Promise.all([runBackups(backups, world, signal), runUpgradeBackupRemoval(settings, world, signal)]);
	started.defer(async () => {
		background.abort();
		// A listed index may ask a service that does not answer, and so may the place of the backups.
		const unanswered = Promise.all([indexFeed, backingUp]);
		await Promise.all([maintenance, backups.stop(), waitAtMost(drainMs, unanswered, world)]);
	});

	const running = started.move();
	return {
		url: `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${app.server?.port ?? settings.port}`,
		newKey,
		model: modelDescription,
		stop: () => running.disposeAsync(),
	};
}

/** Creates the folder, and checks that it is writable. */
async function prepareFolder(dataDir: string): Promise<void> {
	try {
		await makeFolder(dataDir);
		accessSync(dataDir, constants.W_OK | constants.X_OK);
	} catch (thrown) {
		throw fail("DATA_DIR_UNUSABLE", dataDir, thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
}

/** The database tells the workers of new jobs. */
const noWorker: WorkerThread = { notify: () => undefined };

/** @throws ServiceError `SETTING_INVALID` */
function demandRole(role: ServerRole, { storage }: Parts): void {
	if (role === "all" || storage.supports.manyWriters) return;
	throw fail("SETTING_INVALID", "CAIRN_ROLE", `the storage ${storage.name} is used by one server, whose role is all; set CAIRN_STORAGE_URL for more`);
}

/** Locks of the whole installation have this in place of an organisation. */
const installation = asId<OrganisationId>("installation");

/** Migrates the storage, releases jobs of a killed process, and ensures that there is a key. @returns a newly created key. */
async function prepareStorage({ storage }: Parts, settings: Settings, config: Config, worker: string | null, world: ServerWorld): Promise<string | null> {
	await storage.migrate(upgradeBackup(settings, config, world));
	await setSharedClock(storage, world);
	if (settings.role !== "api") {
		const recovered = await storage.jobs.recover(worker, world.steadyNow(), () => newId<JobId>(world.randomBytes));
		if (recovered.leases + recovered.jobs > 0) world.log("info", "recovered jobs of an earlier run", recovered);
	}
	if (settings.role === "worker") return null;
	// Servers that are started together make one organisation.
	const oneAtATime = createSharedMutex({ storage, world });
	return (await oneAtATime("account", () => ensureAccount(storage.accounts, settings.apiKey, world), installation)).newKey;
}

function listen(app: Served["app"], { host, port }: Settings): void {
	try {
		app.listen({ port, hostname: host });
	} catch (thrown) {
		throw fail("PORT_TAKEN", host, port, thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
}

/** Accepts no more requests, and waits a while for those in flight. */
async function drain(app: Served["app"], world: World): Promise<void> {
	await waitAtMost(drainMs, Promise.resolve(app.stop()), world);
	await app.server?.stop(true);
}

/** Waits for the promise, at most this long. */
async function waitAtMost(ms: number, promise: Promise<unknown>, world: World): Promise<void> {
	const done = new AbortController();
	await Promise.race([promise, world.sleep(ms, done.signal)]);
	done.abort();
}

async function maintain({ storage, world }: Parts, signal: AbortSignal): Promise<void> {
	let reportedReason: string | null = null;
	while (!signal.aborted) {
		const reason = await storage.maintain(signal).then(
			() => null,
			// Damage is logged by the storage itself, once.
			(thrown: unknown) => (asServiceError(thrown).code === "STORAGE_DAMAGED" ? null : String(thrown)),
		);
		// A persistent error is logged once.
		if (reason !== null && reason !== reportedReason) world.log("error", "maintenance of the storage failed", { reason });
		reportedReason = reason;
		await world.sleep(maintainEveryMs, signal);
	}
}
