/** What the word search of a storage promises: every script is found, the better match first, and a score that means the same for every query. */

import { limits } from "cairn-memory";
import { type ChunkHit, wholeOrganisation } from "cairn-memory/stores";
import { indexWords, queryWords } from "cairn-memory/words";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	chunksByWords,
	everything,
	type Ground,
	idsOf,
	memoriesByWords,
	type OpenStorage,
	plenty,
	saveMemory,
	storageTest,
} from "./ground.ts";

export function wordSearchLaws(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `words: ${name}`, holds);
	return [
		contractTest("a phrase is found in every script", everyScript),
		contractTest("words of two characters are found where no spaces are written, and Latin glued to them", unspacedWords),
		contractTest("what is indexed is the indexed text", indexedTextOnly),
		contractTest("a hit names its document and position", hitsNamePlace),
		contractTest("the better match comes first", betterFirst),
		contractTest("scores lie between 0 and 1 and never rise", scoresInRange),
		contractTest("the score of one word is what BM25 says", exactScore),
		contractTest("every score is what BM25 says of the organisation's texts", exactScores),
		contractTest("what is removed no longer counts", removedUncounted),
		contractTest("a rare word weighs more than a common one", rareWeighsMore),
		contractTest("a short text that holds every word once scores at least 0.3, however few texts there are", shortTextScores),
		contractTest("an answer is as long as the limit, never longer", limitHolds),
		contractTest("odd queries find nothing and throw nothing", oddQueries),
		contractTest("memories are found by the same words", memoriesAlike),
		contractTest("it is told when all is read", toldWhenRead),
	];
}

/** A text, and a phrase that stands in it word by word. */
const scripts: readonly (readonly [string, string, string])[] = [
	["Chinese", "我们的合同将于明年三月到期，请提前续签。", "合同将于明年三月到期"],
	["Japanese", "来週の会議は大阪の本社で開催されます。", "会議は大阪の本社"],
	["Korean", "서울 사무소는 내년에 부산으로 이전합니다.", "내년에 부산으로"],
	["Thai", "สัญญาจะหมดอายุในเดือนมีนาคมปีหน้า", "หมดอายุในเดือนมีนาคม"],
	["Arabic", "سينتهي العقد في شهر مارس من العام المقبل", "العقد في شهر مارس"],
	["Hebrew", "החוזה יסתיים בחודש מרץ של השנה הבאה", "בחודש מרץ"],
	["Hindi", "अनुबंध अगले वर्ष मार्च में समाप्त होगा", "अगले वर्ष मार्च"],
	["Russian", "Договор истекает в марте следующего года", "истекает в марте"],
	["Turkish", "Sözleşme İstanbul'da ışıklı salonda imzalandı", "İstanbul'da ışıklı"],
	["Greek", "Η σύμβαση λήγει τον Μάρτιο", "λήγει τον Μάρτιο"],
	["German", "Der Vertrag läuft über die Straße der Übergabe", "Straße der Übergabe"],
	["English", "The contract expires in March next year", "contract expires in march"],
];

async function everyScript(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(
		ground,
		scripts.map(([, text]) => text),
	);
	for (const [i, [script, , phrase]] of scripts.entries()) {
		demandEqual((await chunksByWords(ground.tenant, phrase))[0], chunks[i]?.id, `the best hit for a phrase in ${script}`);
	}
}

async function unspacedWords(ground: Ground): Promise<void> {
	const texts = ["重跑gen-itgc后请检查报告", "东京的天气很好", "大阪城公園は広い", "부산항 야경", "the lighthouse keeper"];
	const { chunks } = await addPublished(ground, texts);
	const cases = ["gen-itgc", "itgc", "重跑", "检查", "东京", "天气", "公園", "야경"] as const;
	const holders = [0, 0, 0, 0, 1, 1, 2, 3] as const;
	for (const [i, word] of cases.entries()) demandEqual(await chunksByWords(ground.tenant, word), [chunks[holders[i] ?? 0]?.id], `the hits for ${word}`);
	demandEqual(await chunksByWords(ground.tenant, "京东"), [], "the hits for two characters that stand the other way round");
}

