/** Finds the Tesseract models of the configured languages. This is done at startup, so that a wrong name is reported at once. */

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

export interface ModelSelection {
	/** Null for English and all models in the folder. */
	readonly languages: readonly string[] | null;
	/** The operator's folder for further models, or null. */
	readonly folder: string | null;
}

/** Folders in which packages of operating systems install models. */
const systemFolders = [
	"/usr/share/tesseract-ocr/5/tessdata",
	"/usr/share/tesseract-ocr/4.00/tessdata",
	"/usr/share/tessdata",
	"/usr/local/share/tessdata",
	"/opt/homebrew/share/tessdata",
];
const modelExtension = /\.traineddata(?:\.gz)?$/;

/** The models in the order in which they are tried. @throws PLUGIN_OPTIONS_INVALID for a language without a model. */
export function findModels({ languages, folder }: ModelSelection, otherFolders: readonly string[] = systemFolders): readonly OcrModel[] {
	const selected = languages ?? [...new Set(["eng", ...languagesIn(folder)])];
	return selected.map((language) => {
		const path = pathOf(language, folder, otherFolders);
		if (path === null) throw fail("PLUGIN_OPTIONS_INVALID", "extractor-pages", missingModelMessage(language, folder, otherFolders));
		return { language, path };
	});
}

function languagesIn(folder: string | null): readonly string[] {
	if (folder === null || !existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((name) => modelExtension.test(name))
		.map((name) => name.replace(modelExtension, ""))
		.sort();
}

/**
 * Looks in the operator's folder first, then in npm packages (English is always one), then in the system's folders. Packages come
 * before the system, so that results do not depend on what else is installed on a machine.
 */
function pathOf(language: string, folder: string | null, otherFolders: readonly string[]): string | null {
	if (!/^[A-Za-z0-9_-]+$/.test(language)) return null;
	return pathInFolders(folder === null ? [] : [folder], language) ?? pathInPackage(language) ?? pathInFolders(otherFolders, language);
}

function pathInFolders(folders: readonly string[], language: string): string | null {
	const paths = folders.flatMap((folder) => [join(folder, `${language}.traineddata`), join(folder, `${language}.traineddata.gz`)]);
	return paths.find(existsSync) ?? null;
}

function pathInPackage(language: string): string | null {
	try {
		const folder = dirname(fileURLToPath(import.meta.resolve(`@tesseract.js-data/${language}`)));
		const path = join(folder, "4.0.0_best_int", `${language}.traineddata.gz`);
		return existsSync(path) ? path : null;
	} catch {
		return null; // no such package
	}
}

function missingModelMessage(language: string, folder: string | null, otherFolders: readonly string[]): string {
	const available = [...new Set(["eng", ...[folder, ...otherFolders].flatMap(languagesIn)])].join(", ");
	const remedy = folder === null ? "" : `; put ${language}.traineddata into ${folder}`;
	return `there is no OCR model for the language ${JSON.stringify(language)}${remedy}; there are ${available}`;
}
