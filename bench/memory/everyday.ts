/**
 * Everyday questions over texts that people who did not know the rules have written: `bun bench/memory/everyday.ts FOLDER
 * [--show 20]`, over HTTP, with the settings of a new installation. FOLDER holds `inputs.jsonl`, `questions.jsonl`, `facts.jsonl` and
 * `replacements.jsonl` as in `bench/memory/strangers/README.md`. An answer counts when one of the first five results has all strings of an
 * alternative.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { drained, post } from "../client.ts";
import { key, type Server, startServer, temporaryFolder } from "../server.ts";
import { type JudgedScore, judgedResults, reportScores } from "./score-bands.ts";

interface Input {
	readonly id: string;
	readonly kind: "document" | "conversation";
	readonly content?: string;
	readonly messages?: readonly unknown[];
	readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Alternatives, each of strings that must all be there. */
type Needs = readonly (readonly string[])[];

interface Question {
	readonly id: string;
	readonly input: string;
	readonly question: string;
	readonly answers: Needs;
}

interface Fact {
	readonly input: string;
	readonly fact: string;
	readonly needs: Needs;
}

interface Replacement {
	readonly id: string;
	readonly first: Told;
	readonly second: Told;
	readonly speaker: string;
	readonly replaces: boolean;
}

interface Told {
	readonly day: string;
	readonly text: string;
}

interface Result {
	readonly memory?: string;
	readonly chunk?: string;
	readonly similarity: number;
}

interface Entry {
	readonly memory: string;
	readonly version: number;
}

const firstResults = 5;
const patienceMs = 600_000;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const ways = {
	"memories as they come": {},
	"memories, threshold 0": { threshold: 0 },
	"hybrid as it comes": { searchMode: "hybrid" },
	"hybrid, threshold 0": { searchMode: "hybrid", threshold: 0 },
} as const;

const { values: given, positionals } = parseArgs({ options: { show: { type: "string", default: "0" } }, allowPositionals: true });
const [folder = ""] = positionals;
const showMax = Number(given.show);

await using data = await temporaryFolder();
const server = await startServer(data.path);
try {
	const inputs = await lines<Input>("inputs");
	for (const input of inputs) await add(server, input);
	const replacements = await lines<Replacement>("replacements");
	for (const which of ["first", "second"] as const) {
		await drained(server, patienceMs);
		for (const { id, speaker, [which]: told } of replacements) {
			const content = `${speaker}: ${told.text}`;
			const metadata = { documentDate: `${told.day}T12:00:00.000Z` };
			await post(server, "/v3/documents", { content, containerTag: `pair-${id}`, metadata, dreaming: "instant" });
		}
	}
	await drained(server, patienceMs);
	const questions = await lines<Question>("questions");
	await reportQuestions(questions);
	reportScores(await judgeScores(questions.filter(({ answers }) => answers.length > 0)));
	await reportFacts(inputs, await lines<Fact>("facts"));
	await reportReplacements(replacements);
} finally {
	await server.stop();
}

async function lines<Line>(name: string): Promise<readonly Line[]> {
	const text = await Bun.file(join(folder, `${name}.jsonl`)).text();
	return text
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map((line) => JSON.parse(line) as Line);
}

async function add(to: Server, { id, kind, content, messages, metadata = {} }: Input): Promise<void> {
	if (kind === "conversation") await post(to, "/v4/conversations", { conversationId: id, messages, containerTag: id, metadata });
	else await post(to, "/v3/documents", { content, customId: id, containerTag: id, metadata, dreaming: "instant" });
}

