/** Finds common topics of several short texts: words, by the number of texts that contain them. */

import { indexWords, isStopWord, normalize } from "./words.ts";

export interface Topic {
	/** In its most frequent spelling. */
	readonly word: string;
	/** How many texts contain it. */
	readonly texts: number;
	/** Words that are mostly in the same texts, the closest first. */
	readonly companions: readonly string[];
}

/** Stems of words that are in texts about any subject. */
const empty = new Set(
	"user thing also one two three new old since get got make made use used using like day week month year today yesterday tomorrow time people person really much many lot well good great first last next every most say said go went gone want know knew see saw seen way something someone anything everything may might must shall still yet ever never always often sometimes however therefore yes okay please thank document file page text untitled note live work love prefer become became call keep kept need help find found tell told ask think thought come came take took give gave show feel felt try start look move moved buy bought eat ate put set let run ran"
		.split(" ")
		.flatMap(indexWords),
);
const alphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });
/** Only the beginning of a text is read. A title and a summary fit. */
const textCharactersMax = 2_000;
const companionsMax = 3;
/** Two words that share fewer texts may do so by chance. */
const meetingsMin = 2;

interface Seen {
	readonly texts: Set<number>;
	readonly spellings: Map<string, number>;
}

/** The words in at least two texts, the most frequent first. */
export function topicsOf(texts: readonly string[], topicsMax: number): readonly Topic[] {
	const words = new Map<string, Seen>();
	for (const [i, text] of texts.entries()) {
		for (const { segment, isWordLike } of segmenter.segment(text.slice(0, textCharactersMax))) {
			const stem = isWordLike === true ? stemOf(segment) : null;
			if (stem !== null) note(stem, segment, i, words);
		}
	}
	const recurring = [...words]
		.filter(([, { texts: holders }]) => holders.size >= 2)
		.sort(([a, { texts: x }], [b, { texts: y }]) => y.size - x.size || (a < b ? -1 : 1));
	return recurring
		.slice(0, topicsMax)
		.map(([stem, seen]) => ({ word: spellingOf(seen), texts: seen.texts.size, companions: companionsOf(stem, seen, recurring) }));
}

/** Null for numbers, for words that are about any subject, and for words of two letters in alphabetic scripts. */
function stemOf(word: string): string | null {
	const plain = normalize(word);
	if (!/\p{L}/u.test(plain) || isStopWord(plain) || (plain.length < 3 && alphabetic.test(plain))) return null;
	const stems = indexWords(plain);
	const stem = stems.length === 1 ? (stems[0] ?? plain) : plain;
	return empty.has(stem) ? null : stem;
}

/** Counts a word by its stem. */
function note(stem: string, spelling: string, text: number, words: Map<string, Seen>): void {
	const seen = words.get(stem) ?? { texts: new Set<number>(), spellings: new Map<string, number>() };
	seen.texts.add(text);
	seen.spellings.set(spelling, (seen.spellings.get(spelling) ?? 0) + 1);
	words.set(stem, seen);
}

function spellingOf({ spellings }: Seen): string {
	return [...spellings].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

function companionsOf(stem: string, { texts }: Seen, recurring: readonly (readonly [string, Seen])[]): readonly string[] {
	return recurring
		.flatMap(([other, seen]) => (other === stem ? [] : [{ seen, meetings: [...seen.texts].filter((text) => texts.has(text)).length }]))
		.filter(({ seen, meetings }) => meetings >= meetingsMin && meetings * 2 >= seen.texts.size)
		.sort((a, b) => b.meetings / b.seen.texts.size - a.meetings / a.seen.texts.size || b.meetings - a.meetings)
		.slice(0, companionsMax)
		.map(({ seen }) => spellingOf(seen));
}
