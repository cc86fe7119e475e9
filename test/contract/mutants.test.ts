/** Each mutant of a storage breaks the contract test that was made for it. */

import { expect, test } from "bun:test";
import { ramStorage } from "../../plugins/stores/ram/storage.ts";
import type { StorageMutant } from "../mutants/storage/spoil.ts";
import { storageMutants } from "../mutants/storage/storage-mutants.ts";
import { ContractBroken } from "./contract-test.ts";
import { storageContract } from "./storage/storage-contract.ts";

/** What the contract test said; null when it noticed nothing. */
async function verdict({ spoil, breaks }: StorageMutant): Promise<unknown> {
	const contractTests = storageContract(async () => ({ storage: spoil(ramStorage()), reopen: async () => ramStorage(), dispose: async () => {} }));
	const contractTest = contractTests.find(({ name }) => name === breaks);
	if (contractTest === undefined) throw new Error(`there is no law called "${breaks}"`);
	return contractTest.check().then(
		() => null,
		(thrown: unknown) => thrown,
	);
}

for (const mutant of storageMutants) {
	test(`a storage that ${mutant.name} is caught`, async () => {
		expect(await verdict(mutant)).toBeInstanceOf(ContractBroken);
	});
}
