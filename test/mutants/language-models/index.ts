/** Language models that break one promise each, and the contract tests that must notice. */

import type { LanguageModel } from "cairn-memory";
import type { Mutant } from "../mutant.ts";

const sound: LanguageModel = {
	name: "sound",
	model: "m",
	generate: async () => ({ object: { word: "yes" }, usage: { inputTokens: 10, outputTokens: 2 } }),
};

export function languageModelMutants(): readonly Mutant<LanguageModel>[] {
	const mutant = (name: string, wrong: Partial<LanguageModel>, contractTest: string): Mutant<LanguageModel> => ({
		name,
		contractTests: [contractTest],
		start: async () => ({ ...sound, ...wrong }),
	});
	const usage = { inputTokens: 10, outputTokens: 2 };
	return [
		mutant("nameless", { model: " " }, "a language model has a name, and names its model"),
		mutant("answers a text", { generate: async () => ({ object: "yes", usage }) }, "a question is answered with an object"),
		mutant("counts nothing", { generate: async () => ({ object: {}, usage: { inputTokens: 0, outputTokens: 0 } }) }, "what it cost is told in whole tokens"),
		mutant("deaf", { generate: () => new Promise(() => undefined) }, "it stops when it is told to"),
	];
}
