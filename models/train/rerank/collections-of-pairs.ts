/** Makes retrieval collections of training pairs: one for each source, without any line that shares something with an evaluation. */

import type { Collection, CollectionDocument, Question } from "../../../server/evaluation/collection.ts";
import { encodeText } from "../data/encode-text.ts";
import { createLexicon } from "../data/lexicon.ts";
import { readLines } from "../data/read-lines.ts";
import { fingerprintsOf } from "../overlap/fingerprints-of.ts";
import { createRandom } from "../random.ts";
import { type QuestionSource, questionSources } from "./question-sources.ts";

interface Pair {
	readonly question: string;
	readonly answer: string;
}

export async function* collectionsOfPairs(data: string, evaluations: readonly string[], only: readonly string[]): AsyncGenerator<Collection> {
	const lexicon = createLexicon();
	const evaluation = await fingerprintsOf(evaluations, lexicon);
	const isShared = (text: string): boolean => evaluation.shared(encodeText(text, lexicon)) !== null;
	for (const source of questionSources) {
		if (only.length > 0 && !only.includes(source.name)) continue;
		const pairs: Pair[] = [];
		let dropped = 0;
		for await (const line of readLines(`${data}/pairs/${source.file}.tsv.xz`)) {
			const [question = "", answer = ""] = line.split("\t");
			if (isShared(question) || isShared(answer)) dropped++;
			else pairs.push({ question, answer });
		}
		console.log(`${source.name}: ${pairs.length} pairs, ${dropped} dropped`);
		yield collectionOf(source, source.make === "sentence" ? sentencesOf(pairs, source) : pairs.slice(0, source.textsMax));
	}
}

/** In a source with groups, texts that stand one after another are a conversation. */
function collectionOf({ name, groupTexts, questionsMax, wordsMin }: QuestionSource, pairs: readonly Pair[]): Collection {
	const documents = new Map<string, CollectionDocument>();
	const groupOf = (): string | null => (groupTexts === undefined ? null : `${name}${Math.floor(documents.size / groupTexts)}`);
	const questions = new Map<string, Question>();
	const relevant = new Map<string, Map<string, number>>();
	for (const { question, answer } of pairs) {
		const document = documents.get(answer) ?? { id: `d${documents.size}`, title: "", text: answer, group: groupOf() };
		documents.set(answer, document);
		const key = `${document.group ?? ""}\t${question}`;
		const asked = questions.get(key) ?? { id: `q${questions.size}`, text: question, group: document.group };
		questions.set(key, asked);
		relevant.set(asked.id, (relevant.get(asked.id) ?? new Map<string, number>()).set(document.id, 1));
	}
	const long = [...questions.values()].filter(({ text }) => text.split(" ").length >= wordsMin);
	return { name, documents: [...documents.values()], questions: drawn(long, questionsMax), relevant };
}

/** A sentence of a text asks for the rest of the text. */
function sentencesOf(pairs: readonly Pair[], { textsMax = 0 }: QuestionSource): readonly Pair[] {
	const random = createRandom(1, 0x5e27);
	const long = pairs.map(({ answer }) => answer.split(/(?<=[.!?])\s+/)).filter((sentences) => sentences.length >= 3);
	return drawn(long, textsMax).map((sentences) => {
		const at = Math.floor(random.next() * sentences.length);
		return { question: sentences[at] ?? "", answer: sentences.filter((_, i) => i !== at).join(" ") };
	});
}

/** Some of them, the same each time. */
function drawn<Item>(items: readonly Item[], max: number): readonly Item[] {
	const random = createRandom(1, 0xd2a3);
	const mixed = items.map((item) => ({ item, at: random.next() })).sort((a, b) => a.at - b.at);
	return mixed.slice(0, max).map(({ item }) => item);
}