async function indexedTextOnly(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const chunk = samples.makeChunk(document, { text: "shown lighthouse", indexedText: "heading lighthouse" });
	await tenant.documents.stage(document.id, 1, sampleSpace, [{ chunk, vector: samples.makeVector() }]);
	await tenant.documents.publish(document.id, 1, samples.nextTime());
	demandEqual(await chunksByWords(tenant, "heading"), [chunk.id], "the hits for a word of the indexed text");
	demandEqual(await chunksByWords(tenant, "shown"), [], "the hits for a word of the shown text alone");
	const memory = await saveMemory(ground, { text: "shown harbour", indexedText: "speaker harbour" });
	demandEqual(await memoriesByWords(tenant, "speaker"), [memory.id], "the memories for a word of the indexed text");
	demandEqual(await memoriesByWords(tenant, "shown"), [], "the memories for a word of the shown text alone");
}

async function match({ tenant }: Ground, phrase: string, limit = plenty): Promise<readonly ChunkHit[]> {
	return (await tenant.words.matchChunks(queryWords(phrase, limits.queryWordsMax), wholeOrganisation, limit)).hits;
}

async function hitsNamePlace(ground: Ground): Promise<void> {
	const { document, chunks } = await addPublished(ground, ["a quiet harbour", "the lighthouse keeper"]);
	const [hit] = await match(ground, "lighthouse");
	demandEqual(hit === undefined ? null : [hit.id, hit.document, hit.position], [chunks[1]?.id, document.id, 1], "a hit");
}

async function betterFirst(ground: Ground): Promise<void> {
	const texts = ["the harbour master", "the harbour lighthouse keeper", "the lighthouse keeper of the harbour reads lighthouse logs", "a lamp"];
	const { chunks } = await addPublished(ground, texts);
	const found = await chunksByWords(ground.tenant, "lighthouse keeper");
	demandEqual(found.toSorted(), [chunks[1]?.id, chunks[2]?.id].toSorted(), "the texts that hold a word of the query");
	const byAll = await chunksByWords(ground.tenant, "harbour lighthouse keeper");
	demandEqual(byAll.at(-1), chunks[0]?.id, "the text that holds one word of three");
	demandEqual((await chunksByWords(ground.tenant, "harbour"))[0], chunks[0]?.id, "the shortest text that holds a word");
}

async function scoresInRange(ground: Ground): Promise<void> {
	const words = ["harbour", "lighthouse", "keeper", "lamp", "ferry", "灯塔", "港口"];
	const texts = Array.from({ length: 40 }, () =>
		Array.from({ length: 1 + Math.floor(ground.samples.random() * 12) }, () => ground.samples.pick(words)).join(" "),
	);
	await addPublished(ground, [...texts, "harbour ".repeat(200), "lighthouse"]);
	for (const query of ["harbour", "lighthouse keeper", "harbour harbour", "ferry lamp unheard-of", "灯塔", words.join(" ")]) {
		const scores = (await match(ground, query)).map(({ score }) => score);
		demand(scores.length > 0, `nothing was found for ${query}`);
		demand(
			scores.every((score) => score > 0 && score <= 1),
			`a score for ${query} is not between 0 and 1: ${scores.join(" ")}`,
		);
		demand(
			scores.every((score, i) => score <= (scores[i - 1] ?? 1)),
			`the scores for ${query} rise: ${scores.join(" ")}`,
		);
	}
}

/** The score of the port for each text, straight from the book. */
function scoresByTheBook(texts: readonly string[], query: readonly string[]): readonly number[] {
	const [k1, b, added] = [0.9, 0.75, 20];
	const all = texts.map(indexWords);
	const average = all.reduce((sum, { length }) => sum + length, 0) / all.length;
	const weights = query.map((word) => {
		const holders = all.filter((words) => words.includes(word)).length;
		return Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5));
	});
	const greatest = weights.reduce((sum, weight) => sum + weight, 0);
	return all.map((words) => {
		const parts = query.map((word, i) => {
			const count = words.filter((other) => other === word).length;
			return ((weights[i] ?? 0) * count) / (count + k1 * (1 - b + (b * (words.length + added)) / (average + added)));
		});
		return parts.reduce((sum, part) => sum + part, 0) / greatest;
	});
}

function demandScores(hits: readonly { readonly id: string; readonly score: number }[], ids: readonly string[], wanted: readonly number[], when: string): void {
	demandEqual(hits.length, wanted.filter((score) => score > 0).length, `how many texts hold a word ${when}`);
	const scores = new Map(hits.map(({ id, score }) => [id, score]));
	for (const [i, id] of ids.entries()) {
		const score = scores.get(id) ?? 0;
		demand(Math.abs(score - (wanted[i] ?? 0)) < 1e-9, `${when} the score of text ${i} is ${score} instead of ${wanted[i]}`);
	}
}

