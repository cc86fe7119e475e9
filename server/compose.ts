/**
 * Builds the parts of one thread from the settings: it starts the plugins, chooses among them, and makes the app on request. The
 * server, its ingest thread, the commands and the tests all use this function.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseParts, type Parts } from "../core/parts.ts";
import type { Config } from "../core/plugin/config.ts";
import type { Registry } from "../core/plugin/registry.ts";
import type { World } from "../core/ports/world.ts";
import { secretNamed } from "./auth/stored-secret.ts";
import { createVault } from "./auth/vault.ts";
import { createWebhookSigner } from "./auth/webhook-signer.ts";
import { createMediaTypes } from "./boot/media-types.ts";
import { createGuardedFetch } from "./boot/network/guarded-fetch.ts";
import { createReachableAddress } from "./boot/network/reachable-address.ts";
import { createSandbox } from "./boot/sandbox/create-sandbox.ts";
import { startPlugins } from "./boot/start-plugins.ts";
import type { ServerWorld } from "./boot/world.ts";
import type { Served, WorkerThread } from "./serve.ts";
import type { Settings } from "./settings/settings.ts";

export interface Composed {
	readonly parts: Parts;
	readonly registry: Registry;
	/** The language model and its endpoint; null for none. */
	readonly modelDescription: string | null;
	/** Makes the app; only the thread that serves requests calls it. */
	readonly serve: (worker: WorkerThread) => Promise<Served>;
	/** How many processes read untrusted files for this thread. */
	readonly sandboxProcesses: () => number;
	/** Stops plugins and processes. This also closes the storage, which is a plugin. */
	readonly stop: () => Promise<void>;
}

export interface CompositionOptions {
	readonly settings: Settings;
	readonly config: Config;
	readonly world: ServerWorld;
	/** What the storage plugin of the first thread shares, or null; absent in the first thread. */
	readonly inherited?: unknown;
}

export async function compose({ settings, config, world, inherited }: CompositionOptions): Promise<Composed> {
	const fetch = createGuardedFetch({ allow: settings.fetchAllow, log: world.log });
	const demandReachable = createReachableAddress({ allow: settings.fetchAllow });
	const sandbox = createSandbox({
		processesMax: settings.sandboxProcesses,
		timeoutMsMax: settings.extractTimeoutMs,
		memoryMbMax: settings.extractMemoryMb,
		log: world.log,
	});
	const { registry, use, modelDescription, isBuiltin } = await startPlugins({ settings, config, world, inherited: inherited ?? null, fetch, sandbox });
	// The secrets below may be created in the data folder, so this comes after the storage has accepted the folder.
	if (settings.secret === null) reportLostVaultKey(settings.dataDir, world);
	const vault = createVault(await secretNamed("vault-key", settings));
	const webhookSigner = createWebhookSigner(vault);
	const own = registry.list().filter(({ plugin, kind }) => kind === "extractor" && !isBuiltin(plugin));
	const mediaTypes = createMediaTypes(registry.all("extractor"), new Set(own.map(({ name }) => name)));
	const sandboxProcesses = () => sandbox.pids().length;
	const opensIndexes = inherited === undefined;
	const parts = chooseParts(registry, use, {
		mediaTypes,
		fetch,
		demandReachable,
		vault,
		webhookSigner,
		world,
		modelPolicy: settings.modelPolicy,
		opensIndexes,
		blobsClaim: settings.blobsClaim,
		digest,
	});

	return {
		parts,
		registry,
		modelDescription,
		// Created on request, because routes and services take memory and time, and only one thread needs them.
		serve: async (worker) => (await import("./serve.ts")).serve(parts, settings, worker, { observer: world.observer ?? null, sandboxProcesses }),
		sandboxProcesses,
		stop: async () => {
			await parts.storage.close();
			await registry.stop();
			await sandbox.close();
		},
	};
}

/** A new key takes its place, which opens nothing of what was sealed. Both secrets are made at the first start. */
function reportLostVaultKey(dataDir: string, { log }: World): void {
	if (existsSync(join(dataDir, "vault-key")) || !existsSync(join(dataDir, "link-secret"))) return;
	const remedy = "put it back from a backup; without it, create connections and webhooks again";
	log("error", "the file vault-key of the data folder is lost, and secrets that were stored cannot be read", { remedy });
}

function digest(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
