/** Admission of plugins: each check has its code and comes before any work. After start the registry is frozen. */

import { fail, ServiceError } from "../errors/fail.ts";
import { calibrationFault } from "../model/vector.ts";
import { contractVersion, type Kind, type Kinds, type Provides, sharing } from "./contract.ts";
import type { Plugin } from "./define-plugin.ts";
import type { Host } from "./host.ts";
import { validate } from "./standard-schema.ts";

interface Admitted {
	readonly plugin: string;
	readonly provides: Provides;
}

const kindNames = Object.keys(sharing) as readonly Kind[];

export class Registry {
	readonly #admitted: Admitted[] = [];
	readonly #isInstalled: (packageName: string) => boolean;
	#frozen = false;

	constructor(isInstalled: (packageName: string) => boolean) {
		this.#isInstalled = isInstalled;
	}

	/** Malformed → contract → options → needs → start → unique names → what it offers can be computed with. The first check that fails throws with its code. */
	async admit(plugin: Plugin, host: Host): Promise<void> {
		if (this.#frozen) throw fail("REGISTRY_FROZEN");
		if (typeof plugin?.name !== "string" || plugin.name === "" || typeof plugin.start !== "function") {
			throw fail("PLUGIN_MALFORMED", String(plugin?.name ?? "without a name"), "it was not made by definePlugin");
		}
		if (plugin.contract !== contractVersion) throw fail("CONTRACT_MISMATCH", plugin.name, String(plugin.contract), contractVersion);
		const options = await validate(plugin.options, plugin.given);
		if ("complaint" in options) throw fail("PLUGIN_OPTIONS_INVALID", plugin.name, options.complaint);
		for (const needed of Object.keys(plugin.needs)) {
			if (!this.#isInstalled(needed)) throw fail("PLUGIN_NEEDS", plugin.name, needed);
		}
		const provides = await startOf(plugin, options.value, host);
		this.#refuseTakenNames(plugin.name, provides);
		refuseUncalibrated(plugin.name, provides);
		this.#admitted.push({ plugin: plugin.name, provides });
	}

	freeze(): void {
		this.#frozen = true;
	}

	/** The parts of a kind in config order. */
	all<K extends Kind>(kind: K): readonly Kinds[K][] {
		return this.#admitted.flatMap(({ provides }) => partsOf(provides, kind));
	}

	/** The part of a kind that has this name. */
	one<K extends Kind>(kind: K, name: string): Kinds[K] {
		const part = this.all(kind).find((candidate) => candidate.name === name);
		if (part === undefined) throw fail("PLUGIN_MISSING", kind, name, this.#names(kind).join(", "));
		return part;
	}

	/** Which plugin offers which part: for the doctor and the log. */
	list(): readonly { readonly plugin: string; readonly kind: Kind; readonly name: string }[] {
		return this.#admitted.flatMap(({ plugin, provides }) => kindNames.flatMap((kind) => partsOf(provides, kind).map(({ name }) => ({ plugin, kind, name }))));
	}

	/** Stops the plugins in the reverse order of their start. A plugin that fails to stop does not keep the others from it. */
	async stop(): Promise<void> {
		for (const { provides } of this.#admitted.toReversed()) await provides.stop?.().catch(() => undefined);
	}

	#names(kind: Kind): readonly string[] {
		return this.all(kind).map((part) => part.name);
	}

	#refuseTakenNames(plugin: string, provides: Provides): void {
		for (const kind of kindNames) {
			const taken = new Set(this.#names(kind));
			for (const { name } of partsOf(provides, kind)) {
				if (typeof name !== "string" || name === "") throw fail("PLUGIN_MALFORMED", plugin, `a ${kind} has no name`);
				if (taken.has(name)) throw fail("PLUGIN_NAME_TAKEN", kind, name);
				taken.add(name);
			}
		}
	}
}

/** Checked at run time, as a plugin in JavaScript may leave a number out. */
function refuseUncalibrated(plugin: string, provides: Provides): void {
	for (const { name, space } of partsOf(provides, "embedder")) {
		const fault = calibrationFault(space.calibration);
		if (fault !== null) throw fail("PLUGIN_MALFORMED", plugin, `the embedder ${name} has no sound calibration: ${fault}`);
	}
}

/** One list typed by its kind: the union over kinds is narrowed here and nowhere else. */
function partsOf<K extends Kind>(provides: Provides, kind: K): readonly Kinds[K][] {
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
