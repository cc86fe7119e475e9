/** What every embedder promises. */

import { cosine, type Embedder, type Vector } from "cairn-memory";
import { calibrationFault, vectorFault } from "cairn-memory/stores";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";
import { kinTexts, oddTexts } from "./samples-text.ts";

/** Batches pad and round; more is another answer. */
const sameWithin = 1e-4;
const texts = kinTexts.flat();
/** No model that reads sentences reads a book in one go. */
const endlessText = "The keeper counted ships. ".repeat(20_000).trim();

/** @param start makes a fresh embedder; it is called once for each contract test. */
export function embedderContract(start: () => Promise<Embedder>): readonly ContractTest[] {
	const contractTest = (name: string, check: (embedder: Embedder) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	return [
		contractTest("an embedder has a name, a named space and a batch size", async ({ name, space, batchMax }) => {
			demand(name.trim() !== "" && space.name.trim() !== "", "its name or its space's name is blank");
			demand(Number.isInteger(space.dimensions) && space.dimensions > 0, `it has ${space.dimensions} dimensions`);
			demand(Number.isInteger(batchMax) && batchMax > 0, `it takes ${batchMax} texts`);
		}),
		contractTest("an embedder has a calibration that scores can be computed with", async ({ space }) => {
			const fault = calibrationFault(space.calibration);
			demand(fault === null, `its calibration is not sound: ${fault}`);
		}),
		contractTest("no texts, no vectors", async (embedder) => {
			demand((await embed(embedder, [])).length === 0, "it answered vectors for no texts");
		}),
		contractTest("one sound vector for each text", async (embedder) => {
			for (const purpose of ["document", "query"] as const) checkVectors(embedder, await embed(embedder, texts, purpose), texts);
		}),
		contractTest("vectors have unit length", async (embedder) => {
			for (const vector of await embed(embedder, texts)) demand(Math.abs(Math.hypot(...vector) - 1) <= sameWithin, `a vector is ${Math.hypot(...vector)} long`);
		}),
		contractTest("alone or in a batch, a text has the same vector", async (embedder) => {
			const together = await embed(embedder, texts);
			for (const [i, text] of texts.entries()) {
				const [alone] = await embed(embedder, [text]);
				demand(isSame(alone, together[i]), `"${text}" has another vector in a batch`);
			}
		}),
		contractTest("vectors are in the order of the texts", async (embedder) => {
			const forwards = await embed(embedder, texts);
			const backwards = (await embed(embedder, [...texts].reverse())).toReversed();
			demand(
				forwards.every((vector, i) => isSame(vector, backwards[i])),
				"the order of the texts changes the vectors",
			);
		}),
		contractTest("same text, same vector, from one start to the next", async (embedder) => {
			const again = await embed(await start(), texts);
			const once = await embed(embedder, texts);
			demand(
				once.every((vector, i) => isSame(vector, again[i])),
				"another start gives other vectors",
			);
		}),
		contractTest("a full batch is taken", async (embedder) => {
			const many = Array.from({ length: Math.min(embedder.batchMax, 300) }, (_, i) => `text ${i}`);
			checkVectors(embedder, await embed(embedder, many), many);
		}),
		contractTest("odd texts have sound vectors", async (embedder) => {
			for (const text of oddTexts) checkVectors(embedder, await embed(embedder, [text]), [text]);
		}),
		contractTest("a paraphrase is nearer than a stranger", async (embedder) => {
			for (const [text, paraphrase, stranger] of kinTexts) {
				const [query] = await embed(embedder, [text], "query");
				const [near, far] = await embed(embedder, [paraphrase, stranger]);
				demand(query !== undefined && near !== undefined && far !== undefined, "a vector is missing");
				demand(cosine(query, near) > cosine(query, far), `"${text}" is nearer to "${stranger}" than to "${paraphrase}"`);
			}
		}),
		contractTest("the vector of a word is sound, of unit length and not without weight", async ({ space, wordVector }) => {
			for (const word of ["harbour", "4711", "天气", "kwizzlebrandt"]) {
				if (wordVector === undefined) return;
				const { vector, weight } = wordVector(word);
				const fault = vectorFault(vector, space);
				demand(fault === null, `the vector of the word ${word} ${fault}`);
				demand(Math.abs(Math.hypot(...vector) - 1) <= sameWithin, `the vector of the word ${word} is ${Math.hypot(...vector)} long`);
				demand(Number.isFinite(weight) && weight >= 0, `the word ${word} has the weight ${weight}`);
			}
		}),
		contractTest("what fits is told for each text, and what does not fit is cut", async (embedder) => {
			if (embedder.fits === undefined) return;
			const { fits } = embedder;
			const told = await fits([...texts, endlessText], quietStep());
			demand(told.length === texts.length + 1, `${told.length} answers for ${texts.length + 1} texts`);
			demand(told.slice(0, -1).every(Boolean), "a sentence does not fit");
			if (told.at(-1) === true) return;
			const [once, longer] = await embed(embedder, [endlessText, `${endlessText} and a ferry`]);
			demand(isSame(once, longer), "it says that a text is cut, and reads on");
		}),
	];
}

async function embed(embedder: Embedder, wanted: readonly string[], purpose: "document" | "query" = "document"): Promise<readonly Vector[]> {
	const vectors: Vector[] = [];
	for (let i = 0; i === 0 || i < wanted.length; i += embedder.batchMax) {
		vectors.push(...(await embedder.embed(wanted.slice(i, i + embedder.batchMax), purpose, quietStep())));
	}
	return vectors;
}

function checkVectors({ space }: Embedder, vectors: readonly Vector[], wanted: readonly string[]): void {
	demand(vectors.length === wanted.length, `${vectors.length} vectors for ${wanted.length} texts`);
	for (const [i, vector] of vectors.entries()) {
		const fault = vectorFault(vector, space);
		demand(fault === null, `the vector of ${JSON.stringify(wanted[i]?.slice(0, 40))} ${fault}`);
	}
}

function isSame(a: Vector | undefined, b: Vector | undefined): boolean {
	return a !== undefined && b !== undefined && a.length === b.length && a.every((value, i) => Math.abs(value - (b[i] ?? Number.NaN)) <= sameWithin);
}
