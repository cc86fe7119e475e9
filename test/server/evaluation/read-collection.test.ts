import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCollection, readCollection } from "../../../server/evaluation/read-collection.ts";

let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-collection-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, files: Readonly<Record<string, string>>): Promise<string> {
	for (const [file, text] of Object.entries(files)) {
		await mkdir(join(folder, name, file, ".."), { recursive: true });
		await writeFile(join(folder, name, file), text);
	}
	return join(folder, name);
}

const corpus = '{"_id":"d1","title":"One","text":"first"}\n{"_id":"d2","text":"second","group":"g"}\n';
const queries = '{"_id":"q1","text":"which?","group":"g"}\n{"_id":"q2","text":"nobody answers"}\n\n';

test("documents, questions and judgements are read, and what cannot be answered is left out", async () => {
	const path = await written("whole", {
		"corpus.jsonl": corpus,
		"queries.jsonl": queries,
		"qrels.tsv": "query-id\tcorpus-id\tscore\nq1\td2\t2\nq1\td1\t0\nq2\tgone\t1\n",
	});
	const collection = await readCollection(path);
	expect(isCollection(path)).toBe(true);
	expect(collection.name).toBe("whole");
	expect(collection.documents.map(({ id, title, group }) => [id, title, group])).toEqual([
		["d1", "One", null],
		["d2", "", "g"],
	]);
	expect(collection.questions.map(({ id }) => id)).toEqual(["q1"]);
	expect(collection.relevant.get("q1")).toEqual(new Map([["d2", 2]]));
});

test("judgements may lie in a folder of their own", async () => {
	const path = await written("beir", { "corpus.jsonl": corpus, "queries.jsonl": queries, "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td2\t1\n" });
	expect((await readCollection(path)).relevant.get("q1")).toEqual(new Map([["d2", 1]]));
});

test("what is wrong is said with its place", async () => {
	const judged = { "qrels.tsv": "query-id\tcorpus-id\tscore\n" };
	const broken = await written("broken", { ...judged, "corpus.jsonl": '{"_id":"d1","text":"x"}\n{"_id":7}\n', "queries.jsonl": "" });
	const unread = await written("unread", { ...judged, "corpus.jsonl": corpus });
	await expect(readCollection(broken)).rejects.toMatchObject({ code: "INPUT_INVALID", message: expect.stringContaining("corpus.jsonl:2") });
	await expect(readCollection(unread)).rejects.toMatchObject({ code: "INPUT_INVALID", message: expect.stringContaining("queries.jsonl") });
	await expect(readCollection(folder)).rejects.toMatchObject({ code: "INPUT_INVALID", message: expect.stringContaining("qrels") });
	expect(isCollection(folder)).toBe(false);
});
