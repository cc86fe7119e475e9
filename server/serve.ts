/** The app over all services of core, for the thread that answers requests, see `compose`. */

import { createKeyService } from "../core/access/key-service.ts";
import { createBrowseService } from "../core/browse/browse-service.ts";
import { createConnectionService } from "../core/connections/connection-service.ts";
import { createContainerService } from "../core/containers/container-service.ts";
import { createEventService, type EventService } from "../core/events/event-service.ts";
import { createUsageService } from "../core/language/usage-service.ts";
import { createMemoryService } from "../core/memories/memory-service.ts";
import { createOrganisationService } from "../core/organisation/organisation-service.ts";
import { createSettingsService } from "../core/organisation/settings-service.ts";
import type { Parts } from "../core/parts.ts";
import { createProfileService } from "../core/profile/profile-service.ts";
import { createRemovalService } from "../core/removals/removal-service.ts";
import { createReviewService } from "../core/review/review-service.ts";
import type { Notifier } from "../core/runtime/notifier.ts";
import { createService } from "../core/service.ts";
import { createWebhookService } from "../core/webhooks/webhook-service.ts";
import { type AppParts, createApp } from "./app.ts";
import { mintKey } from "./auth/keys.ts";
import { createKnownHosts } from "./auth/known-hosts.ts";
import { createSignedLinks } from "./auth/signed-links.ts";
import { secretNamed } from "./auth/stored-secret.ts";
import { type BackupService, createBackupService } from "./backup/backup-service.ts";
import { type RunSearch, withSearches } from "./boot/ingestion/with-searches.ts";
import { createMachine } from "./machine.ts";
import { createSignInRoute } from "./oauth/sign-in-route.ts";
import type { ThreadReport } from "./observation/measurement.ts";
import { createMetrics } from "./observation/metrics.ts";
import type { ThreadObserver } from "./observation/observer.ts";
import type { Router, RouterParts } from "./router/create-router.ts";
import { createTurns } from "./router/remember-turns.ts";
import type { Settings } from "./settings/settings.ts";

export interface Served {
	readonly app: ReturnType<typeof createApp>;
	readonly events: EventService;
	readonly backups: BackupService;
	/** Resolves when the memory router has stored the turns of all finished chats. */
	readonly settled: () => Promise<void>;
}

const dayMs = 24 * 60 * 60_000;

/** The thread that runs the jobs, as far as requests concern it. */
export interface WorkerThread extends Pick<Notifier, "notify"> {
	/** What it has measured; absent if jobs run in this thread. */
	readonly report?: () => Promise<ThreadReport | null>;
	/** Absent if jobs run in this thread, or in another program. */
	readonly isRunning?: () => boolean;
	/** Absent if jobs run in this thread, or in another program. */
	readonly search?: RunSearch;
}

export interface ThreadParts {
	readonly observer: ThreadObserver | null;
	readonly sandboxProcesses: () => number;
}

export async function serve(parts: Parts, settings: Settings, notifier: WorkerThread, { observer, sandboxProcesses }: ThreadParts): Promise<Served> {
	const { storage, mediaTypes, vault, world } = parts;
	const undoMs = settings.undoDays * dayMs;
	const events = createEventService(parts);
	const service = withSearches(createService(parts, notifier), notifier.search);
	const profiles = createProfileService(parts);
	const turns = createTurns(service, world);
	const backups = createBackupService(settings, world);
	// If it is lost, earlier links become invalid.
	const secret = await secretNamed("link-secret", settings);
	const app = createApp({
		role: settings.role,
		isWorking: notifier.isRunning ?? (() => true),
		service,
		keys: createKeyService({ storage, world, mint: mintKey }),
		memories: createMemoryService(parts, undoMs),
		profiles,
		removals: createRemovalService(parts, undoMs, notifier),
		reviews: createReviewService(parts),
		settings: createSettingsService({ storage, world, seal: vault.seal }),
		connections: createConnectionService(parts, notifier),
		containers: createContainerService(parts, notifier),
		browse: createBrowseService(parts),
		events,
		webhooks: createWebhookService(parts),
		usage: createUsageService(parts),
		backups,
		organisations: createOrganisationService({ storage, world, mint: mintKey }),
		machine: createMachine(settings, parts),
		storage,
		mediaTypes,
		links: createSignedLinks(secret),
		world,
		observer,
		metrics: createMetrics({ observer, sandboxProcesses, storage, indexLag: parts.indexLag, world, ...(notifier.report && { workerReport: notifier.report }) }),
		metricsToken: settings.metricsToken,
		fileBytesMax: settings.fileBytesMax,
		rateLimit: settings.rateLimit,
		corsOrigins: settings.corsOrigins,
		demandKnownHost: createKnownHosts(settings),
		signInRoute: createSignInRoute(settings),
		router: settings.router === null ? null : await routerTo(settings.router, settings.fetchAllow, { service, profiles, turns, world }),
		createOAuth: settings.oauthAddress === null ? null : await oauthAt(settings.oauthAddress, secret, parts),
	});
	return { app, events, backups, settled: turns.settled };
}

/** Imported late, as the sign-in of MCP clients is: most servers do without both. */
async function routerTo(
	{ url, key, tokensMax }: NonNullable<Settings["router"]>,
	allow: readonly string[],
	parts: Omit<RouterParts, RouterSettings>,
): Promise<Router> {
	const [{ createRouter }, { createGuardedRelay }] = await Promise.all([import("./router/create-router.ts"), import("./boot/network/guarded-relay.ts")]);
	return createRouter({ ...parts, relay: createGuardedRelay(url, allow), providerKey: key, tokensMax });
}

type RouterSettings = "relay" | "providerKey" | "tokensMax";

async function oauthAt(issuer: string, secret: Uint8Array, { storage, world }: Parts): Promise<AppParts["createOAuth"]> {
	const { createOAuth } = await import("./oauth/create-oauth.ts");
	return (parts) => createOAuth({ ...parts, issuer, secret, storage, world });
}
