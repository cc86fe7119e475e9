/**
 * Fits and judges the scale of memories: `bun bench/retrieval/memory-scale.ts --data FOLDER [--fit NAME,NAME] [--judge
 * NAME,NAME] [--embedder NAME] [--questions 1000]`, collections in the form of BEIR whose questions belong to groups. The
 * constants are chosen on one half of the groups of the collections to fit and judged on the other, and the other way round.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { type memoryScale, noiseFitted } from "../../core/ranking/memory-scale.ts";
import { openLaboratory } from "../../server/evaluation/laboratory.ts";
import { type AskedMemory, askMemories } from "./ask-memories.ts";
import { type Container, fit, fitSpread, line, mean, sharesOf, thinned } from "./fit-scale.ts";

const lines = [0.4, 0.5, 0.6, 0.7, 0.8] as const;
/** The containers as they are, and with a tenth of the memories. */
const sizes = [1, 0.1] as const;

const { values: given } = parseArgs({
	options: {
		data: { type: "string" },
		fit: { type: "string", default: "realmem,msc-persona" },
		judge: { type: "string", default: "friendsqa,qmsum" },
		embedder: { type: "string" },
		questions: { type: "string", default: "1000" },
	},
});
if (given.data === undefined) {
	console.error("usage: bun bench/retrieval/memory-scale.ts --data FOLDER [--fit NAME,NAME] [--judge NAME,NAME] [--embedder NAME] [--questions 1000]");
	process.exit(1);
}
const data = given.data;
await using laboratory = await openLaboratory(given.embedder === undefined ? {} : { use: { embedder: given.embedder } });
const fitted = await askAll(given.fit);
const judged = await askAll(given.judge);

console.log("| right first hits shown / strangers' best dropped at 0.6 | questions | right | by relevance | on the scale |\n|---|---|---|---|---|");
for (const each of [...fitted, ...judged]) console.log(rowOf(each, noiseFitted));
for (const half of [0, 1] as const) {
	const chosen = fit(fitted.map((each) => halfOf(each, half)));
	const { always, words, rest } = chosen;
	for (const each of fitted) {
		const others = halfOf(each, half === 0 ? 1 : 0);
		console.log(rowOf({ ...others, name: `${each.name}, held out (${always}, ${words}, ${rest})` }, chosen));
	}
}
const all = fit(fitted);
console.log(`\nBest for all groups: ${JSON.stringify({ ...all, spread: fitSpread(fitted, noiseFitted) })}\n`);
console.log(`| shown / dropped at | ${lines.join(" | ")} |\n|${"---|".repeat(lines.length + 1)}`);
for (const { name, questions } of [...fitted, ...judged]) {
	console.log(`| ${name} | ${lines.map((at) => shown(sharesOf(questions, noiseFitted, at))).join(" | ")} |`);
}

async function askAll(names: string): Promise<readonly Container[]> {
	const asked: Container[] = [];
	for (const name of names.split(",").filter((each) => each !== "")) {
		const questions = await askMemories(join(data, name), laboratory.parts, Number(given.questions), new AbortController().signal);
		for (const size of sizes) asked.push({ name: size === 1 ? name : `${name}, a tenth`, questions: thinned(questions, size) });
		console.error(name);
	}
	return asked;
}

function halfOf({ name, questions }: Container, half: AskedMemory["half"]): Container {
	return { name, questions: questions.filter((each) => each.half === half) };
}

function rowOf({ name, questions }: Container, noise: Parameters<typeof memoryScale>[2]): string {
	const right = questions.filter(({ own }) => own[0]?.isRight === true);
	const before = [
		mean(right.map(({ own }) => Number((own[0]?.score ?? 0) >= line))),
		mean(questions.map(({ strange }) => Number((strange[0]?.score ?? 0) < line))),
	];
	return `| ${name} | ${questions.length} | ${right.length} | ${shown(before)} | ${shown(sharesOf(questions, noise, line))} |`;
}

function shown(shares: readonly number[]): string {
	return shares.map((value) => `${(100 * value).toFixed(0)} %`).join(" / ");
}
