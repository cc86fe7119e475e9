/** All mutants of a storage. */

import { documentMutants } from "./document-mutants.ts";
import { jobMutants } from "./job-mutants.ts";
import { memoryMutants } from "./memory-mutants.ts";
import { removalMutants } from "./removal-mutants.ts";
import { searchMutants } from "./search-mutants.ts";
import { sourceMutants } from "./source-mutants.ts";
import { spaceMutants } from "./space-mutants.ts";
import type { StorageMutant } from "./spoil.ts";
import { tenancyMutants } from "./tenancy-mutants.ts";

export const storageMutants: readonly StorageMutant[] = [
	documentMutants,
	memoryMutants,
	jobMutants,
	searchMutants,
	removalMutants,
	spaceMutants,
	sourceMutants,
	tenancyMutants,
].flat();
