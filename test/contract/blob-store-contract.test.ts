/** Each mutant of a blob store breaks the contract test that was made for it. */

import { ramBlobs } from "../../plugins/stores/ram/blobs.ts";
import { blobMutants } from "../mutants/blob-stores.ts";
import { catchMutants } from "../mutants/catch-mutants.ts";
import { blobStoreContract } from "./blob-store-contract.ts";

const clock = { now: () => new Date() };

catchMutants(
	blobMutants.map(({ name, breaks, spoil }) => ({
		name,
		breaks: [breaks],
		// What is opened anew is empty: a store that claims to keep its blobs is held to it.
		contract: () => blobStoreContract(async () => ({ store: spoil(ramBlobs(clock)), reopen: async () => ramBlobs(clock), dispose: async () => {} })),
	})),
);
