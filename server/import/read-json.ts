/** JSON files of others: one, or those of a folder that have the name. */

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface JsonFile {
	readonly path: string;
	readonly value: unknown;
}

/** @param names which files of a folder are read. @throws ServiceError `IMPORT_UNKNOWN` */
export async function readJson(path: string, names: RegExp): Promise<readonly JsonFile[]> {
	const isFolder = (await stat(path)).isDirectory();
	const found = isFolder ? (await readdir(path)).filter((name) => names.test(name)).toSorted() : [basename(path)];
	if (found.length === 0) throw fail("IMPORT_UNKNOWN", path, `it has no file like ${names.source.replaceAll(/[\\^$]/g, "")}`);
	const files: JsonFile[] = [];
	for (const name of found) {
		const file = isFolder ? join(path, name) : path;
		files.push({ path: file, value: parsed(await readFile(file, "utf8"), file) });
	}
	return files;
}

function parsed(text: string, path: string): unknown {
	try {
		return JSON.parse(text);
	} catch (thrown) {
		throw fail("IMPORT_UNKNOWN", path, path.endsWith(".zip") ? "unpack it first" : "it is no JSON").because(thrown);
	}
}

type Found = Readonly<Record<string, unknown>>;

/** The objects of a list. */
export function objectsOf(value: unknown): readonly Found[] {
	return Array.isArray(value) ? value.filter((one): one is Found => typeof one === "object" && one !== null && !Array.isArray(one)) : [];
}

export function objectOf(value: unknown): Found {
	return objectsOf([value])[0] ?? {};
}

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
