/** A retrieval collection in BEIR form: what is searched, what is asked, and what answers it. */

export interface Row {
	readonly id: string;
	readonly text: string;
	/** Asked and searched inside its group alone; empty where there are none. */
	readonly group: string;
}

export interface Collection {
	readonly name: string;
	readonly corpus: readonly Row[];
	/** Only those that have an answer. */
	readonly queries: readonly Row[];
	/** For each query the grades of the texts that answer it. */
	readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** @param afterTitle stands between a title and its text. */
export async function readCollection(folder: string, afterTitle = " "): Promise<Collection> {
	const relevant = new Map<string, Map<string, number>>();
	for (const line of (await Bun.file(`${folder}/qrels.tsv`).text()).split("\n").slice(1)) {
		const [query = "", document = "", grade = "1"] = line.split("\t");
		if (document === "" || Number(grade) <= 0) continue;
		relevant.set(query, (relevant.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
	}
	const corpus = await readRows(`${folder}/corpus.jsonl`, afterTitle);
	const queries = (await readRows(`${folder}/queries.jsonl`, afterTitle)).filter(({ id }) => relevant.has(id));
	return { name: folder.replace(/\/+$/, "").replace(/^.*\//, ""), corpus, queries, relevant };
}

interface Written {
	readonly _id: string;
	readonly title?: string;
	readonly text: string;
	readonly group?: string;
}

async function readRows(path: string, afterTitle: string): Promise<readonly Row[]> {
	const rows: Written[] = (await Bun.file(path).text())
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
	return rows.map(({ _id, title = "", text, group = "" }) => ({ id: _id, text: `${title}${afterTitle}${text}`.trim(), group }));
}
