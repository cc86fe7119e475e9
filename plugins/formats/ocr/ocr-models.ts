/** Finds the Tesseract models of the configured languages, at the start, so that a wrong name is reported at once. */

import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "cairn-memory";

export interface OcrModel {
	/** Tesseract's code: `deu`, `chi_sim`. */
	readonly language: string;
	/** A `.traineddata` file, or a gzipped one. */
	readonly path: string;
}

export interface Wanted {
	/** Null for English and everything in the folder. */
	readonly languages: readonly string[] | null;
	/** The operator's folder for further models, or null. */
	readonly folder: string | null;
}

/** Where packages of operating systems install models. */
const systemFolders = [
	"/usr/share/tesseract-ocr/5/tessdata",
	"/usr/share/tesseract-ocr/4.00/tessdata",
	"/usr/share/tessdata",
	"/usr/local/share/tessdata",
	"/opt/homebrew/share/tessdata",
];
const ending = /\.traineddata(?:\.gz)?$/;

/** In the order in which they are tried. @throws PLUGIN_OPTIONS_INVALID for a language without a model. */
export function findModels({ languages, folder }: Wanted, places: readonly string[] = systemFolders): readonly OcrModel[] {
	const wanted = languages ?? [...new Set(["eng", ...languagesIn(folder)])];
	return wanted.map((language) => {
		const path = pathOf(language, folder, places);
		if (path === null) throw fail("PLUGIN_OPTIONS_INVALID", "extractor-pages", complaint(language, folder, places));
		return { language, path };
	});
}

function languagesIn(folder: string | null): readonly string[] {
	if (folder === null || !existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((name) => ending.test(name))
		.map((name) => name.replace(ending, ""))
		.sort();
}

/**
 * The operator's folder first, then npm packages (English always is one), then the system, so that results do not depend on what
 * else is installed on a machine.
 */
function pathOf(language: string, folder: string | null, places: readonly string[]): string | null {
	if (!/^[A-Za-z0-9_-]+$/.test(language)) return null;
	return lyingIn(folder === null ? [] : [folder], language) ?? packaged(language) ?? lyingIn(places, language);
}

function lyingIn(folders: readonly string[], language: string): string | null {
	const paths = folders.flatMap((folder) => [join(folder, `${language}.traineddata`), join(folder, `${language}.traineddata.gz`)]);
	return paths.find(existsSync) ?? null;
}

function packaged(language: string): string | null {
	try {
		const folder = dirname(fileURLToPath(import.meta.resolve(`@tesseract.js-data/${language}`)));
		const path = join(folder, "4.0.0_best_int", `${language}.traineddata.gz`);
		return existsSync(path) ? path : null;
	} catch {
		return null; // no such package
	}
}

function complaint(language: string, folder: string | null, places: readonly string[]): string {
	const known = [...new Set(["eng", ...[folder, ...places].flatMap(languagesIn)])].join(", ");
	const remedy = folder === null ? "" : `; put ${language}.traineddata into ${folder}`;
	return `there is no OCR model for the language ${JSON.stringify(language)}${remedy}; there are ${known}`;
}
