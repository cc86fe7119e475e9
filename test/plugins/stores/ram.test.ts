/** The RAM storage passes every contract test, and its door refuses options it does not know. */

import { expect, test } from "bun:test";
import { validate } from "../../../core/plugin/standard-schema.ts";
import ram from "../../../plugins/stores/ram/index.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { storageContract } from "../../contract/storage/storage-contract.ts";

const contractTests = storageContract(async () => {
	const storage = ramStorage();
	return { storage, dispose: storage.close };
});

for (const contractTest of contractTests) test(contractTest.name, contractTest.check);

test("options it does not know are refused by name", async () => {
	const { options, rawOptions } = ram();
	expect(await validate(options, rawOptions)).toEqual({ value: {} });
	expect(await validate(options, { path: "x" })).toEqual({ message: expect.stringContaining("path") });
});
