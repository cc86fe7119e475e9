/** Starts the plugins of one thread and hands out the parts that were chosen. Every thread of the program boots the same way. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { chooseParts, type Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { Plugin, PluginFactory } from "../../core/plugin/define-plugin.ts";
import type { Host } from "../../core/plugin/host.ts";
import { Registry } from "../../core/plugin/registry.ts";
import type { World } from "../../core/ports/world.ts";
import { keptSecret } from "../auth/kept-secret.ts";
import { createVault } from "../auth/vault.ts";
import { createWebhookSigner } from "../auth/webhook-signer.ts";
import type { Settings } from "../settings/settings.ts";
import { builtinPlugins } from "./builtin-plugins.ts";
import { endpointFetch } from "./endpoints.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { importPlugin, isInstalled } from "./import-plugin.ts";
import { createMediaTypes } from "./media-types.ts";
import { lacksModel } from "./model-options.ts";
import { withSettings } from "./plugin-options.ts";
import { createOwnProcess } from "./sandbox/create-own-process.ts";
import { createSandbox } from "./sandbox/create-sandbox.ts";

export interface Booted {
	readonly parts: Parts;
	readonly registry: Registry;
	/** Stops plugins and processes. The storage is closed by it too, as it is a plugin's. */
	readonly stop: () => Promise<void>;
}

export interface BootOptions {
	readonly settings: Settings;
	readonly config: Config;
	readonly world: World;
	/** What the storage plugin of the first thread handed over; null in the first. */
	readonly inherited: unknown;
}

export async function boot({ settings, config, world, inherited }: BootOptions): Promise<Booted> {
	const fetch = createGuardedFetch({ allow: settings.fetchAllow, log: world.log });
	const vault = createVault(await keptSecret(settings.dataDir, "vault-key"));
	const webhookSigner = createWebhookSigner(vault);
	const sandbox = createSandbox({
		processesMax: settings.sandboxProcesses,
		timeoutMsMax: settings.extractTimeoutMs,
		memoryMbMax: settings.extractMemoryMb,
		log: world.log,
	});
	const registry = new Registry(isInstalled);
	const builtins = builtinPlugins as readonly PluginFactory[];
	const listed = await Promise.all((config.plugins ?? []).map((entry) => importPlugin(entry, builtins)));
	const names = new Set(listed.map(({ name }) => name));
	const unlisted = builtins.map((factory) => factory()).filter(({ name }) => !names.has(name));
	for (const each of [...listed, ...unlisted]) {
		const plugin = withSettings(each, settings);
		if (isLeftOut(plugin, settings)) continue;
		await registry.admit(plugin, hostFor(plugin));
	}
	registry.freeze();
	const builtinNames = new Set(builtins.map((factory) => factory().name));
	const own = registry.list().filter(({ plugin, kind }) => kind === "extractor" && !builtinNames.has(plugin));
	const mediaTypes = createMediaTypes(registry.all("extractor"), new Set(own.map(({ name }) => name)));
	const parts = chooseParts(registry, settings.use, {
		mediaTypes,
		fetch,
		vault,
		webhookSigner,
		world,
		modelTerms: settings.modelTerms,
		opensIndexes: inherited === null,
		digest,
	});

	function hostFor({ name }: Plugin): Host {
		const log: Host["log"] = (level, message, facts) => world.log(level, message, { plugin: name, ...facts });
		return {
			log,
			world,
			folder: join(settings.dataDir, name.replaceAll(/[^a-z0-9-]/gi, "-")),
			fetch: endpointFetch(name, settings, log) ?? fetch,
			sandbox,
			ownProcess: (bounds) => createOwnProcess(bounds, log),
			inherited: name === settings.use.storage ? inherited : null,
		};
	}

	return {
		parts,
		registry,
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

/** A storage opens files when it starts: of the built-in ones only the chosen one does. A language model has to be told which. */
function isLeftOut(plugin: Plugin, { use }: Settings): boolean {
	return lacksModel(plugin) || ((plugin.name === "sqlite" || plugin.name === "ram") && plugin.name !== use.storage);
}
