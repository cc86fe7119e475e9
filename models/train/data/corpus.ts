/** The training data as numbers of words, on the disk and back: reading the text anew would take as long as all the rest. */

import { mkdir } from "node:fs/promises";

/** Text `i` has the words from `starts[i]` up to `starts[i + 1]`. Of pairs, text `2i` is answered by text `2i + 1`. */
export interface TextList {
	readonly numbers: Uint32Array;
	readonly starts: Uint32Array;
}

export interface SourceTexts {
	readonly name: string;
	readonly kind: "pairs" | "raw";
	readonly texts: TextList;
}

export interface Corpus {
	readonly words: readonly string[];
	readonly sources: readonly SourceTexts[];
}

export function textAt({ numbers, starts }: TextList, at: number): Uint32Array {
	return numbers.subarray(starts[at] ?? 0, starts[at + 1] ?? 0);
}

export function textsIn({ starts }: TextList): number {
	return starts.length - 1;
}

export async function saveSource(folder: string, { name, kind, texts }: SourceTexts): Promise<void> {
	await mkdir(folder, { recursive: true });
	await Bun.write(`${folder}/${name}.${kind}.numbers`, texts.numbers);
	await Bun.write(`${folder}/${name}.${kind}.starts`, texts.starts);
}

export async function saveWords(folder: string, words: readonly string[]): Promise<void> {
	await Bun.write(`${folder}/words.json`, JSON.stringify(words));
}

export async function loadCorpus(folder: string): Promise<Corpus> {
	const names = (await Array.fromAsync(new Bun.Glob("*.numbers").scan({ cwd: folder }))).sort();
	const sources: SourceTexts[] = [];
	for (const file of names) {
		const [name = "", kind = ""] = file.split(".");
		const load = async (part: string): Promise<Uint32Array> => new Uint32Array(await Bun.file(`${folder}/${name}.${kind}.${part}`).arrayBuffer());
		sources.push({ name, kind: kind === "raw" ? "raw" : "pairs", texts: { numbers: await load("numbers"), starts: await load("starts") } });
	}
	return { words: await Bun.file(`${folder}/words.json`).json(), sources };
}
