/** Read settings → start plugins → migrate → recover → listen; stop in the reverse order. */

import { accessSync, constants, mkdirSync } from "node:fs";
import { createKeyService } from "../../core/access/key-service.ts";
import { createBrowseService } from "../../core/browse/browse-service.ts";
import { createConnectionService } from "../../core/connections/connection-service.ts";
import { createContainerService } from "../../core/containers/container-service.ts";
import { fail } from "../../core/errors/fail.ts";
import { createEventService, type EventService } from "../../core/events/event-service.ts";
import { createUsageService } from "../../core/language/usage-service.ts";
import { createMemoryService } from "../../core/memories/memory-service.ts";
import { type JobId, newId } from "../../core/model/id.ts";
import { createSettingsService } from "../../core/organisation/settings-service.ts";
import type { Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { World } from "../../core/ports/world.ts";
import { createProfileService } from "../../core/profile/profile-service.ts";
import { createRemovalService } from "../../core/removals/removal-service.ts";
import { createReviewService } from "../../core/review/review-service.ts";
import { createService } from "../../core/service.ts";
import { createWebhookService } from "../../core/webhooks/webhook-service.ts";
import { type AppParts, createApp } from "../app.ts";
import { keptSecret } from "../auth/kept-secret.ts";
import { ensureAccount, mintKey } from "../auth/keys.ts";
import { createSignedLinks, linkSecret } from "../auth/signed-links.ts";
import { createVault } from "../auth/vault.ts";
import type { Settings } from "../settings/settings.ts";
import { boot } from "./boot.ts";
import { type Ingest, startIngest } from "./ingest.ts";
import { createEmbedderMaintenance } from "./maintain-embedders.ts";
import { demandOpenFiles } from "./open-files.ts";

export interface RunningServer {
	/** `http://127.0.0.1:6767`, with the port it really got. */
	readonly address: string;
	/** The key that was just made, to be shown this once; null when there was one already. */
	readonly newKey: string | null;
	readonly stop: () => Promise<void>;
}

/** How long requests in flight may take to end before their connections are closed. */
const drainMs = 5_000;
/** Upkeep of the storage: index files, blobs that nothing points to. */
const maintainEveryMs = 30_000;
const dayMs = 24 * 60 * 60_000;

type App = ReturnType<typeof createApp>;

export async function startServer(settings: Settings, config: Config, world: World): Promise<RunningServer> {
	demandOpenFiles();
	prepareFolder(settings.dataDir);
	// What has been started is stopped in the reverse order: when told to, or as soon as one of the next steps fails.
	await using started = new AsyncDisposableStack();
	const { parts, stop } = await boot({ settings, config, world, inherited: null });
	started.defer(stop);

	const newKey = await prepareStorage(parts, settings);
	const embedders = createEmbedderMaintenance(settings, parts);
	await embedders.begin();

	const ingest = await startIngest(settings, parts.storage, world);
	started.defer(ingest.stop);

	const events = createEventService(parts);
	const app = createApp(await servicesOf(parts, events, ingest, settings));
	listen(app, settings);
	started.defer(() => drain(app, world));
	// Streams never end by themselves: other requests in flight are waited for, and these are not.
	started.defer(events.stop);

	const upkeep = new AbortController();
	const maintenance = Promise.all([maintain(parts, upkeep.signal), embedders.run(upkeep.signal), parts.feedIndexes(upkeep.signal)]);
	started.defer(async () => {
		upkeep.abort();
		await maintenance;
	});

	const running = started.move();
	return {
		address: `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${app.server?.port ?? settings.port}`,
		newKey,
		stop: () => running.disposeAsync(),
	};
}

/** The folder is made where it is missing; that it cannot be written is found out now and not at the first document. */
function prepareFolder(dataDir: string): void {
	try {
		mkdirSync(dataDir, { recursive: true, mode: 0o700 });
		accessSync(dataDir, constants.W_OK | constants.X_OK);
	} catch (thrown) {
		throw fail("DATA_DIR_UNUSABLE", dataDir, thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
}

/** Migrates, gives back what a killed run had in hand, and sees to it that there is a key. @returns one that was just made. */
async function prepareStorage({ storage, world }: Parts, { apiKey }: Settings): Promise<string | null> {
	await storage.migrate();
	const mended = await storage.jobs.recover(world.now(), () => newId<JobId>(world.randomBytes));
	if (mended.leases + mended.jobs > 0) world.log("info", "went on with what an earlier run had left", mended);
	const { newKey } = await ensureAccount(storage.accounts, apiKey, world);
	return newKey;
}

async function servicesOf(parts: Parts, events: EventService, ingest: Ingest, settings: Settings): Promise<AppParts> {
	const { storage, mediaTypes, world } = parts;
	const undoMs = settings.undoDays * dayMs;
	const notifier = { notify: ingest.wake };
	return {
		service: createService(parts, notifier),
		keys: createKeyService({ storage, world, mint: mintKey }),
		memories: createMemoryService(parts, undoMs),
		profiles: createProfileService(parts),
		removals: createRemovalService(parts, undoMs, notifier),
		reviews: createReviewService(parts),
		settings: createSettingsService({ storage, world, seal: createVault(await keptSecret(settings.dataDir, "vault-key")).seal }),
		connections: createConnectionService(parts, notifier),
		containers: createContainerService(parts, notifier),
		browse: createBrowseService(parts),
		events,
		webhooks: createWebhookService(parts),
		usage: createUsageService(parts),
		storage,
		mediaTypes,
		links: createSignedLinks(await linkSecret(settings.dataDir)),
		world,
		fileBytesMax: settings.fileBytesMax,
		rateLimit: settings.rateLimit,
		corsOrigins: settings.corsOrigins,
	};
}

function listen(app: App, { host, port }: Settings): void {
	try {
		app.listen({ port, hostname: host });
	} catch (thrown) {
		throw fail("PORT_TAKEN", host, port, thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
}

/** Takes no more requests, and waits a while for those in flight. */
async function drain(app: App, world: World): Promise<void> {
	const drained = new AbortController();
	await Promise.race([app.stop(), world.sleep(drainMs, drained.signal)]);
	drained.abort();
	await app.server?.stop(true);
}

async function maintain({ storage, world }: Parts, signal: AbortSignal): Promise<void> {
	let told: string | null = null;
	while (!signal.aborted) {
		const reason = await storage.maintain(signal).then(
			() => null,
			(thrown: unknown) => String(thrown),
		);
		// What stays broken is said once.
		if (reason !== null && reason !== told) world.log("error", "upkeep of the storage failed", { reason });
		told = reason;
		await world.sleep(maintainEveryMs, signal);
	}
}
