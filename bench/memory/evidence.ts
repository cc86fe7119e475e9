/**
 * How much of what answers a question is in what a memory search hands an agent: `bun bench/memory/evidence.ts FOLDER
 * [--groups 40] [--show 10]`, a collection in the form of BEIR whose questions belong to groups. A group is one conversation in one
 * container, remembered by the real pipeline. Of the first 15 results those count that fit into 1,500 tokens, and
 * the same where the search keeps to that budget itself; a turn is found when a memory among them cites it, or a chunk holds it.
 */

import { parseArgs } from "node:util";
import { asId, type OrganisationId } from "cairn-memory";
import type { Caller, DocumentId } from "cairn-memory/stores";
import { createStep } from "../../core/language/step.ts";
import { limits } from "../../core/model/limits.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import type { FoundItem, SearchMode } from "../../core/search/search-memories.ts";
import { searchMemories } from "../../core/search/search-memories.ts";
import { createService, runWorker } from "../../core/service.ts";
import { byGroup, type CollectionDocument } from "../../server/evaluation/collection.ts";
import { openLaboratory } from "../../server/evaluation/laboratory.ts";
import { readCollection } from "../../server/evaluation/read-collection.ts";
import { thresholdDefault } from "../../server/wire/v4/search-request.ts";
import { type JudgedScore, judgedResults, reportScores } from "./score-bands.ts";

const resultsMax = 15;
const tokensMax = 1_500;
/** Of English, as the providers say. */
const charactersPerToken = 4;
const modes: readonly SearchMode[] = ["memories", "hybrid", "documents"];
const thresholds = [0, thresholdDefault] as const;
const budgets = [undefined, tokensMax] as const;
/** Where the collection does not say who speaks, two people do in turn. */
const speakers = ["Alex", "Robin"] as const;

const { values: given, positionals } = parseArgs({
	options: { groups: { type: "string", default: "40" }, show: { type: "string", default: "0" } },
	allowPositionals: true,
});
const [folder = ""] = positionals;
const collection = await readCollection(folder);
const groups = [...byGroup(collection.documents)].slice(0, Number(given.groups));
const caller: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };

await using laboratory = await openLaboratory({});
const { parts } = laboratory;
const notifier = createNotifier();
const service = createService(parts, notifier);
const stopping = new AbortController();
const working = runWorker(parts, "bench", 1, notifier, stopping.signal);
try {
	const remembered = await remember();
	console.log(`${groups.length} conversations, ${groups.reduce((sum, [, turns]) => sum + turns.length, 0)} turns, ${remembered} memories\n`);
	console.log(
		"| search | threshold | `maxTokens` | evidence found | questions with all of it | with some of it | tokens used |\n|---|---|---|---|---|---|---|",
	);
	for (const mode of modes) {
		for (const budget of budgets) for (const threshold of thresholds) console.log(await rowOf({ mode, budget, threshold }));
	}
	reportScores(await judgeScores());
} finally {
	stopping.abort();
	notifier.notify();
	await working;
}

/** @returns how many memories there are. */
async function remember(): Promise<number> {
	const ids: DocumentId[] = [];
	for (const [group, turns] of groups) {
		const { id } = await service.add(caller, {
			content: { kind: "text", text: turns.map(spoken).join("\n"), mediaType: "text/plain" },
			customId: null,
			containerTags: [group],
			metadata: {},
			filepath: null,
			taskType: "memory",
			dreaming: "instant",
		});
		ids.push(id);
	}
	for (const id of ids) {
		for (let document = await service.get(caller, id); document.status !== "done"; document = await service.get(caller, id)) {
			if (document.status === "failed") throw new Error(document.failure?.message);
			await Bun.sleep(20);
		}
	}
	const { memories } = parts.storage.organisation(caller.organisation);
	return (await memories.list(wholeOrganisation, false, { offset: 0, limit: 1, sort: "createdAt", order: "asc" } as Parameters<typeof memories.list>[2])).total;
}

