/** Each mutant of a blob store breaks the contract test that was made for it. */

import { expect, test } from "bun:test";
import { ramBlobs } from "../../plugins/stores/ram/blobs.ts";
import { blobMutants } from "../mutants/blob-stores.ts";
import { blobStoreContract } from "./blob-store-contract.ts";
import { ContractBroken } from "./contract-test.ts";

const clock = { now: () => new Date() };

for (const { name, breaks, spoil } of blobMutants) {
	test(`a blob store that ${name} is caught`, async () => {
		// What is opened anew is empty: a store that claims to keep its blobs is held to it.
		const contractTests = blobStoreContract(async () => ({ store: spoil(ramBlobs(clock)), reopen: async () => ramBlobs(clock), dispose: async () => {} }));
		const thrown: unknown = await contractTests
			.find((contractTest) => contractTest.name === breaks)
			?.check()
			.catch((broken: unknown) => broken);
		expect(thrown).toBeInstanceOf(ContractBroken);
	});
}
