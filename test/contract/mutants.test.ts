/** Each mutant of a storage breaks the contract test that was made for it. */

import { ramStorage } from "../../plugins/stores/ram/storage.ts";
import { catchMutants } from "../mutants/catch-mutants.ts";
import { storageMutants } from "../mutants/storage/storage-mutants.ts";
import { storageContract } from "./storage/storage-contract.ts";

catchMutants(
	storageMutants.map(({ name, breaks, spoil }) => ({
		name,
		breaks: [breaks],
		contract: () => storageContract(async () => ({ storage: spoil(ramStorage()), reopen: async () => ramStorage(), dispose: async () => {} })),
	})),
);
