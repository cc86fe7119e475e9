/** All contract tests of a storage: what every port promises, and what holds across them. */

import type { ContractTest } from "../contract-test.ts";
import { accountStoreContract } from "./account-store-contract.ts";
import { attachmentContract } from "./attachment-contract.ts";
import { containerStoreContract } from "./container-store-contract.ts";
import { documentStoreContract } from "./document-store-contract.ts";
import { durabilityContract } from "./durability-contract.ts";
import { embeddingSpaceStoreContract } from "./embedding-space-store-contract.ts";
import { eventLogContract } from "./event-log-contract.ts";
import { filterContract } from "./filter-contract.ts";
import { forgettingContract } from "./forgetting-contract.ts";
import type { OpenStorage } from "./ground.ts";
import { indexSourceLaws } from "./index-source-contract.ts";
import { isolationContract } from "./isolation-contract.ts";
import { jobQueueContract } from "./job-queue-contract.ts";
import { languageContract } from "./language-contract.ts";
import { memoryStoreContract } from "./memory-store-contract.ts";
import { profileStoreContract } from "./profile-store-contract.ts";
import { recordStoreContract } from "./record-store-contract.ts";
import { removalStoreContract } from "./removal-store-contract.ts";
import { scopeChangeContract } from "./scope-change-contract.ts";
import { vectorSearchLaws } from "./vector-search-contract.ts";
import { walkContract } from "./walk-contract.ts";
import { wordSearchLaws } from "./word-search-contract.ts";

/** `open` is called once for every contract test, and must give an empty storage each time. */
export function storageContract(open: OpenStorage): readonly ContractTest[] {
	return [
		documentStoreContract,
		memoryStoreContract,
		walkContract,
		jobQueueContract,
		wordSearchLaws,
		languageContract,
		vectorSearchLaws,
		indexSourceLaws,
		accountStoreContract,
		containerStoreContract,
		recordStoreContract,
		profileStoreContract,
		removalStoreContract,
		forgettingContract,
		embeddingSpaceStoreContract,
		attachmentContract,
		eventLogContract,
		filterContract,
		scopeChangeContract,
		isolationContract,
		durabilityContract,
	].flatMap((contractTests) => contractTests(open));
}

export type { OpenedStorage, OpenStorage } from "./ground.ts";