/** Random texts of random words, long ones and such as say one word many times. */
async function exactScores(ground: Ground): Promise<void> {
	const { samples, tenant } = ground;
	const vocabulary = ["ada", "bolt", "cedar", "dune", "elm", "灯塔", "港口", "маяк"];
	const randomText = () => Array.from({ length: 1 + Math.floor(samples.random() ** 3 * 60) }, () => samples.pick(vocabulary)).join(" ");
	const texts = [...Array.from({ length: 30 }, randomText), "elm ".repeat(300)];
	const chunks = [];
	for (let start = 0; start < texts.length; start += 8) chunks.push(...(await addPublished(ground, texts.slice(start, start + 8))).chunks);
	const memories = [];
	for (const text of texts) memories.push(await saveMemory(ground, { text }));
	for (const query of [["ada"], ["ada", "bolt", "unheard"], ["灯塔", "elm", "маяк"], ["dune", "cedar", "elm", "ada", "bolt"]]) {
		const wanted = scoresByTheBook(texts, query);
		demandScores((await tenant.words.matchChunks(query, wholeOrganisation, plenty)).hits, idsOf(chunks), wanted, `among chunks, for ${query.join(" ")}`);
		demandScores((await tenant.words.matchMemories(query, everything, plenty)).hits, idsOf(memories), wanted, `among memories, for ${query.join(" ")}`);
	}
}

async function removedUncounted(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const kept = await addPublished(ground, ["ada bolt", "cedar dune"]);
	const gone = await addPublished(ground, ["ada bolt bolt", "ada ada cedar"]);
	const match = async () => (await tenant.words.matchChunks(["ada", "cedar"], wholeOrganisation, plenty)).hits;
	demandEqual((await match()).length, 4, "how many texts hold a word");
	await tenant.documents.remove(gone.document.id, samples.nextTime());
	demandScores(await match(), idsOf(kept.chunks), scoresByTheBook(["ada bolt", "cedar dune"], ["ada", "cedar"]), "after a removal");
	const { chunks } = await addPublished(ground, ["ada elm elm"]);
	const texts = ["ada bolt", "cedar dune", "ada elm elm"];
	demandScores(await match(), idsOf([...kept.chunks, ...chunks]), scoresByTheBook(texts, ["ada", "cedar"]), "after a removal and an addition");
}

/** With one word the weight cancels out, and what is left is its share by count and length. */
async function exactScore(ground: Ground): Promise<void> {
	const texts = [
		"lighthouse",
		"lighthouse lighthouse harbour",
		"the lighthouse keeper of the harbour",
		`lighthouse ${"harbour ".repeat(60)}`,
		"a lamp in the rain",
	];
	const { chunks } = await addPublished(ground, texts);
	const lengths = texts.map((text) => indexWords(text).length);
	const averageLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
	const scores = new Map((await match(ground, "lighthouse")).map(({ id, score }) => [id, score]));
	for (const [i, text] of texts.entries()) {
		const count = indexWords(text).filter((word) => word === indexWords("lighthouse")[0]).length;
		const wanted = count / (count + 0.9 * (0.25 + (0.75 * ((lengths[i] ?? 0) + 20)) / (averageLength + 20)));
		const id = chunks[i]?.id;
		const score = (id === undefined ? undefined : scores.get(id)) ?? 0;
		demand(Math.abs(score - wanted) < 0.005, `the score of text ${i} is ${score} instead of ${wanted}`);
	}
}

async function rareWeighsMore(ground: Ground): Promise<void> {
	const common = Array.from({ length: 20 }, (_, i) => `harbour log number${i}`);
	const { chunks } = await addPublished(ground, [...common, "lighthouse log number20"]);
	const [best, next] = await match(ground, "harbour lighthouse");
	demandEqual(best?.id, chunks.at(-1)?.id, "the best hit for a rare and a common word");
	demand(best !== undefined && next !== undefined && best.score > next.score * 2, "a rare word does not weigh more than a common one");
}

