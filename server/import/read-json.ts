/** Reads JSON files of other programs: one file, or the files of a folder whose names match a pattern. */

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface JsonFile {
	readonly path: string;
	readonly value: unknown;
}

/** @param namePattern matches the names of the files of a folder that are read. @throws ServiceError `IMPORT_UNKNOWN` */
export async function readJson(path: string, namePattern: RegExp): Promise<readonly JsonFile[]> {
	const isFolder = (await stat(path)).isDirectory();
	const fileNames = isFolder ? (await readdir(path)).filter((name) => namePattern.test(name)).toSorted() : [basename(path)];
	if (fileNames.length === 0) throw fail("IMPORT_UNKNOWN", path, `it contains no file named like ${namePattern.source.replaceAll(/[\\^$]/g, "")}`);
	const files: JsonFile[] = [];
	for (const name of fileNames) {
		const file = isFolder ? join(path, name) : path;
		files.push({ path: file, value: parseJson(await readFile(file, "utf8"), file) });
	}
	return files;
}

function parseJson(text: string, path: string): unknown {
	try {
		return JSON.parse(text);
	} catch (thrown) {
		throw fail("IMPORT_UNKNOWN", path, path.endsWith(".zip") ? "unpack it first" : "it is not valid JSON").because(thrown);
	}
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The objects in a list; empty if the value is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
	return Array.isArray(value)
		? value.filter((element): element is JsonObject => typeof element === "object" && element !== null && !Array.isArray(element))
		: [];
}

export function objectOf(value: unknown): JsonObject {
	return objectsOf([value])[0] ?? {};
}

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
