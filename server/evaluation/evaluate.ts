/** `cairn eval`: measures the quality of search, on collections in BEIR's format or on questions generated from the user's documents. */

import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { fail } from "../../core/errors/fail.ts";
import { limits } from "../../core/model/limits.ts";
import type { Config } from "../../core/plugin/config.ts";
import { readConfiguration } from "../boot/read-configuration.ts";
import { configFile, type SettingSources } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { Way } from "./ask.ts";
import { barChart } from "./bar-chart.ts";
import type { Collection } from "./collection.ts";
import { openLaboratory } from "./laboratory.ts";
import { measure } from "./measure.ts";
import type { Quality } from "./metrics.ts";
import { ownQuestions } from "./own-questions.ts";
import { qualityTables, type Row } from "./quality-tables.ts";
import { readCollection } from "./read-collection.ts";
import { readOwnDocuments } from "./read-own-documents.ts";

export const usage = `usage: cairn eval FOLDER...            collections in the form of BEIR: corpus.jsonl, queries.jsonl, qrels.tsv
       cairn eval --own                 questions made from the documents in the data folder; stop the server first
  --embedder NAME    an embedder to compare; may be given several times
  --config FILE      a config file to compare; may be given several times
  --container TAG    with --own: only the documents of this container
  --questions N      with --own: at most so many (200)
  --data-dir FOLDER  with --own: another data folder than the usual one
  -k N               count recall among the first N (10)
  --plot FILE        also draw nDCG@10 as an SVG picture
`;

/** Documents are read whole, and every one is embedded once for each setup. */
const ownDocumentsMax = 5_000;
const ways: readonly Way[] = ["words", "dense", "fusion", "rerank"];

interface Setup {
	readonly name: string;
	readonly config: Config;
	readonly settings: Settings;
}

type Wanted = ReturnType<typeof wantedOf>;

/** @throws ServiceError `INPUT_INVALID`, `SETTING_INVALID` and what starting throws */
export async function evaluate(args: readonly string[], env: SettingSources["env"], write: (text: string) => void, signal: AbortSignal): Promise<void> {
	const wanted = wantedOf(args);
	if (wanted.help) return write(usage);
	const setups = await setupsOf(wanted, env);
	const collections = await Promise.all(wanted.folders.map(readCollection));
	if (wanted.own) collections.push(await ownCollection(wanted, setups[0], write));
	const columns: string[] = [];
	const cells = new Map<string, Map<string, Quality>>(collections.map(({ name }) => [name, new Map()]));
	for (const { name, config, settings } of setups) {
		await using laboratory = await openLaboratory(config, settings);
		// Keyword search does not depend on the embedder.
		const asked = columns.length === 0 ? ways : ways.slice(1);
		const title = (way: Way) => (way === "words" ? way : `${name} ${way}`);
		columns.push(...asked.map(title));
		for (const collection of collections) {
			for (const [way, quality] of await measure(laboratory, collection, asked, signal, wanted.k)) cells.get(collection.name)?.set(title(way), quality);
		}
	}
	const rows = [...cells].map(([name, own]) => ({ name, cells: own }));
	write(`${qualityTables(columns, rows, wanted.k)}\n`);
	if (wanted.plot !== undefined) await writeFile(wanted.plot, chart(columns, rows));
}

function wantedOf(args: readonly string[]) {
	try {
		const many = { type: "string", multiple: true } as const;
		const one = { type: "string" } as const;
		const yes = { type: "boolean", default: false } as const;
		const options = {
			embedder: many,
			config: many,
			container: one,
			questions: one,
			"data-dir": one,
			plot: one,
			own: yes,
			help: yes,
			k: { type: "string", short: "k" },
		} as const;
		const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
		const questions = wholeNumber("--questions", values.questions ?? "200", Number.MAX_SAFE_INTEGER);
		const k = wholeNumber("-k", values.k ?? "10", limits.searchResultsMax);
		const nothing = positionals.length === 0 && !values.own;
		return { ...values, questions, k, folders: positionals, help: values.help || nothing };
	} catch (thrown) {
		throw fail("INPUT_INVALID", thrown instanceof Error ? thrown.message : "the arguments cannot be read");
	}
}

function wholeNumber(flag: string, text: string, max: number): number {
	const value = Number(text);
	if (!Number.isInteger(value) || value < 1 || value > max) throw new Error(`${flag} should be a whole number from 1 to ${max}`);
	return value;
}

/** Every config file with every embedder; if none is given, those of the server. */
async function setupsOf(wanted: Wanted, env: SettingSources["env"]): Promise<readonly Setup[]> {
	const flags = wanted["data-dir"] === undefined ? [] : ["--data-dir", wanted["data-dir"]];
	const files: readonly (string | null)[] = wanted.config ?? [configFile({ env, flags })];
	const setups: Setup[] = [];
	for (const file of files) {
		const { config, settings } = await readConfiguration({ env, flags }, file);
		for (const embedder of wanted.embedder ?? [settings.use.embedder]) {
			const prefix = files.length > 1 && file !== null ? `${basename(file)} ` : "";
			setups.push({ name: `${prefix}${embedder}`, config, settings: { ...settings, use: { ...settings.use, embedder } } });
		}
	}
	return setups;
}

async function ownCollection({ container, questions }: Wanted, setup: Setup | undefined, write: (text: string) => void): Promise<Collection> {
	if (setup === undefined) throw fail("INPUT_INVALID", "there is nothing to compare");
	const documents = await readOwnDocuments(setup.settings, setup.config, container ?? null, ownDocumentsMax);
	const made = ownQuestions("own", documents, questions, seeded(1));
	const asked = made.collection.questions.length;
	const where = container === undefined ? setup.settings.dataDir : `the container ${container}`;
	if (documents.length === 0) throw fail("INPUT_INVALID", `there are no documents in ${where}`);
	if (asked === 0) throw fail("INPUT_INVALID", `no question can be made of the ${documents.length} documents in ${where}: they are too short`);
	const share = Math.round(100 * made.sharedWords);
	write(`${asked} questions made of ${documents.length} documents: titles, headings and sentences, each taken out of its document.\n`);
	write(`${share} % of their telling words stand in the rest of it all the same. The more, the easier it is for words alone:\n`);
	write("read these figures to compare setups, not to tell how well a stranger's questions would be answered.\n\n");
	return made.collection;
}

function chart(columns: readonly string[], rows: readonly Row[]): string {
	const groups = rows.map(({ name, cells }) => ({ name, values: columns.map((column) => cells.get(column)?.ndcg ?? 0) }));
	return barChart({ title: "nDCG@10, in per cent", series: columns, groups });
}

/** Mulberry32: the same questions every time, so that two runs can be compared. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
