/** Runs the published contract tests on the third party's plugin, and says how many it passed. */

import type { Engine, Host, SandboxCall } from "cairn-memory";
import { extractorContract, partOf, pluginContract, quietHost } from "cairn-memory/contract";
import acme from "./extract-acme.ts";

/** The child process of the tests is this one. */
const run = async <Input, Output>({ engine, input, signal, timeoutMs, memoryMb }: SandboxCall<Input>): Promise<Output> => {
	const module: { readonly default: Engine<Input, Output> } = await import(engine.href);
	signal.throwIfAborted();
	return module.default(input, () => undefined, { timeoutMs, memoryMb });
};
const host: Host = { ...quietHost(), sandbox: { run } };
const bytes = new TextEncoder().encode("ACME\nThe anvil weighs eighty kilograms.");
const sample = { bytes, mediaType: "application/vnd.acme.foo", fileName: "anvils.acme", words: ["The anvil weighs eighty kilograms."] } as const;

const contractTests = [...pluginContract(acme, undefined, host), ...extractorContract(() => partOf(acme(), "extractor", host), [sample])];
for (const { check } of contractTests) await check();
console.log(`${contractTests.length} laws kept`);