function spoken({ text }: CollectionDocument, at: number): string {
	const said = text.replaceAll(/\s+/g, " ").trim();
	return /^[\p{L}\p{M}\d .'-]{1,40}: /u.test(said) ? said : `${speakers[at % 2]}: ${said}`;
}

interface Way {
	readonly mode: SearchMode;
	readonly budget: number | undefined;
	readonly threshold: number;
}

async function rowOf(way: Way): Promise<string> {
	let [asked, all, some, recall, tokens, shown] = [0, 0, 0, 0, 0, 0];
	const turnsOf = new Map(groups);
	for (const question of collection.questions) {
		const turns = turnsOf.get(question.group ?? "");
		const wanted = [...(collection.relevant.get(question.id) ?? [])].filter(([, worth]) => worth > 0).map(([id]) => id);
		if (turns === undefined || wanted.length === 0) continue;
		const { results, spent } = withinBudget(await found(question.text, question.group ?? "", way));
		const cited = new Set(results.flatMap((item) => citedTurns(item, turns)));
		const hits = wanted.filter((id) => cited.has(id)).length;
		asked++;
		recall += hits / wanted.length;
		tokens += spent;
		if (hits === wanted.length) all++;
		if (hits > 0) some++;
		else if (shown++ < Number(given.show)) show(question.text, wanted, turns, results);
	}
	const percent = (count: number) => `${((100 * count) / Math.max(1, asked)).toFixed(1)} %`;
	return `| ${way.mode} | ${way.threshold} | ${way.budget ?? "none"} | ${percent(recall)} | ${percent(all)} | ${percent(some)} | ${Math.round(tokens / Math.max(1, asked))} |`;
}

/** A memory is right when it cites a turn that answers the question. */
async function judgeScores(): Promise<readonly JudgedScore[]> {
	const judged: JudgedScore[] = [];
	const turnsOf = new Map(groups);
	for (const question of collection.questions) {
		const turns = turnsOf.get(question.group ?? "");
		const wanted = new Set([...(collection.relevant.get(question.id) ?? [])].filter(([, worth]) => worth > 0).map(([id]) => id));
		if (turns === undefined || wanted.size === 0) continue;
		const items = await found(question.text, question.group ?? "", { mode: "memories", budget: undefined, threshold: 0 });
		for (const [i, item] of items.slice(0, judgedResults).entries())
			judged.push({ score: item.score, isRight: citedTurns(item, turns).some((id) => wanted.has(id)), isFirst: i === 0 });
	}
	return judged;
}

async function found(text: string, group: string, { mode, budget, threshold }: Way): Promise<readonly FoundItem[]> {
	const bounded = budget === undefined ? {} : { tokensMax: budget };
	const plain = {
		...bounded,
		threshold,
		limit: resultsMax,
		rerank: false,
		rewriteQuery: false,
		includeForgotten: false,
		includeRelatives: false,
		includeChunks: true,
	};
	const search = { ...parts, tenant: parts.storage.organisation(caller.organisation) };
	const query = text.slice(0, limits.queryCharactersMax);
	const scope = { ...wholeOrganisation, containerTags: [group] };
	return searchMemories({ ...plain, query, scope, mode, now: new Date() }, search, createStep(parts.world, stopping.signal));
}

function withinBudget(found: readonly FoundItem[]): { readonly results: readonly FoundItem[]; readonly spent: number } {
	const results: FoundItem[] = [];
	let spent = 0;
	for (const item of found) {
		const tokens = Math.ceil(textOf(item).length / charactersPerToken);
		if (spent + tokens > tokensMax) continue;
		spent += tokens;
		results.push(item);
	}
	return { results, spent };
}

function textOf(item: FoundItem): string {
	return item.kind === "memory" ? item.memory.text : item.chunk.text;
}

/** The turns whose words are cited, or stand in the chunk. */
function citedTurns(item: FoundItem, turns: readonly CollectionDocument[]): readonly string[] {
	const flat = (text: string) => text.replaceAll(/\s+/g, " ").trim();
	if (item.kind === "chunk") return turns.filter(({ text }) => flat(item.chunk.text).includes(flat(text))).map(({ id }) => id);
	return item.memory.evidence.flatMap(({ chunk, span: [begin, end] }) => {
		const cited = flat(item.chunks.find(({ id }) => id === chunk)?.text.slice(begin, end) ?? "");
		return cited === "" ? [] : turns.filter(({ text }) => flat(text).includes(cited) || cited.includes(flat(text))).map(({ id }) => id);
	});
}

function show(question: string, wanted: readonly string[], turns: readonly CollectionDocument[], results: readonly FoundItem[]): void {
	const evidence = turns.filter(({ id }) => wanted.includes(id)).map(({ text }) => `  wanted: ${text.slice(0, 160)}`);
	console.error([`- ${question}`, ...evidence.slice(0, 3), ...results.slice(0, 3).map((item) => `  ${item.kind}: ${textOf(item).slice(0, 120)}`)].join("\n"));
}
