/** A folder of sample files: `manifest.json` lists all of them with their licences, `index.json` those with an expected text. */

import { join } from "node:path";

export interface Sample {
	readonly id: string;
	/** What the list says it is, `docx` say. */
	readonly format: string;
	readonly path: string;
	readonly licence: string;
	/** Null where nobody has written down what should be read. */
	readonly expectedPath: string | null;
	/** Whether its words are to be read from pixels, so that letters are what is counted. */
	readonly isOcr: boolean;
}

interface Entry {
	readonly id: string;
	readonly format: string;
	readonly source: string;
	readonly licence?: string;
	readonly expected?: string;
	readonly mode?: string;
}

export async function readSamples(folder: string, list: "index.json" | "manifest.json"): Promise<readonly Sample[]> {
	const written = (await Bun.file(join(folder, list)).json()) as readonly Entry[] | { readonly files: readonly Entry[] };
	const entries = "files" in written ? written.files : written;
	return entries.map(({ id, format, source, licence, expected, mode }) => ({
		id,
		format,
		path: join(folder, source),
		licence: licence ?? "not told",
		expectedPath: expected === undefined ? null : join(folder, expected),
		isOcr: mode === "ocr",
	}));
}

/** The folder that `--samples` names; ends the program with a sentence when there is none. */
export function samplesFolder(): string {
	const folder = flag("samples");
	if (folder !== null) return folder;
	console.error("name the folder of samples: --samples FOLDER");
	process.exit(2);
}

/** What stands after `--name` on the command line. */
export function flag(name: string): string | null {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? null : (process.argv[at + 1] ?? null);
}
