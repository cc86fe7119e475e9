/** A whole server without a socket, on a folder of its own: real plugins, real storage, the pipeline in this thread. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config, OrganisationId } from "cairn-memory";
import { newId } from "cairn-memory/stores";
import type { Parts } from "../../core/parts.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { runWorker } from "../../core/service.ts";
import { keyRecord, makeKey } from "../../server/auth/keys.ts";
import { createWorld, type ServerWorld } from "../../server/boot/world.ts";
import { compose } from "../../server/compose.ts";
import type { Served } from "../../server/serve.ts";
import { readSettings } from "../../server/settings/read-settings.ts";

export interface TestServer {
	readonly app: Served["app"];
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

/** The flag for a memory router, in front of a provider that never answers. */
export const withRouter: readonly string[] = ["--router-url=http://127.0.0.1:9/v1"];

export interface Ground {
	/** A folder of the test's own, which is left where it is. */
	readonly folder?: string;
	/** In place of this machine's clock or log. */
	readonly world?: Partial<ServerWorld>;
	/** In place of a worker that runs. */
	readonly isRunning?: () => boolean;
}

export async function startTestServer(flags: readonly string[] = [], config: Config = {}, ground: Ground = {}): Promise<TestServer> {
	const folder = ground.folder ?? (await mkdtemp(join(tmpdir(), "cairn-test-")));
	const settings = readSettings({ env: {}, flags: [`--data-dir=${folder}`, ...flags] }, config.use);
	const world = { ...createWorld({ log: () => undefined }), ...asPassing(ground.world) };
	const { parts, serve, stop } = await compose({ settings, config, world });
	const { storage } = parts;
	await storage.migrate();
	const stopping = new AbortController();
	const notifier = createNotifier();
	const { app, events, settled, backups } = await serve({ ...notifier, ...(ground.isRunning && { isRunning: ground.isRunning }) });
	const jobs = settings.role === "api" ? [] : [runWorker(parts, "test", 4, notifier, stopping.signal)];
	const working = Promise.all([...jobs, parts.feedIndexes(stopping.signal)]);

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
		parts,
		client,
		clientWith,
		maintain: () => storage.maintain(new AbortController().signal),
		dispose: async () => {
			stopping.abort();
			events.stop();
			await backups.stop();
			await settled();
			await working;
			await stop();
			if (ground.folder === undefined) await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Where a test moves the clock, time passes; nobody sets the clock. */
function asPassing(world: Partial<ServerWorld> = {}): Partial<ServerWorld> {
	return world.now === undefined ? world : { steadyNow: world.now, ...world };
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
