/** Reads a folder of Markdown notes, such as an Obsidian vault. Front matter becomes metadata; paths are kept; wiki links stay in the text. */

import { readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { onlyStrings, toCustomId, toIsoTime, toMetadata } from "./convert-values.ts";
import type { FileItem, FlatMetadata, ItemReader } from "./item.ts";

/** Hidden folders are skipped: they contain settings of the program and deleted notes. */
const skippedPaths = /(?:^|\/)(?:\.|node_modules\/)/;
const frontMatter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** Longer front matter is ignored, since no person writes so much. */
const frontMatterCharactersMax = 20_000;

export const markdown: ItemReader = async (path) => {
	const isFolder = (await stat(path)).isDirectory();
	const names: string[] = [];
	if (!isFolder) names.push(basename(path));
	else for await (const name of new Bun.Glob("**/*.{md,markdown}").scan({ cwd: path, onlyFiles: true })) if (!skippedPaths.test(name)) names.push(name);
	if (names.length === 0) throw fail("IMPORT_UNKNOWN", path, "it contains no Markdown file");
	const folderName = basename(resolve(path));
	return Promise.all(names.toSorted().map((name) => noteOf(isFolder ? join(path, name) : path, name, isFolder ? `${folderName}/${name}` : name)));
};

/** A note is named by its path from the folder, so that a repeated import recognises it even if the folder was moved. */
async function noteOf(path: string, name: string, pathFromFolder: string): Promise<FileItem> {
	const frontMatterFields = metadataIn(await readFile(path, "utf8"));
	const documentDate = toIsoTime(frontMatterFields["date"] ?? frontMatterFields["created"]);
	return {
		kind: "file",
		name: toCustomId("markdown", `path ${pathFromFolder}`),
		path,
		filepath: `/${name.replaceAll("\\", "/")}`,
		metadata: { ...frontMatterFields, ...onlyStrings({ documentDate }) },
	};
}

/** The front matter as metadata; empty if it is not valid YAML. */
function metadataIn(text: string): FlatMetadata {
	const yaml = frontMatter.exec(text)?.[1] ?? "";
	if (yaml === "" || yaml.length > frontMatterCharactersMax) return {};
	try {
		return toMetadata(Bun.YAML.parse(yaml));
	} catch {
		return {};
	}
}
