/** What a word index promises in each language: as it is written, bent as the language bends it, and mistyped. */

import { limits } from "cairn-memory";
import { type SpelledTerm, wholeOrganisation } from "cairn-memory/stores";
import { gramShare, gramsOf, indexWords, meantMax, queryGramsOf, queryTermsOf, readWords } from "cairn-memory/words";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { addPublished, everything, type Ground, type OpenStorage, plenty, saveMemory, storageTest } from "./ground.ts";
import { languageSamples } from "./language-samples.ts";

export function languageContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `languages: ${name}`, holds);
	return [
		contractTest("a phrase is found in each language", (ground) => foundFirst(ground, ({ phrase }) => phrase)),
		contractTest("a word is found in another form where its language has a stemmer", (ground) => foundFirst(ground, ({ inflected }) => inflected)),
		contractTest("a mistyped word is taken for what was meant", (ground) => foundFirst(ground, ({ mistyped }) => mistyped)),
		contractTest("memories are found alike", memoriesAlike),
		contractTest("a word without its accents is found", withoutAccents),
		contractTest("a part of a compound is found, and number for number", compounds),
		contractTest("of many unknown words only the first are taken for others", fewMeant),
		contractTest("scores with spellings lie between 0 and 1 and never rise", scoresInRange),
		contractTest("every score is what BM25 says of words and grams", exactScores),
		contractTest("a word with an emphasis of two counts twice", repeatedTwice),
		contractTest("a text that holds every word once scores as plain words do", allWordsOnce),
		contractTest("the better spelled of two texts comes first", betterSpelled),
		contractTest("what was added counts little, and nothing of the full score", added),
		contractTest("what is removed no longer counts for grams", removedUncounted),
	];
}

type Asked = (sample: (typeof languageSamples)[number]) => string | null;

async function foundFirst(ground: Ground, asked: Asked): Promise<void> {
	const { chunks } = await addPublished(
		ground,
		languageSamples.map(({ text }) => text),
	);
	for (const [i, sample] of languageSamples.entries()) {
		const query = asked(sample);
		if (query !== null) demandEqual((await find(ground, query))[0]?.id, chunks[i]?.id, `the best hit for ${query} in ${sample.language}`);
	}
}

async function find({ tenant }: Ground, query: string) {
	return (await tenant.words.matchChunks(queryTermsOf(query, limits.queryWordsMax), wholeOrganisation, plenty)).hits;
}

async function memoriesAlike(ground: Ground): Promise<void> {
	const memories = [];
	for (const { text } of languageSamples) memories.push(await saveMemory(ground, { text }));
	for (const [i, sample] of languageSamples.entries()) {
		for (const query of [sample.phrase, sample.inflected, sample.mistyped]) {
			if (query === null) continue;
			const [hit] = (await ground.tenant.words.matchMemories(queryTermsOf(query, limits.queryWordsMax), everything, plenty)).hits;
			demandEqual(hit?.id, memories[i]?.id, `the best memory for ${query} in ${sample.language}`);
		}
	}
}

async function withoutAccents(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(ground, [
		"La reine a été aimée par le peuple et les poètes",
		"Der König wurde von den Dichtern verehrt und nicht vergessen",
	]);
	const cases = ["aimee", "poetes", "Konig", "Dichter"] as const;
	for (const [i, query] of cases.entries())
		demandEqual(
			(await find(ground, query)).map(({ id }) => id),
			[chunks[i < 2 ? 0 : 1]?.id],
			`the hits for ${query}`,
		);
}

async function compounds(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(ground, ["Das Donaudampfschiff fährt ab Linz", "Invoice 2026 of the shipyard"]);
	demandEqual(
		(await find(ground, "Dampfschiff")).map(({ id }) => id),
		[chunks[0]?.id],
		"the hits for a part of a compound",
	);
	demandEqual(
		(await find(ground, "ship yard 2027")).map(({ id }) => id),
		[],
		"the hits for another number and two short parts",
	);
}

