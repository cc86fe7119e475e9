/**
 * Builds what one thread of the program runs on from the settings: plugins, the parts chosen from them, and the app over all
 * services. The server, its ingest thread, the commands and the tests are composed only here.
 */

import { createHash } from "node:crypto";
import { chooseParts, type Parts } from "../core/parts.ts";
import type { Config } from "../core/plugin/config.ts";
import type { Registry } from "../core/plugin/registry.ts";
import type { World } from "../core/ports/world.ts";
import type { Notifier } from "../core/runtime/notifier.ts";
import { storedSecret } from "./auth/stored-secret.ts";
import { createVault } from "./auth/vault.ts";
import { createWebhookSigner } from "./auth/webhook-signer.ts";
import { createMediaTypes } from "./boot/media-types.ts";
import { createGuardedFetch } from "./boot/network/guarded-fetch.ts";
import { createSandbox } from "./boot/sandbox/create-sandbox.ts";
import { startPlugins } from "./boot/start-plugins.ts";
import type { Served } from "./serve.ts";
import type { Settings } from "./settings/settings.ts";

export interface Composed {
	readonly parts: Parts;
	readonly registry: Registry;
	/** Which language model is asked and where; null for none. */
	readonly modelDescription: string | null;
	/** All that answers requests, for the one thread that does. */
	readonly serve: (notifier: Pick<Notifier, "notify">) => Promise<Served>;
	/** Stops plugins and processes. The storage is closed by it too, as it is a plugin's. */
	readonly stop: () => Promise<void>;
}

export interface CompositionOptions {
	readonly settings: Settings;
	readonly config: Config;
	readonly world: World;
	/** What the storage plugin of the first thread shares, or null; absent in the first thread. */
	readonly inherited?: unknown;
}

export async function compose({ settings, config, world, inherited }: CompositionOptions): Promise<Composed> {
	const fetch = createGuardedFetch({ allow: settings.fetchAllow, log: world.log });
	const vault = createVault(await storedSecret(settings.dataDir, "vault-key"));
	const webhookSigner = createWebhookSigner(vault);
	const sandbox = createSandbox({
		processesMax: settings.sandboxProcesses,
		timeoutMsMax: settings.extractTimeoutMs,
		memoryMbMax: settings.extractMemoryMb,
		log: world.log,
	});
	const { registry, use, modelDescription, isBuiltin } = await startPlugins({ settings, config, world, inherited: inherited ?? null, fetch, sandbox });
	const own = registry.list().filter(({ plugin, kind }) => kind === "extractor" && !isBuiltin(plugin));
	const mediaTypes = createMediaTypes(registry.all("extractor"), new Set(own.map(({ name }) => name)));
	const opensIndexes = inherited === undefined;
	const parts = chooseParts(registry, use, { mediaTypes, fetch, vault, webhookSigner, world, modelTerms: settings.modelTerms, opensIndexes, digest });

	return {
		parts,
		registry,
		modelDescription,
		// Routes and services take memory and time that only one thread has use for.
		serve: async (notifier) => (await import("./serve.ts")).serve(parts, settings, notifier),
		stop: async () => {
			await parts.storage.close();
			await registry.stop();
			await sandbox.close();
		},
	};
}

function digest(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
