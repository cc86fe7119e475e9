/** Cleans the path of an attachment. The result is shown to people and never opened as a path. */

import { limits } from "../model/limits.ts";

/** The name of a file without a name, or with a name of only dots and slashes. */
const unnamedFile = "unnamed";

/** The path with slashes, and without `..`, drive letters and invisible characters. It is never empty. */
export function cleanAttachmentPath(path: string): string {
	const segments = path
		.toWellFormed()
		.normalize("NFC")
		.replaceAll("\\", "/")
		// Characters that change the direction of writing can make `gpj.exe` look like `exe.jpg`.
		.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
		.split("/")
		.map((segment) => segment.trim().slice(-limits.fileNameCharactersMax).toWellFormed())
		.filter((segment) => segment !== "" && segment !== "." && segment !== "..")
		.filter((segment, index) => !(index === 0 && /^[a-z]:$/i.test(segment)));
	const cleaned = segments.join("/") || unnamedFile;
	// A path that is too long keeps its end, which is the most informative part.
	return cleaned.length <= limits.filepathCharactersMax
		? cleaned
		: cleaned.slice(-limits.filepathCharactersMax).toWellFormed().split("/").slice(1).join("/") || cleaned.slice(-limits.fileNameCharactersMax).toWellFormed();
}

/** Makes a path unique: a second `name.txt` becomes `name (2).txt`. */
export function uniquePath(path: string, taken: ReadonlySet<string>): string {
	if (!taken.has(path)) return path;
	const [, stem = path, extension = ""] = /^(.*[^/])(\.[^./]{1,10})$/.exec(path) ?? [];
	for (let number = 2; ; number++) {
		const candidate = `${stem} (${number})${extension}`;
		if (!taken.has(candidate)) return candidate;
	}
}

export function fileNameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
