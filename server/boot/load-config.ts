/** Loads the config file, if there is one: the one in the settings, or `cairn.config.ts` in the working folder. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import { importDefaultExport, importFault } from "./import-module.ts";

const defaultName = "cairn.config.ts";

export interface LoadedConfig {
	/** The absolute path of the file; null if there is none. */
	readonly path: string | null;
	readonly config: Config;
}

/** @throws ServiceError `SETTING_INVALID` if the named file does not exist, cannot be loaded or exports no config; `PACKAGE_MISSING` */
export async function loadConfig(namedPath: string | null): Promise<LoadedConfig> {
	const path = namedPath ?? resolve(defaultName);
	if (!existsSync(path)) {
		if (namedPath !== null) throw fail("SETTING_INVALID", "CAIRN_CONFIG", `there is no file ${path}`);
		return { path: null, config: {} };
	}
	const config = await importDefaultExport(pathToFileURL(path).href).catch((thrown: unknown) => {
		if (thrown instanceof ServiceError) throw thrown;
		throw fail("SETTING_INVALID", path, `it cannot be loaded: ${importFault(thrown)}; correct it, or take out of it what it imports`).because(thrown);
	});
	if (typeof config !== "object" || config === null) throw fail("SETTING_INVALID", path, "its default export should be the return value of defineConfig");
	return { path, config };
}