async function reportQuestions(questions: readonly Question[]): Promise<void> {
	const answerable = questions.filter(({ answers }) => answers.length > 0);
	const unanswerable = questions.filter(({ answers }) => answers.length === 0);
	console.log(
		`| ${answerable.length} questions, ${unanswerable.length} about nothing stored | answered | shown nothing | characters shown | nothing shown for nothing stored |`,
	);
	console.log("|---|---|---|---|---|");
	for (const [way, settings] of Object.entries(ways)) {
		let [answered, empty, characters, quiet, shown] = [0, 0, 0, 0, 0];
		for (const { input, question, answers } of answerable) {
			const results = await search(question, input, settings);
			characters += results.reduce((sum, text) => sum + text.length, 0);
			if (results.length === 0) empty++;
			if (results.slice(0, firstResults).some((text) => has(text, answers))) answered++;
			else if (shown++ < showMax) console.error(`- ${way}: [${input}] ${question}\n  wanted ${JSON.stringify(answers)}\n${indented(results.slice(0, 3))}`);
		}
		for (const { input, question } of unanswerable) if ((await search(question, input, settings)).length === 0) quiet++;
		const perQuestion = Math.round(characters / Math.max(1, answerable.length));
		console.log(`| ${way} | ${percent(answered, answerable)} | ${percent(empty, answerable)} | ${perQuestion} | ${percent(quiet, unanswerable)} |`);
	}
}

async function judgeScores(questions: readonly Question[]): Promise<readonly JudgedScore[]> {
	const judged: JudgedScore[] = [];
	for (const { input, question, answers } of questions) {
		const { results } = await ask<{ results: readonly Result[] }>("/v4/search", { q: question, containerTag: input, threshold: 0 });
		for (const [i, { memory = "", similarity }] of results.slice(0, judgedResults).entries())
			judged.push({ score: similarity, isRight: has(memory, answers), isFirst: i === 0 });
	}
	return judged;
}

async function search(q: string, containerTag: string, settings: object): Promise<readonly string[]> {
	const { results } = await ask<{ results: readonly Result[] }>("/v4/search", { q, containerTag, ...settings });
	return results.map(({ memory, chunk }) => memory ?? chunk ?? "");
}

async function reportFacts(inputs: readonly Input[], facts: readonly Fact[]): Promise<void> {
	console.log("\n| facts held by some memory | held | memories |\n|---|---|---|");
	let held = 0;
	for (const { id } of inputs) {
		const memories = await entries(id);
		const own = facts.filter(({ input }) => input === id);
		const kept = own.filter(({ needs }) => memories.some(({ memory }) => has(memory, needs)));
		held += kept.length;
		console.log(`| ${id} | ${kept.length} of ${own.length} | ${memories.length} |`);
		for (const { fact } of own.filter((each) => !kept.includes(each)).slice(0, showMax)) console.error(`- lost: [${id}] ${fact}`);
	}
	console.log(`| all | ${percent(held, facts)} | |`);
}

async function reportReplacements(pairs: readonly Replacement[]): Promise<void> {
	const seen = { true: 0, false: 0 };
	for (const { id, first, second, replaces } of pairs) {
		const memories = await entries(`pair-${id}`);
		const isReplaced = memories.some(({ version }) => version > 1);
		if (isReplaced) seen[`${replaces}`]++;
		if (isReplaced !== replaces && showMax > 0)
			console.error(`- ${replaces ? "missed" : "wrong"}: ${first.text} → ${second.text}\n${indented(memories.map(({ memory }) => memory))}`);
	}
	const natural = pairs.filter(({ replaces }) => replaces);
	const others = pairs.filter(({ replaces }) => !replaces);
	console.log(
		`\nnatural replacements seen: ${percent(seen.true, natural)} of ${natural.length}; others that were replaced: ${percent(seen.false, others)} of ${others.length}`,
	);
}

async function entries(containerTag: string): Promise<readonly Entry[]> {
	const all: Entry[] = [];
	for (let page = 1; ; page++) {
		const { memoryEntries } = await ask<{ memoryEntries: readonly Entry[] }>("/v4/memories/list", { containerTags: [containerTag], limit: 100, page });
		all.push(...memoryEntries);
		if (memoryEntries.length < 100) return all;
	}
}

async function ask<Answer>(path: string, body: unknown): Promise<Answer> {
	const response = await fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Answer;
}

function has(text: string, needs: Needs): boolean {
	const folded = text.toLowerCase();
	return needs.some((strings) => strings.length > 0 && strings.every((each) => folded.includes(each.toLowerCase())));
}

function percent(count: number, of: readonly unknown[]): string {
	return `${((100 * count) / Math.max(1, of.length)).toFixed(0)} %`;
}

function indented(texts: readonly string[]): string {
	return texts.map((text) => `  → ${text.slice(0, 160)}`).join("\n");
}