async function shortTextScores(ground: Ground): Promise<void> {
	await addPublished(ground, ["Ada keeps the lighthouse at Lisbon harbour"]);
	for (const size of [1, 2, 3, 50]) {
		const { total } = await ground.tenant.documents.list(wholeOrganisation, ["queued"], { offset: 0, limit: 1, sort: "createdAt", order: "asc" }, false);
		for (let i = total; i < size; i++) await addPublished(ground, [`Entry ${i} of the log tells of wind and rain`]);
		const [hit] = await match(ground, "Who keeps the lighthouse at Lisbon?");
		demand(hit !== undefined && hit.score >= 0.3, `among ${size} texts the one that holds every word scores ${hit?.score ?? "nothing"}`);
	}
}

async function limitHolds(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(
		ground,
		Array.from({ length: 12 }, (_, i) => `lighthouse ${"harbour ".repeat(i)}`),
	);
	for (const limit of [0, 1, 5, 12]) demandEqual(idsOf(await match(ground, "lighthouse", limit)), idsOf(chunks.slice(0, limit)), `the best ${limit} hits`);
	demandEqual((await match(ground, "lighthouse", 20)).length, 12, "how many hits there are for a limit that is too high");
}

const oddWords = [
	'"',
	"'",
	"*",
	"a*",
	"^a",
	"NEAR",
	"NEAR(a b)",
	"AND",
	"OR NOT",
	"text:a",
	"-",
	"--",
	";",
	"%",
	"_",
	"\\",
	"(",
	"{}",
	"+",
	"🚢",
	"\u0000",
	"",
	" ",
	"\ud800",
	"x".repeat(5_000),
];

async function oddQueries(ground: Ground): Promise<void> {
	await addPublished(ground, ["the lighthouse keeper", '"AND" -- % _ \\ (a) 🚢']);
	await saveMemory(ground, { text: "the lighthouse keeper" });
	for (const odd of oddWords) {
		await ground.tenant.words.matchChunks([odd], wholeOrganisation, plenty);
		await ground.tenant.words.matchMemories([odd], everything, plenty);
		await match(ground, odd);
		demandEqual(
			(await ground.tenant.words.matchChunks([odd, "lighthous"], wholeOrganisation, plenty)).hits.length,
			1,
			`hits for a word beside ${JSON.stringify(odd)}`,
		);
	}
	demandEqual(await ground.tenant.words.matchChunks([], wholeOrganisation, plenty), { hits: [], isWhole: true }, "hits for no words");
	demandEqual(await ground.tenant.words.matchMemories([], everything, plenty), { hits: [], isWhole: true }, "memories for no words");
	demandEqual(await match(ground, "submarine"), [], "hits for a word that is nowhere");
}

async function memoriesAlike(ground: Ground): Promise<void> {
	const memories = [];
	for (const [, text] of scripts) memories.push(await saveMemory(ground, { text }));
	for (const [i, [script, , phrase]] of scripts.entries()) {
		demandEqual((await memoriesByWords(ground.tenant, phrase))[0], memories[i]?.id, `the best memory for a phrase in ${script}`);
	}
	const { hits } = await ground.tenant.words.matchMemories(queryWords("contract", limits.queryWordsMax), everything, plenty);
	demand(hits.length === 1 && hits.every(({ score }) => score > 0 && score <= 1), "a memory's score is not between 0 and 1");
}

/** Longer than the reading of three texts takes anywhere. */
const readInMs = 60_000;

async function toldWhenRead(ground: Ground): Promise<void> {
	const { words } = ground.tenant;
	const chunks = () => words.matchChunks(["walnut"], wholeOrganisation, plenty, readInMs);
	const memories = () => words.matchMemories(["walnut"], everything, plenty, readInMs);
	const none = { hits: [], isWhole: true };
	demandEqual(await chunks(), none, "chunks where there are none and nothing is left to read");
	demandEqual(await memories(), none, "memories where there are none and nothing is left to read");
	await addPublished(ground, ["walnut ferry", "amber quartz"]);
	await saveMemory(ground, { text: "walnut ferry" });
	demandEqual(await chunks(), await words.matchChunks(["walnut"], wholeOrganisation, plenty), "chunks for whoever waits so long");
	demandEqual(await memories(), await words.matchMemories(["walnut"], everything, plenty), "memories for whoever waits so long");
	demandEqual([(await chunks()).hits.length, (await memories()).hits.length], [1, 1], "texts that are read and found");
}
