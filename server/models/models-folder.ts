/** Ends the start where the folder of local models is a file, which a model would be missed in much later. */

import { statSync } from "node:fs";
import { fail } from "../../core/errors/fail.ts";

/** There need be none. @throws ServiceError `SETTING_INVALID` */
export function demandModelsFolder(modelsDir: string): void {
	if (isFolder(modelsDir) === false)
		throw fail("SETTING_INVALID", "CAIRN_MODELS_DIR", `${modelsDir} is a file, or is in one; it should be a folder, with a folder for each model`);
}

/** Null if nothing is there. */
function isFolder(path: string): boolean | null {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? null;
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code === "ENOTDIR") return false;
		throw thrown;
	}
}
