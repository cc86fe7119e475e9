/** A folder of Markdown notes, such as an Obsidian vault: front matter becomes metadata, the path stays, wiki links stay in the text. */

import { readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { FileDocument, Plain, Source } from "./item.ts";
import { instant, nameOf, plain, texts } from "./plain.ts";

/** Hidden folders hold the settings of the program, and what it has thrown away. */
const passedOver = /(?:^|\/)(?:\.|node_modules\/)/;
const frontMatter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** More is no front matter that a person wrote. */
const frontMatterCharactersMax = 20_000;

export const markdown: Source = async (path) => {
	const isFolder = (await stat(path)).isDirectory();
	const names: string[] = [];
	if (!isFolder) names.push(basename(path));
	else for await (const name of new Bun.Glob("**/*.{md,markdown}").scan({ cwd: path, onlyFiles: true })) if (!passedOver.test(name)) names.push(name);
	if (names.length === 0) throw fail("IMPORT_UNKNOWN", path, "there is no Markdown file in it");
	const home = basename(resolve(path));
	return Promise.all(names.toSorted().map((name) => noteOf(isFolder ? join(path, name) : path, name, isFolder ? `${home}/${name}` : name)));
};

/** Named after the folder and its place in it, so that the same folder may lie elsewhere the next time. */
async function noteOf(path: string, name: string, place: string): Promise<FileDocument> {
	const given = metadataIn(await readFile(path, "utf8"));
	const documentDate = instant(given["date"] ?? given["created"]);
	return {
		kind: "file",
		name: nameOf("markdown", `path ${place}`),
		path,
		filepath: `/${name.replaceAll("\\", "/")}`,
		metadata: { ...given, ...texts({ documentDate }) },
	};
}

/** What cannot be read as YAML stays text of the note. */
function metadataIn(text: string): Plain {
	const found = frontMatter.exec(text)?.[1] ?? "";
	if (found === "" || found.length > frontMatterCharactersMax) return {};
	try {
		return plain(Bun.YAML.parse(found));
	} catch {
		return {};
	}
}
