/** Every number the training depends on. What the shipped model was made with stands in its card. */

export interface Settings {
	readonly name: string;
	readonly seed: number;
	/** Words with a row of their own, the most frequent ones. */
	readonly words: number;
	/** Rows shared by all other words. */
	readonly buckets: number;
	/** A multiple of four. */
	readonly dimensions: number;
	/** Words on each side that are neighbours, counted without those that were thinned out. */
	readonly window: number;
	/** A word above this share of the text is thinned out among neighbours, see word2vec. */
	readonly thinAbove: number;
	/** Pairs of neighbours met less often are left out. */
	readonly neighboursMin: number;
	/** 1 takes a frequent neighbour as it is, less takes it for rarer than it is. */
	readonly smoothing: number;
	/** How much the first axes stand out: 1 as in the matrix, 0 all alike. */
	readonly spectrum: number;
	/** `a` in a / (a + p), the weight of a word with the share p of all words (Arora et al. 2017). */
	readonly rarity: number;
	readonly steps: number;
	/** Pairs in a step; a multiple of four. */
	readonly batch: number;
	/** Sources that a step draws from. */
	readonly parts: number;
	readonly temperature: number;
	readonly rate: number;
	readonly weightRate: number;
	/** The share of the words common to both sides of a pair that one side loses in a step. */
	readonly sharedDropped: number;
	/** Words after which a text is cut in training. */
	readonly textWordsMax: number;
	/** How often a source is drawn from; what is not named here is left to `otherSources`. */
	readonly sources: Readonly<Record<string, number>>;
	readonly otherSources: number;
}

export const defaultSettings: Settings = {
	name: "static-en-1",
	seed: 1,
	words: 30_720,
	buckets: 6_144,
	dimensions: 256,
	window: 8,
	thinAbove: 1e-4,
	neighboursMin: 3,
	smoothing: 0.75,
	spectrum: 0.5,
	rarity: 1e-3,
	steps: 4_000,
	batch: 512,
	parts: 1,
	temperature: 0.05,
	rate: 0.03,
	weightRate: 0.03,
	sharedDropped: 0.3,
	textWordsMax: 200,
	sources: {
		"wiki-a": 4,
		"wiki-b": 4,
		wordnet: 2.5,
		wordset: 1.5,
		ppdb: 0.7,
		"squad-dev": 1,
		"selqa-dev": 0.02,
		qamr: 1,
		medquad: 0.7,
		fairytale: 0.4,
		opentrivia: 0.4,
		"dstc9-faq": 0.5,
		msc: 2.5,
		"msc-dialog": 0.3,
		qmsum: 1,
		clinc: 0.7,
		"topical-chat": 0.4,
		crd3: 0.2,
		sgd: 0.2,
		tldr: 0.3,
		factbook: 0.2,
		"docs-powershell": 0.3,
		"docs-digitalgov": 0.3,
		"docs-electron": 0.2,
		"docs-18f": 0.2,
	},
	otherSources: 0.08,
};

/** `steps=4000`, or `sources.wordnet=2` for the weight of one source. */
export function withChanges(settings: Settings, changes: readonly string[]): Settings {
	let changed = settings;
	for (const change of changes) changed = withChange(changed, change);
	return changed;
}

function withChange(settings: Settings, change: string): Settings {
	const [key = "", value = ""] = change.split("=");
	const number = Number(value);
	if (value === "" || Number.isNaN(number)) throw new Error(`${change}: say KEY=NUMBER`);
	if (key.startsWith("sources.")) return { ...settings, sources: { ...settings.sources, [key.slice("sources.".length)]: number } };
	if (!(key in settings) || key === "sources" || key === "name") throw new Error(`there is no setting ${key}`);
	return { ...settings, [key]: number };
}
