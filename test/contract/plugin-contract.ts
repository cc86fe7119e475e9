/** What every plugin promises, whatever it offers. */

import type { Host, Plugin, PluginFactory, Provides } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { start, stop } from "./start.ts";

const unknownOption = "anOptionThatNobodyKnows";

/**
 * @param factory the plugin's default export.
 * @param given options it needs in order to start; most plugins need none.
 * @param host what it is handed at start, see `start`; most plugins do with one without an outside.
 */
export function pluginContract<Given>(factory: PluginFactory<Given>, given?: Given, host?: Host): readonly ContractTest[] {
	const plugin = (): Plugin => factory(given);
	return [
		{
			name: "a plugin has a name and names its contract",
			check: async () => {
				const { name, contract } = plugin();
				demand(name.trim() !== "", "its name is blank");
				demand(Number.isInteger(contract) && contract > 0, `its contract is ${contract}`);
			},
		},
		{
			name: "what a plugin offers has unique, non-empty names",
			check: async () => {
				const provides = await start(plugin(), host);
				const names = namesOf(provides);
				await stop(provides);
				demand(names.length > 0, "it offers nothing");
				demand(!names.some((name) => /:\s*$/.test(name)), "a part has a blank name");
				demand(new Set(names).size === names.length, `a name comes twice: ${names.join(", ")}`);
			},
		},
		{
			name: "a plugin starts and stops twice over",
			check: async () => {
				const first = await start(plugin(), host);
				const names = namesOf(first);
				await stop(first);
				const second = await start(plugin(), host);
				await stop(second);
				demand(namesOf(second).join() === names.join(), "it offers something else at its second start");
			},
		},
		{
			name: "a plugin refuses an unknown option by its name",
			check: async () => {
				const { options, rawOptions: own } = plugin();
				const checked = await options["~standard"].validate({ ...(typeof own === "object" ? own : {}), [unknownOption]: 1 });
				demand(checked.issues !== undefined, "it takes an option that it does not know");
				demand(
					checked.issues.some(({ message }) => message.includes(unknownOption)),
					`its complaint does not name the option: ${checked.issues.map(({ message }) => message).join("; ")}`,
				);
			},
		},
	];
}

/** `chunker:paragraphs`: two parts of different kinds may share a name. */
function namesOf({ stop: _, ...parts }: Provides): readonly string[] {
	return Object.entries(parts).flatMap(([kind, list]) => (list ?? []).map(({ name }) => `${kind}:${name}`));
}
