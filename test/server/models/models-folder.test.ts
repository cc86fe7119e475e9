/** Where the folder of local models cannot be one, the start ends with one line. */

import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandModelsFolder } from "../../../server/models/models-folder.ts";

test("a file, and a folder below a file, are refused; a folder that is there or missing is not", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-models-"));
	const file = join(folder, "file");
	await writeFile(file, "");
	for (const wrong of [file, join(file, "models"), join(file, "a", "models")])
		expect(() => demandModelsFolder(wrong)).toThrow(expect.objectContaining({ code: "SETTING_INVALID", message: expect.stringContaining(wrong) }));
	for (const right of [folder, join(folder, "missing"), join(folder, "missing", "models")]) expect(() => demandModelsFolder(right)).not.toThrow();
	await rm(folder, { recursive: true });
});
