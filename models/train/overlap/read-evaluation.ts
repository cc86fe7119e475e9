/** Every text of retrieval collections in BEIR form below some folders, and the columns of tables beside them. */

import { readLines } from "../data/read-lines.ts";

/** `qrels.tsv` holds names and grades, no text. */
const judgements = /(^|\/)qrels[^/]*\.tsv$/;

export async function* readEvaluation(folders: readonly string[]): AsyncGenerator<string> {
	for (const folder of folders) {
		let files = 0;
		for await (const file of new Bun.Glob("**/*.{jsonl,tsv}").scan({ cwd: folder })) {
			if (judgements.test(file)) continue;
			files++;
			for await (const line of readLines(`${folder}/${file}`)) yield* file.endsWith(".tsv") ? line.split("\t") : textsOf(line);
		}
		if (files === 0) throw new Error(`there is nothing to compare with in ${folder}`);
	}
}

function textsOf(line: string): readonly string[] {
	const row: unknown = JSON.parse(line);
	if (typeof row !== "object" || row === null) return [];
	return Object.entries(row).flatMap(([key, value]) => (["title", "text"].includes(key) && typeof value === "string" && value !== "" ? [value] : []));
}
