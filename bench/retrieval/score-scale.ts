/**
 * Judges the scale of scores, and with `--fit` looks for better constants: `bun bench/retrieval/score-scale.ts --data FOLDER
 * [--only NAME,NAME] [--half 0|1] [--embedder NAME] [--questions 400] [--fit]`, collections in the form of BEIR. Texts are stored as
 * memories, each group in a container of its own; where there are no groups, so many texts in a row are one. `--half` keeps to
 * every other group, so that constants can be chosen on one half and judged on the other.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Noise } from "../../core/ranking/score-scale.ts";
import { openLaboratory } from "../../server/evaluation/laboratory.ts";
import { thresholdDefault } from "../../server/wire/v4/search-request.ts";
import { askMemories } from "./ask-memories.ts";
import { type Container, fit, thinned, type Worth, worthOf } from "./fit-scale.ts";

const lines = [0.4, 0.5, 0.6, 0.7, 0.8] as const;
/** The containers as they are, and with a tenth of the memories. */
const sizes = [1, 0.1] as const;

const { values: given } = parseArgs({
	options: {
		data: { type: "string" },
		only: { type: "string", default: "realmem,msc-persona,friendsqa,qmsum,squad-sent,selqa" },
		half: { type: "string" },
		embedder: { type: "string" },
		questions: { type: "string", default: "400" },
		fit: { type: "boolean", default: false },
	},
});
if (given.data === undefined) {
	console.error("usage: bun bench/retrieval/score-scale.ts --data FOLDER [--only NAME,NAME] [--half 0|1] [--embedder NAME] [--questions 400] [--fit]");
	process.exit(1);
}
await using laboratory = await openLaboratory(given.embedder === undefined ? {} : { use: { embedder: given.embedder } });
const containers: Container[] = [];
for (const name of given.only.split(",")) {
	const half = given.half === undefined ? null : Number(given.half);
	const questions = await askMemories(join(given.data, name), laboratory.parts, Number(given.questions), half, new AbortController().signal);
	for (const size of sizes) containers.push({ name: size === 1 ? name : `${name}, a tenth`, questions: thinned(questions, size) });
	console.error(name);
}

console.log(
	"| at the default threshold | questions | answered at 0 | answered | nothing shown to strangers | nothing without the answer |\n|---|---|---|---|---|---|",
);
for (const { name, questions } of containers) console.log(`| ${name} | ${questions.length} | ${cells(worthOf(questions, thresholdDefault))} |`);
console.log(`\n| answered / nothing shown to strangers at | ${lines.join(" | ")} |\n|${"---|".repeat(lines.length + 1)}`);
for (const { name, questions } of containers) {
	const worths = lines.map((at) => worthOf(questions, at));
	console.log(`| ${name} | ${worths.map(({ shown, strange }) => `${percent(shown)} / ${percent(strange)}`).join(" | ")} |`);
}
if (given.fit) {
	for (const left of new Set(containers.map(({ name }) => name.replace(", a tenth", "")))) {
		const chosen = fit(
			containers.filter(({ name }) => !name.startsWith(left)),
			thresholdDefault,
		);
		const judged = containers.filter(({ name }) => name === left).flatMap(({ questions }) => questions);
		console.log(`without ${left}: ${told(chosen)}, on it ${cells(worthOf(judged, thresholdDefault, chosen))}`);
	}
	console.log(`all: ${told(fit(containers, thresholdDefault))}`);
}

function cells({ found, shown, strange, missing }: Worth): string {
	return [found, shown, strange, missing].map(percent).join(" | ");
}

function told({ always, words, rest }: Noise): string {
	return `always ${always}, words ${words}, rest ${rest}`;
}

function percent(share: number): string {
	return `${(100 * share).toFixed(0)} %`;
}
