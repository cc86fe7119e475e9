/** Loads the files of the web console. */

import { join, resolve } from "node:path";
import { type BuiltFiles, loadBuilt } from "./built-files.ts";

const sources = resolve(import.meta.dir, "../../console");

export function loadConsole(): Promise<BuiltFiles> {
	return loadBuilt({
		builder: resolve(import.meta.dir, "bundle-console.ts"),
		source: join(sources, "main.tsx"),
		packagedFolder: join(sources, "built"),
		pattern: "*.{css,js}",
	});
}
