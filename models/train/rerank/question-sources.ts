/** Which training pairs become questions for a reranker, and how. */

export interface QuestionSource {
	readonly name: string;
	/** The file of pairs. */
	readonly file: string;
	readonly questionsMax: number;
	/** Shorter questions do not say what they ask for. */
	readonly wordsMin: number;
	/** So many texts in a row are searched together, like the turns of a conversation. */
	readonly groupTexts?: number;
	/** A sentence of the answer asks for the rest of it. */
	readonly make?: "sentence";
	readonly textsMax?: number;
}

export const questionSources: readonly QuestionSource[] = [
	{ name: "squad-dev", file: "squad-dev", questionsMax: 20_000, wordsMin: 4 },
	{ name: "qamr", file: "qamr", questionsMax: 14_000, wordsMin: 6 },
	{ name: "msc", file: "msc", questionsMax: 14_000, wordsMin: 3, groupTexts: 60 },
	{ name: "fairytale", file: "fairytale", questionsMax: 8_000, wordsMin: 5 },
	{ name: "medquad", file: "medquad", questionsMax: 6_000, wordsMin: 4 },
	{ name: "qmsum", file: "qmsum", questionsMax: 8_000, wordsMin: 4, groupTexts: 100 },
	{ name: "wiki-sentence", file: "wiki-a", questionsMax: 12_000, wordsMin: 6, make: "sentence", textsMax: 16_000 },
	{ name: "wiki-heading", file: "wiki-b", questionsMax: 8_000, wordsMin: 2, textsMax: 20_000 },
	{ name: "crd3", file: "crd3", questionsMax: 4_000, wordsMin: 5, groupTexts: 60 },
	{ name: "dstc9-faq", file: "dstc9-faq", questionsMax: 3_000, wordsMin: 4 },
	{ name: "digitalgov", file: "docs-digitalgov", questionsMax: 3_000, wordsMin: 3 },
	{ name: "powershell", file: "docs-powershell", questionsMax: 3_000, wordsMin: 3 },
];
