/** Reads a collection in BEIR's format: `corpus.jsonl`, `queries.jsonl`, and relevance judgements in `qrels.tsv` or `qrels/`. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { Collection, Question } from "./collection.ts";

const corpusFile = "corpus.jsonl";
const judgementFiles = ["qrels.tsv", "qrels/test.tsv", "qrels/dev.tsv"];

export function isCollection(folder: string): boolean {
	return existsSync(join(folder, corpusFile));
}

/** @throws ServiceError `INPUT_INVALID` if the folder does not contain a collection */
export async function readCollection(folder: string): Promise<Collection> {
	if (!existsSync(folder)) throw fail("INPUT_INVALID", `there is no folder ${folder}`);
	const judgements = judgementFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
	if (judgements === undefined) throw fail("INPUT_INVALID", `${folder} contains none of ${judgementFiles.join(", ")}`);
	const [documents, questions, relevant] = await Promise.all([
		readJsonLines(join(folder, corpusFile)),
		readJsonLines(join(folder, "queries.jsonl")),
		readJudgements(judgements),
	]);
	const documentIds = new Set(documents.map(({ id }) => id));
	const judgementsOfDocuments = new Map(
		[...relevant].map(([question, grades]) => [question, new Map([...grades].filter(([document]) => documentIds.has(document)))]),
	);
	return {
		name: basename(resolve(folder)),
		documents,
		questions: questions.filter(({ id }) => (judgementsOfDocuments.get(id)?.size ?? 0) > 0),
		relevant: judgementsOfDocuments,
	};
}

interface Line extends Question {
	readonly title: string;
}

async function readJsonLines(path: string): Promise<readonly Line[]> {
	const text = await readFile(path, "utf8").catch((cause: unknown) => {
		throw fail("INPUT_INVALID", `${path} cannot be read`).because(cause);
	});
	return text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [readLine(line, `${path}:${i + 1}`)]));
}

function readLine(line: string, position: string): Line {
	const row = parseObject(line);
	const id = row?.["_id"];
	const text = row?.["text"];
	if (typeof id !== "string" || typeof text !== "string") throw fail("INPUT_INVALID", `${position} should be an object with _id and text`);
	const title = row?.["title"];
	const group = row?.["group"];
	return { id, text, title: typeof title === "string" ? title : "", group: typeof group === "string" ? group : null };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null ? { ...value } : null;
	} catch {
		return null;
	}
}

/** The first line has the column names. Grades of 0 are left out. */
async function readJudgements(path: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
	const relevant = new Map<string, Map<string, number>>();
	for (const line of (await readFile(path, "utf8")).split("\n").slice(1)) {
		const [question = "", document = "", grade = ""] = line.trimEnd().split("\t");
		if (document === "" || !(Number(grade) > 0)) continue;
		const documentIds = relevant.get(question);
		if (documentIds === undefined) relevant.set(question, new Map([[document, Number(grade)]]));
		else documentIds.set(document, Number(grade));
	}
	return relevant;
}
