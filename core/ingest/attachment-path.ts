/** Cleans the path of an attachment. The result is a text for people and is never opened as a path. */

import { limits } from "../model/limits.ts";

/** Unnamed things, and those whose name is nothing but dots and slashes. */
const nameless = "unnamed";

/** With slashes, without `..`, drives and invisible characters. Never empty. */
export function tidyPath(written: string): string {
	const segments = written
		.toWellFormed()
		.normalize("NFC")
		.replaceAll("\\", "/")
		// Marks that turn the direction of writing make `gpj.exe` look like `exe.jpg`.
		.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
		.split("/")
		.map((segment) => segment.trim().slice(-limits.fileNameCharactersMax).toWellFormed())
		.filter((segment) => segment !== "" && segment !== "." && segment !== "..")
		.filter((segment, index) => !(index === 0 && /^[a-z]:$/i.test(segment)));
	const whole = segments.join("/") || nameless;
	// Of a path that is too long the end says most.
	return whole.length <= limits.filepathCharactersMax
		? whole
		: whole.slice(-limits.filepathCharactersMax).toWellFormed().split("/").slice(1).join("/") || whole.slice(-limits.fileNameCharactersMax).toWellFormed();
}

/** Of several with one name the second becomes `name (2).txt`. */
export function distinct(path: string, taken: ReadonlySet<string>): string {
	if (!taken.has(path)) return path;
	const [, stem = path, ending = ""] = /^(.*[^/])(\.[^./]{1,10})$/.exec(path) ?? [];
	for (let number = 2; ; number++) {
		const other = `${stem} (${number})${ending}`;
		if (!taken.has(other)) return other;
	}
}

export function fileNameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