async function fewMeant(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(ground, ["the harbour", "a lamp in the rain"]);
	const unknown = Array.from({ length: meantMax }, (_, i) => `q${"z".repeat(i + 4)}`);
	demandEqual(
		(await find(ground, ["harbuor", ...unknown].join(" "))).map(({ id }) => id),
		[chunks[0]?.id],
		"the hits for a mistyped word before many unknown ones",
	);
	demandEqual(await find(ground, [...unknown, "harbuor"].join(" ")), [], "the hits for a mistyped word after many unknown ones");
}

async function scoresInRange(ground: Ground): Promise<void> {
	await addPublished(
		ground,
		languageSamples.map(({ text }) => text),
	);
	await addPublished(ground, ["harbour ".repeat(200), "harbour"]);
	for (const query of ["harbour", "harbours", "harbuor", ...languageSamples.map(({ text }) => text)]) {
		const scores = (await find(ground, query)).map(({ score }) => score);
		demand(scores.length > 0, `nothing was found for ${query}`);
		demand(
			scores.every((score, i) => score > 0 && score <= (scores[i - 1] ?? 1)),
			`the scores for ${query} are ${scores.join(" ")}`,
		);
	}
}

/** BM25 of one list of units for each text, straight from the book with so much added to each length, as a share of what could be reached. */
function bookScores(texts: readonly (readonly string[])[], query: readonly string[], added: number): readonly number[] {
	const [k1, b] = [0.9, 0.75];
	const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
	const weights = query.map((unit) => {
		const holders = texts.filter((units) => units.includes(unit)).length;
		return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
	});
	const greatest = weights.reduce((sum, weight) => sum + weight, 0);
	return texts.map((units) => {
		const parts = query.map((unit, i) => {
			const count = units.filter((other) => other === unit).length;
			return ((weights[i] ?? 0) * count) / (count + k1 * (1 - b + (b * (units.length + added)) / (average + added)));
		});
		return parts.reduce((sum, part) => sum + part, 0) / greatest;
	});
}

/** English words that every text has in one form or another. */
async function exactScores(ground: Ground): Promise<void> {
	const { samples, tenant } = ground;
	const vocabulary = ["harbour", "harbours", "harboured", "lamp", "lamps", "keeper", "keeping", "the", "ox", "2026"];
	const texts = Array.from({ length: 40 }, () => Array.from({ length: 2 + Math.floor(samples.random() ** 2 * 40) }, () => samples.pick(vocabulary)).join(" "));
	const chunks = [];
	for (let start = 0; start < texts.length; start += 8) chunks.push(...(await addPublished(ground, texts.slice(start, start + 8))).chunks);
	for (const query of ["harbour", "lamps keeper", "the ox in 2026 harboured", "keeping lamps"]) {
		const queryTerms = queryTermsOf(query, limits.queryWordsMax);
		const words = bookScores(
			texts.map((text) => indexWords(text)),
			queryTerms.map(({ word }) => word),
			20,
		);
		const grams = bookScores(
			texts.map((text) => readWords(text).spelled.flatMap(gramsOf)),
			queryGramsOf(queryTerms).map(({ gram }) => gram),
			100,
		);
		const wanted = words.map((score, i) => (score === 0 ? 0 : (score + gramShare * (grams[i] ?? 0)) / (1 + gramShare)));
		const hits = new Map((await tenant.words.matchChunks(queryTerms, wholeOrganisation, plenty)).hits.map(({ id, score }) => [id, score]));
		demandEqual(hits.size, wanted.filter((score) => score > 0).length, `how many texts are found for ${query}`);
		for (const [i, { id }] of chunks.entries()) {
			const score = hits.get(id) ?? 0;
			demand(Math.abs(score - (wanted[i] ?? 0)) < 1e-9, `for ${query} the score of text ${i} is ${score} instead of ${wanted[i]}`);
		}
	}
}

