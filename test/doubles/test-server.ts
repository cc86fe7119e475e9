/** A whole server without a socket, on a folder of its own: real plugins, real storage, the pipeline in this thread. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, newId, type OrganisationId, type World } from "cairn-memory";
import { createKeyService } from "../../core/access/key-service.ts";
import { createBrowseService } from "../../core/browse/browse-service.ts";
import { createConnectionService } from "../../core/connections/connection-service.ts";
import { createContainerService } from "../../core/containers/container-service.ts";
import { createEventService } from "../../core/events/event-service.ts";
import { createUsageService } from "../../core/language/usage-service.ts";
import { createMemoryService } from "../../core/memories/memory-service.ts";
import { createSettingsService } from "../../core/organisation/settings-service.ts";
import type { Parts } from "../../core/parts.ts";
import { createProfileService } from "../../core/profile/profile-service.ts";
import { createRemovalService } from "../../core/removals/removal-service.ts";
import { createReviewService } from "../../core/review/review-service.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { createService, runWorker } from "../../core/service.ts";
import { createWebhookService } from "../../core/webhooks/webhook-service.ts";
import { createApp } from "../../server/app.ts";
import { keyRecord, makeKey, mintKey } from "../../server/auth/keys.ts";
import { createSignedLinks } from "../../server/auth/signed-links.ts";
import { createVault } from "../../server/auth/vault.ts";
import { boot } from "../../server/boot/boot.ts";
import { createWorld } from "../../server/boot/world.ts";
import { readSettings } from "../../server/settings/read-settings.ts";

export interface TestServer {
	readonly app: ReturnType<typeof createApp>;
	readonly parts: Parts;
	/** A client of an organisation of its own. */
	readonly client: () => Promise<TestClient>;
	/** A client with a key that is there already. */
	readonly clientWith: (key: string) => TestClient;
	/** The upkeep that a running server does now and then. */
	readonly maintain: () => Promise<void>;
	readonly dispose: () => Promise<void>;
}

export interface TestClient {
	readonly key: string;
	/** A JSON request, or whatever `init` says. The path may hold a query. */
	readonly send: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<Response>;
	/** Polls until the document is done or failed. */
	readonly finished: (id: string) => Promise<Record<string, unknown>>;
}

export interface Ground {
	/** A folder of the test's own, which is left where it is. */
	readonly folder?: string;
	/** In place of this machine's clock or log. */
	readonly world?: Partial<World>;
}

export async function startTestServer(flags: readonly string[] = [], config: Config = {}, ground: Ground = {}): Promise<TestServer> {
	const folder = ground.folder ?? (await mkdtemp(join(tmpdir(), "cairn-test-")));
	const settings = readSettings({ env: {}, flags: [`--data-dir=${folder}`, ...flags] }, config.use);
	const world = { ...createWorld({ log: () => undefined }), ...ground.world };
	const booted = await boot({ settings, config, world, inherited: null });
	const { storage, mediaTypes } = booted.parts;
	await storage.migrate();
	const stopping = new AbortController();
	const notifier = createNotifier();
	const service = createService(booted.parts, notifier);
	const working = Promise.all([runWorker(booted.parts, "test", 4, notifier, stopping.signal), booted.parts.feedIndexes(stopping.signal)]);
	const events = createEventService(booted.parts);
	const undoMs = settings.undoDays * 24 * 60 * 60_000;
	const app = createApp({
		service,
		keys: createKeyService({ storage, world, mint: mintKey }),
		memories: createMemoryService(booted.parts, undoMs),
		profiles: createProfileService(booted.parts),
		removals: createRemovalService(booted.parts, undoMs, notifier),
		reviews: createReviewService(booted.parts),
		settings: createSettingsService({ storage, world, seal: createVault(world.randomBytes(32)).seal }),
		connections: createConnectionService(booted.parts, notifier),
		containers: createContainerService(booted.parts, notifier),
		browse: createBrowseService(booted.parts),
		events,
		webhooks: createWebhookService(booted.parts),
		usage: createUsageService(booted.parts),
		storage,
		mediaTypes,
		links: createSignedLinks(world.randomBytes(32)),
		world,
		fileBytesMax: settings.fileBytesMax,
		rateLimit: settings.rateLimit,
		corsOrigins: settings.corsOrigins,
	});

	async function client(): Promise<TestClient> {
		const organisation = newId<OrganisationId>(world.randomBytes);
		const key = makeKey(organisation);
		await storage.accounts.addOrganisation({ id: organisation, name: organisation, slug: organisation.toLowerCase(), createdAt: world.now() });
		await storage.accounts.addKey(keyRecord(key, "test", organisation, world));
		return clientWith(key);
	}

	function clientWith(key: string): TestClient {
		const send: TestClient["send"] = async (method, path, body, init = {}) => {
			const headers = new Headers({ authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) });
			for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
			return app.handle(new Request(`http://localhost${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...init, headers }));
		};
		return { key, send, finished: (id) => pollUntilFinished(id, send) };
	}

	return {
		app,
		parts: booted.parts,
		client,
		clientWith,
		maintain: () => storage.maintain(new AbortController().signal),
		dispose: async () => {
			stopping.abort();
			events.stop();
			await working;
			await booted.stop();
			if (ground.folder === undefined) await rm(folder, { recursive: true, force: true });
		},
	};
}

const pollEveryMs = 10;
const patienceMs = 120_000;

async function pollUntilFinished(id: string, send: TestClient["send"]): Promise<Record<string, unknown>> {
	const until = Date.now() + patienceMs;
	while (Date.now() < until) {
		const response = await send("GET", `/v3/documents/${id}`);
		const document = (await response.json()) as Record<string, unknown>;
		if (!response.ok) throw new Error(`document ${id}: ${JSON.stringify(document)}`);
		const isRemembered = document["status"] !== "done" || document["dreamingStatus"] === "done";
		if ((document["status"] === "done" || document["status"] === "failed") && isRemembered) return document;
		await Bun.sleep(pollEveryMs);
	}
	throw new Error(`document ${id} was not finished in time`);
}
