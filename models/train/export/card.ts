/** What a reader should know about a model before relying on it, as Markdown: made from the records, so that no figure is typed. */

import type { BenchRecord } from "./bench-record.ts";
import type { ModelRecord } from "./write-model.ts";

export interface CardRun {
	readonly model: ModelRecord;
	/** Figures of `bench/embedding/embedding.ts --write`; null where it was not run. */
	readonly bench: BenchRecord | null;
}

/** The first run is the model that ships, the others show what another seed gives. */
export function writeCard([shipped, ...others]: readonly [CardRun, ...CardRun[]]): string {
	const { model } = shipped;
	const { settings } = model;
	return [
		`# ${model.name}`,
		`The embedding model that comes with Cairn: a table of ${settings.words.toLocaleString("en")} English word stems and ${settings.buckets.toLocaleString("en")} shared rows for the spelling of all other words, ${settings.dimensions} dimensions, 8 bits each. How it is used, made and checked: [docs/embedding-model.md](../../docs/embedding-model.md). This page is written by \`models/train/card.ts\`.`,
		table(
			["", ""],
			[
				["File", `\`model.bin\`, ${model.bytes.toLocaleString("en")} bytes`],
				["SHA-256", `\`${model.sha256}\``],
				["Seed", `${settings.seed}`],
				["Made with", "`bun models/train/train.ts`, settings in [model.json](model.json)"],
				[
					"Licence",
					"that of Cairn for the program; the table was computed from the texts below, which keep their own licences, see [licences](../../docs/licences.md)",
				],
			],
		),
		"## What it is for",
		'Finding English passages, notes, memories and questions that say the same in other words, beside a word index. It sums words and does not read their order: "dog bites man" is "man bites dog", and a "not" hardly counts. Words of other languages and identifiers are known by their spelling alone. It has learned the leanings of its texts, encyclopaedias above all.',
		"## What it finds",
		"Vectors alone, without a word index: nDCG@10 and recall@10 in per cent (`bun bench/embedding/embedding.ts FOLDER…`).",
		benchTable([shipped, ...others]),
		"Pairs that were held back from the training, each question among up to a thousand answers of its source: mean reciprocal rank.",
		heldBackTable([shipped, ...others]),
		"## What it was trained with",
		model.filtered
			? "Every line that has a whole text, a sentence of five words or more, or eight words in a row in common with the collections above was left out (`bun models/train/overlap.ts`)."
			: "No line was left out for being in an evaluation.",
		sourceTable(model),
	]
		.join("\n\n")
		.concat("\n");
}

function benchTable(runs: readonly CardRun[]): string {
	const measured = runs.flatMap(({ model, bench }) => (bench === null ? [] : [{ seed: model.settings.seed, bench }]));
	const names = measured[0]?.bench.collections.map(({ name }) => name) ?? [];
	return table(
		["Collection", ...measured.map(({ seed }) => `seed ${seed}`)],
		names.map((name) => [
			name,
			...measured.map(({ bench }) => {
				const found = bench.collections.find((collection) => collection.name === name);
				return found === undefined ? "–" : `${found.gain.toFixed(1)} / ${found.recall.toFixed(1)}`;
			}),
		]),
	);
}

function heldBackTable(runs: readonly CardRun[]): string {
	const names = Object.keys(runs[0]?.model.heldBack.sources ?? {});
	const figure = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(3));
	return table(
		["Source", ...runs.map(({ model }) => `seed ${model.settings.seed}`)],
		[
			...names.map((name) => [name, ...runs.map(({ model }) => figure(model.heldBack.sources[name]))]),
			["**mean**", ...runs.map(({ model }) => figure(model.heldBack.meanReciprocalRank))],
		],
	);
}

function sourceTable({ sources }: ModelRecord): string {
	return table(
		["Source", "From", "Licence", "Kind", "Pairs", "Texts", "Left out", "Weight"],
		sources.map(({ name, repo, licence, kind, note, pairs, texts, dropped, weight }) => [
			name,
			repo,
			licence,
			note === "" ? kind : `${kind}; ${note}`,
			pairs.toLocaleString("en"),
			texts.toLocaleString("en"),
			dropped.toLocaleString("en"),
			`${weight}`,
		]),
	);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
	return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
