/** The words of the index and of a query, in scripts with and without spaces. */

import { describe, expect, test } from "bun:test";
import { indexWords, queryWords } from "cairn-memory/words";

const canFind = (text: string, query: string) => queryWords(query, 64).every((word) => indexWords(text).includes(word));

describe("an exact phrase is found", () => {
	const phrases: readonly [string, string, string][] = [
		["English, stemmed", "She was running through the forests", "run forest"],
		["German", "Die Übergabe der Schlüssel", "schlüssel"],
		["accents or none", "Café crème", "cafe creme"],
		["Chinese", "我们在北京大学学习人工智能", "人工智能"],
		["Japanese", "東京都の天気は晴れです", "天気"],
		["Korean", "서울에서 커피를 마셨다", "커피를"],
		["Thai", "ประเทศไทยมีอากาศร้อน", "อากาศ"],
		["Arabic", "السلام عليكم ورحمة الله", "السلام"],
		["Hebrew", "שלום עולם", "שלום"],
		["Hindi", "नमस्ते दुनिया", "दुनिया"],
		["Russian", "Привет, мир", "мир"],
		["Turkish dotless i", "Işık hızı", "ışık"],
		["Vietnamese without accents", "Tiếng Việt", "tieng viet"],
		["Latin glued to Chinese", "重跑gen-itgc后", "itgc"],
		["Chinese glued to Latin", "重跑gen-itgc后", "重跑"],
		["one character", "京都", "京"],
		["full width", "ＡＢＣ１２３", "abc123"],
	];
	for (const [name, text, query] of phrases) test(name, () => expect(canFind(text, query)).toBe(true));
});

test("stop words are left out unless there is nothing else", () => {
	expect(queryWords("what is the answer", 64)).toEqual(["answer"]);
	expect(queryWords("to be or not to be", 64)).toEqual(["to", "be", "or", "not"]);
});

test("a query has a bound, and nothing gives nothing", () => {
	expect(queryWords("a1 b2 c3 d4", 2)).toHaveLength(2);
	expect(queryWords(" \u0000?!", 64)).toEqual([]);
	expect(indexWords("")).toEqual([]);
});

test("a megabyte on one line is done in a moment", () => {
	expect(indexWords("x".repeat(1_000_000))[0]).toHaveLength(64);
	indexWords("漢".repeat(1_000_000));
});