/** Also where no text has it and it is taken for another. */
async function repeatedTwice(ground: Ground): Promise<void> {
	const texts = ["the harbour", "a lamp in the rain", "a lamp above the harbour harbour", "the keeper of the harbours"];
	const { chunks } = await addPublished(ground, texts);
	const once = { word: "lamp", spelled: "lamp" };
	const search = async (words: readonly SpelledTerm[]) => (await ground.tenant.words.matchChunks(words, wholeOrganisation, plenty)).hits;
	for (const spelled of ["harbour", "harbuor"]) {
		const [before, after] = [await search([once, { word: spelled, spelled }]), await search([once, { word: spelled, spelled, emphasis: 2 }])];
		const rises = (chunk: number) => {
			const [plain = 0, emphasised = 0] = [before, after].map((hits) => hits.find(({ id }) => id === chunks[chunk]?.id)?.score ?? 0);
			return Math.sign(emphasised - plain);
		};
		demandEqual([0, 1, 2, 3].map(rises).toSpliced(2, 1), [1, -1, 1], `which texts score more where ${spelled} counts twice`);
		const scores = after.map(({ score }) => score);
		demand(
			scores.every((score) => score > 0 && score <= 1),
			`the scores are ${scores.join(" ")}`,
		);
	}
}

/** The scale of the port: about 0.53 for every word once in a text of common length. */
async function allWordsOnce(ground: Ground): Promise<void> {
	const texts = ["amber canyon delta ember", "falcon garnet harbor indigo", "juniper kestrel lagoon marble", "nectar obsidian pepper quartz"];
	const { chunks } = await addPublished(ground, texts);
	const [hit] = await find(ground, texts[2] ?? "");
	demandEqual(hit?.id, chunks[2]?.id, "the text that is the query");
	demand(hit !== undefined && Math.abs(hit.score - 1 / 1.9) < 0.05, `a text of common length that is the query scores ${hit?.score}`);
}

async function betterSpelled(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(ground, ["the organ of the organisms", "the organ of the organist", "a lamp in the rain"]);
	demandEqual((await find(ground, "organ organists"))[0]?.id, chunks[1]?.id, "the best hit for two words of one stem");
}

async function added(ground: Ground): Promise<void> {
	const { chunks } = await addPublished(ground, ["the physician came", "the doctor came", "a lamp in the rain"]);
	const own = queryTermsOf("doctor", limits.queryWordsMax);
	const wider = [...own, { word: "physician", spelled: "physician", weight: 0.2 }];
	const search = async (words: readonly SpelledTerm[]) => (await ground.tenant.words.matchChunks(words, wholeOrganisation, plenty)).hits;
	const [plain, wide] = [await search(own), await search(wider)];
	demandEqual(
		wide.map(({ id }) => id),
		[chunks[1]?.id, chunks[0]?.id],
		"the hits for a word and one that was added",
	);
	demandEqual(wide[0]?.score, plain[0]?.score, "the score of the text with the client's word");
	demand((wide[1]?.score ?? 1) < (wide[0]?.score ?? 0) / 3, `what was added scores ${wide[1]?.score}`);
}

async function removedUncounted(ground: Ground): Promise<void> {
	const kept = await addPublished(ground, ["amber canyons", "delta embers"]);
	const before = await find(ground, "canyon ember");
	const gone = await addPublished(ground, ["amber canyonland", "embers and canyons of the delta"]);
	await ground.tenant.documents.remove(gone.document.id, ground.samples.nextTime());
	const after = await find(ground, "canyon ember");
	demandEqual(after.map(({ id }) => id).sort(), kept.chunks.map(({ id }) => id).sort(), "who is left");
	const scores = new Map(before.map(({ id, score }) => [id, score]));
	for (const { id, score } of after) demand(Math.abs(score - (scores.get(id) ?? 0)) < 1e-9, `a score of ${scores.get(id)} has become ${score}`);
}
