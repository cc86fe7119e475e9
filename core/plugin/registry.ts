/** The registry of loaded plugins. Each check of a plugin has its own error code. After the server has started, the registry is frozen. */

import { fail, ServiceError } from "../errors/fail.ts";
import { calibrationFault } from "../model/vector.ts";
import { contractVersion, type Kind, type Kinds, type Provides, selectionByKind } from "./contract.ts";
import type { Plugin } from "./define-plugin.ts";
import type { Host } from "./host.ts";
import { validate } from "./standard-schema.ts";

interface LoadedPlugin {
	readonly plugin: string;
	readonly provides: Provides;
}

const kindNames = Object.keys(selectionByKind) as readonly Kind[];

export class Registry {
	readonly #loaded: LoadedPlugin[] = [];
	readonly #isInstalled: (packageName: string) => boolean;
	#frozen = false;

	constructor(isInstalled: (packageName: string) => boolean) {
		this.#isInstalled = isInstalled;
	}

	/**
	 * Checks a plugin, starts it and adds it, in this order: definition, contract version, options, needed packages, start, kinds, unique names,
	 * calibration of embedders. The first check that fails throws its error.
	 */
	async admit(plugin: Plugin, host: Host): Promise<void> {
		if (this.#frozen) throw fail("REGISTRY_FROZEN");
		if (typeof plugin?.name !== "string" || plugin.name === "" || typeof plugin.start !== "function") {
			throw fail("PLUGIN_MALFORMED", String(plugin?.name ?? "without a name"), "it was not made by definePlugin");
		}
		if (plugin.contract !== contractVersion) throw fail("CONTRACT_MISMATCH", plugin.name, String(plugin.contract), contractVersion);
		const options = await validate(plugin.options, plugin.rawOptions);
		if ("message" in options) throw fail("PLUGIN_OPTIONS_INVALID", plugin.name, options.message);
		for (const packageName of Object.keys(plugin.needs)) {
			if (!this.#isInstalled(packageName)) throw fail("PLUGIN_NEEDS", plugin.name, packageName);
		}
		const provides = await startOf(plugin, options.value, host);
		refuseStrangeOffers(plugin.name, provides);
		this.#refuseTakenNames(plugin.name, provides);
		refuseUncalibrated(plugin.name, provides);
		this.#loaded.push({ plugin: plugin.name, provides });
	}

	freeze(): void {
		this.#frozen = true;
	}

	/** All implementations of a kind, in config order. */
	all<K extends Kind>(kind: K): readonly Kinds[K][] {
		return this.#loaded.flatMap(({ provides }) => implementationsOf(provides, kind));
	}

	/** The implementation of a kind with this name. */
	one<K extends Kind>(kind: K, name: string): Kinds[K] {
		const implementation = this.all(kind).find((candidate) => candidate.name === name);
		if (implementation === undefined) throw fail("PLUGIN_MISSING", kind, name, this.#names(kind).join(", ") || "none");
		return implementation;
	}

	/** Which plugin provides which implementations, for the doctor and the log. */
	list(): readonly { readonly plugin: string; readonly kind: Kind; readonly name: string }[] {
		return this.#loaded.flatMap(({ plugin, provides }) =>
			kindNames.flatMap((kind) => implementationsOf(provides, kind).map(({ name }) => ({ plugin, kind, name }))),
		);
	}

	/** Stops the plugins in the reverse order of their start. If one fails to stop, the others are still stopped. */
	async stop(): Promise<void> {
		for (const { provides } of this.#loaded.toReversed()) await provides.stop?.().catch(() => undefined);
	}

	#names(kind: Kind): readonly string[] {
		return this.all(kind).map((implementation) => implementation.name);
	}

	#refuseTakenNames(plugin: string, provides: Provides): void {
		for (const kind of kindNames) {
			const taken = new Set(this.#names(kind));
			for (const { name } of implementationsOf(provides, kind)) {
				if (typeof name !== "string" || name === "") throw fail("PLUGIN_MALFORMED", plugin, `it offers a part of the kind ${kind} without a name`);
				if (taken.has(name)) throw fail("PLUGIN_NAME_TAKEN", kind, name);
				taken.add(name);
			}
		}
	}
}

/** Checks the kinds at run time, since a plugin in JavaScript may misspell one, and what it offers would then be missing without a word. */
function refuseStrangeOffers(plugin: string, provides: Provides): void {
	if (typeof provides !== "object" || provides === null) throw fail("PLUGIN_MALFORMED", plugin, "its start does not return an object");
	for (const [kind, offered] of Object.entries(provides)) {
		if (kind === "stop" || offered === undefined) continue;
		if (!Object.hasOwn(selectionByKind, kind)) throw fail("PLUGIN_MALFORMED", plugin, `it offers ${kind}, and the kinds are ${kindNames.join(", ")}`);
		if (!Array.isArray(offered)) throw fail("PLUGIN_MALFORMED", plugin, `what it offers as ${kind} is not a list`);
	}
}

/** Checks the calibration at run time, since a plugin in JavaScript may lack a number. */
function refuseUncalibrated(plugin: string, provides: Provides): void {
	for (const { name, space } of implementationsOf(provides, "embedder")) {
		const fault = calibrationFault(space?.calibration);
		if (fault !== null) throw fail("PLUGIN_MALFORMED", plugin, `the embedder ${name} has no sound calibration: ${fault}`);
	}
}

/** The implementations of one kind. This is the only place where the union of all kinds is narrowed to one. */
function implementationsOf<K extends Kind>(provides: Provides, kind: K): readonly Kinds[K][] {
	return (provides[kind] ?? []) as readonly Kinds[K][];
}

async function startOf(plugin: Plugin, options: unknown, host: Host): Promise<Provides> {
	try {
		return await plugin.start(options, host);
	} catch (thrown) {
		if (thrown instanceof ServiceError) throw thrown;
		throw fail("PLUGIN_UNLOADABLE", plugin.name, thrown instanceof Error ? thrown.message : String(thrown)).because(thrown);
	}
}
