/** Plugins that break one promise each, whatever they offer. */

import { definePlugin, type PluginFactory, type Provides, type QueryRewriter } from "cairn-memory";
import { z } from "zod";
import type { Mutant } from "../mutant.ts";

const silent: QueryRewriter = { name: "silent", rewrite: async () => [] };

/** Plugins small enough to be wrong in one way only. */
export function pluginMutants(): readonly Mutant<PluginFactory>[] {
	const mutant = (name: string, contractTest: string, start: () => Provides, options: z.ZodType = z.strictObject({})): Mutant<PluginFactory> => ({
		name,
		contractTests: [contractTest],
		start: async () => definePlugin({ name, contract: 1, options, start }) as PluginFactory,
	});
	let isStarted = false;
	return [
		mutant(" ", "a plugin has a name and names its contract", () => ({ queryRewriter: [silent] })),
		mutant("offers two of one name", "what a plugin offers has unique, non-empty names", () => ({ queryRewriter: [silent, silent] })),
		mutant("starts once", "a plugin starts and stops twice over", () => {
			if (isStarted) throw new Error("already started");
			isStarted = true;
			return { queryRewriter: [silent] };
		}),
		mutant("takes any option", "a plugin refuses an unknown option by its name", () => ({ queryRewriter: [silent] }), z.object({})),
	];
}
