/** All laws of a storage: what every port promises, and what holds across them. */

import type { Law } from "../law.ts";
import { accountStoreLaws } from "./account-store-laws.ts";
import { blobStoreLaws } from "./blob-store-laws.ts";
import { containerStoreLaws } from "./container-store-laws.ts";
import { documentStoreLaws } from "./document-store-laws.ts";
import { durabilityLaws } from "./durability-laws.ts";
import { eventLogLaws } from "./event-log-laws.ts";
import { filterLaws } from "./filter-laws.ts";
import type { OpenStorage } from "./ground.ts";
import { isolationLaws } from "./isolation-laws.ts";
import { jobQueueLaws } from "./job-queue-laws.ts";
import { languageLaws } from "./language-laws.ts";
import { memberLaws } from "./member-laws.ts";
import { memoryStoreLaws } from "./memory-store-laws.ts";
import { profileStoreLaws } from "./profile-store-laws.ts";
import { recordStoreLaws } from "./record-store-laws.ts";
import { removalStoreLaws } from "./removal-store-laws.ts";
import { scopeChangeLaws } from "./scope-change-laws.ts";
import { spaceStoreLaws } from "./space-store-laws.ts";
import { vectorIndexLaws } from "./vector-index-laws.ts";
import { walkLaws } from "./walk-laws.ts";
import { wordIndexLaws } from "./word-index-laws.ts";

/** `open` is called once for every law, and must give an empty storage each time. */
export function storageLaws(open: OpenStorage): readonly Law[] {
	return [
		documentStoreLaws,
		memoryStoreLaws,
		walkLaws,
		jobQueueLaws,
		wordIndexLaws,
		languageLaws,
		vectorIndexLaws,
		blobStoreLaws,
		accountStoreLaws,
		containerStoreLaws,
		recordStoreLaws,
		profileStoreLaws,
		removalStoreLaws,
		spaceStoreLaws,
		memberLaws,
		eventLogLaws,
		filterLaws,
		scopeChangeLaws,
		isolationLaws,
		durabilityLaws,
	].flatMap((laws) => laws(open));
}

export type { OpenedStorage, OpenStorage } from "./ground.ts";
