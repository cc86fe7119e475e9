/** `cairn eval`: measures the quality of search, on collections in BEIR's format or on questions generated from the user's documents. */

import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { fail } from "../../core/errors/fail.ts";
import { limits } from "../../core/model/limits.ts";
import { none } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import { readConfiguration } from "../boot/read-configuration.ts";
import { configFile, type SettingSources } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { barChart } from "./bar-chart.ts";
import type { Collection } from "./collection.ts";
import { openLaboratory } from "./laboratory.ts";
import { measure } from "./measure.ts";
import type { Quality } from "./metrics.ts";
import { ownQuestions } from "./own-questions.ts";
import { qualityTables, type Row } from "./quality-tables.ts";
import { readCollection } from "./read-collection.ts";
import { readOwnDocuments } from "./read-own-documents.ts";
import type { SearchMethod } from "./search-question.ts";

export const usage = `usage: cairn eval FOLDER...            collections in BEIR's format: corpus.jsonl, queries.jsonl, qrels.tsv
       cairn eval --own                 questions made from the documents in the data folder; stop the server first
  --embedder NAME    an embedder to compare; may be given several times
  --config FILE      a config file to compare; may be given several times
  --container TAG    with --own: only the documents of this container
  --questions N      with --own: at most this many questions (200)
  --data-dir FOLDER  with --own: another data folder than the default
  -k N               measure recall among the first N results (10)
  --plot FILE        also draw nDCG@10 as an SVG picture
`;

/** Limited because documents are read in full, and each is embedded once for each setup. */
const ownDocumentsMax = 5_000;
const methods: readonly SearchMethod[] = ["words", "dense", "fusion"];

interface Setup {
	readonly name: string;
	readonly config: Config;
	readonly settings: Settings;
}

type EvaluateOptions = ReturnType<typeof parseArguments>;

/** @throws ServiceError `INPUT_INVALID`, `SETTING_INVALID`, and what starting the server's parts throws */
export async function evaluate(args: readonly string[], env: SettingSources["env"], write: (text: string) => void, signal: AbortSignal): Promise<void> {
	const options = parseArguments(args);
	if (options.help) return write(usage);
	const setups = await combineSetups(options, env);
	const collections = await Promise.all(options.folders.map(readCollection));
	if (options.own) collections.push(await ownCollection(options, setups[0], write));
	const columns: string[] = [];
	const cells = new Map<string, Map<string, Quality>>(collections.map(({ name }) => [name, new Map()]));
	for (const { name, config, settings } of setups) {
		await using laboratory = await openLaboratory(config, settings);
		const all = settings.use.reranker === none ? methods : [...methods, "rerank" as const];
		// Keyword search does not depend on the embedder.
		const methodsToRun = columns.length === 0 ? all : all.slice(1);
		const title = (method: SearchMethod) => (method === "words" ? method : `${name} ${method}`);
		columns.push(...methodsToRun.map(title));
		for (const collection of collections) {
			for (const [method, quality] of await measure(laboratory, collection, methodsToRun, signal, options.k))
				cells.get(collection.name)?.set(title(method), quality);
		}
	}
	const rows = [...cells].map(([name, qualities]) => ({ name, cells: qualities }));
	write(`${qualityTables(columns, rows, options.k)}\n`);
	if (options.plot !== undefined) await writeFile(options.plot, chart(columns, rows));
}

function parseArguments(args: readonly string[]) {
	try {
		const repeatable = { type: "string", multiple: true } as const;
		const string = { type: "string" } as const;
		const flag = { type: "boolean", default: false } as const;
		const options = {
			embedder: repeatable,
			config: repeatable,
			container: string,
			questions: string,
			"data-dir": string,
			plot: string,
			own: flag,
			help: flag,
			k: { type: "string", short: "k" },
		} as const;
		const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
		const questions = wholeNumber("--questions", values.questions ?? "200", Number.MAX_SAFE_INTEGER);
		const k = wholeNumber("-k", values.k ?? "10", limits.searchResultsMax);
		const hasNoInput = positionals.length === 0 && !values.own;
		return { ...values, questions, k, folders: positionals, help: values.help || hasNoInput };
	} catch (thrown) {
		throw fail("INPUT_INVALID", thrown instanceof Error ? thrown.message : "the arguments cannot be read");
	}
}

function wholeNumber(flag: string, text: string, max: number): number {
	const value = Number(text);
	if (!Number.isInteger(value) || value < 1 || value > max) throw new Error(`${flag} should be a whole number from 1 to ${max}`);
	return value;
}

/** Combines every config file with every embedder. If no file or embedder is named, the server's are used. */
async function combineSetups(options: EvaluateOptions, env: SettingSources["env"]): Promise<readonly Setup[]> {
	const flags = options["data-dir"] === undefined ? [] : ["--data-dir", options["data-dir"]];
	const files: readonly (string | null)[] = options.config ?? [configFile({ env, flags })];
	const setups: Setup[] = [];
	for (const file of files) {
		const { config, settings } = await readConfiguration({ env, flags }, file);
		for (const embedder of options.embedder ?? [settings.use.embedder]) {
			const prefix = files.length > 1 && file !== null ? `${basename(file)} ` : "";
			setups.push({ name: `${prefix}${embedder}`, config, settings: { ...settings, use: { ...settings.use, embedder } } });
		}
	}
	return setups;
}

async function ownCollection({ container, questions }: EvaluateOptions, setup: Setup | undefined, write: (text: string) => void): Promise<Collection> {
	if (setup === undefined) throw fail("INPUT_INVALID", "there is nothing to compare");
	const documents = await readOwnDocuments(setup.settings, setup.config, container ?? null, ownDocumentsMax);
	const generated = ownQuestions("own", documents, questions, seededRandom(1));
	const methodsToRun = generated.collection.questions.length;
	const source = container === undefined ? setup.settings.dataDir : `the container ${container}`;
	if (documents.length === 0) throw fail("INPUT_INVALID", `there are no documents in ${source}`);
	if (methodsToRun === 0) throw fail("INPUT_INVALID", `no question can be made from the ${documents.length} documents in ${source}: they are too short`);
	const sharedPercent = Math.round(100 * generated.sharedWords);
	write(`${methodsToRun} questions made from ${documents.length} documents: titles, headings and sentences, each removed from its document.\n`);
	write(`${sharedPercent} % of their significant words also occur in the rest of the document. A higher share makes keyword search look better.\n`);
	write("Use these figures to compare setups; they do not show how well questions in other people's words are answered.\n\n");
	return generated.collection;
}

function chart(columns: readonly string[], rows: readonly Row[]): string {
	const groups = rows.map(({ name, cells }) => ({ name, values: columns.map((column) => cells.get(column)?.ndcg ?? 0) }));
	return barChart({ title: "nDCG@10, in per cent", series: columns, groups });
}

/** Mulberry32: the same questions every time, so that two runs can be compared. */
function seededRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
