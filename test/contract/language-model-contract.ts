/** What every language model promises, tried on one that can be asked for real, or on a stand-in for its server. */

import type { Generated, LanguageModel, ModelRequest, Step } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";

const question: ModelRequest = {
	system: "Answer with the word that the user says.",
	prompt: "The word is: yes",
	schema: { type: "object", properties: { word: { type: "string" } }, required: ["word"], additionalProperties: false },
	outputTokensMax: 50,
};
/** Longer than a plugin that listens takes to hear. */
const hearingMs = 2_000;

/** @param start makes a fresh language model whose server answers; it is called once for each contract test. */
export function languageModelContract(start: () => Promise<LanguageModel>): readonly ContractTest[] {
	const contractTest = (name: string, check: (model: LanguageModel) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	return [
		contractTest("a language model has a name, and names its model", async ({ name, model }) => {
			demand(name.trim() !== "", "its name is blank");
			demand(model.trim() !== "", "its model has no name");
		}),
		contractTest("a question is answered with an object", async (model) => {
			const { object } = await model.generate(question, quietStep());
			demand(typeof object === "object" && object !== null && !Array.isArray(object), `it answered ${JSON.stringify(object)}`);
		}),
		contractTest("what it cost is told in whole tokens", async (model) => {
			const { usage } = await model.generate(question, quietStep());
			for (const [name, count] of Object.entries(usage)) demand(Number.isInteger(count) && count > 0, `${name} are ${count}`);
		}),
		contractTest("it stops when it is told to", async (model) => {
			const stopping = new AbortController();
			const asked = outcomeOf(model.generate(question, { ...quietStep(), signal: stopping.signal } satisfies Step));
			stopping.abort();
			const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), hearingMs));
			demand((await Promise.race([asked, late])) !== "late", "it goes on");
		}),
	];
}

/** Whether it ends well does not matter here, only that it ends. */
async function outcomeOf(generated: Promise<Generated>): Promise<"ended"> {
	await generated.catch(() => undefined);
	return "ended";
}
