/** The RAM storage keeps every law, and its door refuses options it does not know. */

import { expect, test } from "bun:test";
import { validate } from "../../../core/plugin/standard-schema.ts";
import ram from "../../../plugins/storage/ram/index.ts";
import { ramStorage } from "../../../plugins/storage/ram/storage.ts";
import { storageLaws } from "../../contract/storage/storage-laws.ts";

const laws = storageLaws(async () => {
	const storage = ramStorage();
	return { storage, dispose: storage.close };
});

for (const law of laws) test(law.name, law.check);

test("options it does not know are refused by name", async () => {
	const { options, given } = ram();
	expect(await validate(options, given)).toEqual({ value: {} });
	expect(await validate(options, { path: "x" })).toEqual({ complaint: expect.stringContaining("path") });
});
