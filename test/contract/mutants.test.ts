/** The laws of a storage are no paper: each mutant breaks the law that was made for it. */

import { expect, test } from "bun:test";
import { ramStorage } from "../../plugins/storage/ram/storage.ts";
import type { StorageMutant } from "../mutants/storage/spoil.ts";
import { storageMutants } from "../mutants/storage/storage-mutants.ts";
import { LawBroken } from "./law.ts";
import { storageLaws } from "./storage/storage-laws.ts";

/** What the law said; null when it noticed nothing. */
async function verdict({ spoil, breaks }: StorageMutant): Promise<unknown> {
	const laws = storageLaws(async () => ({ storage: spoil(ramStorage()), reopen: async () => ramStorage(), dispose: async () => {} }));
	const law = laws.find(({ name }) => name === breaks);
	if (law === undefined) throw new Error(`there is no law called "${breaks}"`);
	return law.check().then(
		() => null,
		(thrown: unknown) => thrown,
	);
}

for (const mutant of storageMutants) {
	test(`a storage that ${mutant.name} is caught`, async () => {
		expect(await verdict(mutant)).toBeInstanceOf(LawBroken);
	});
}
