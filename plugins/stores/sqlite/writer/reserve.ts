/** The writes that go on when only the reserve of the disk is left, see `isDiskShort`: those that make room, and small ones without which nothing goes on. */

import type { RecordKind } from "cairn-memory/stores";
import type { AllOperations } from "../../sql/operations.ts";
import type { healthOperations } from "./health-operations.ts";
import type { Request } from "./writer-protocol.ts";

type Name = keyof AllOperations | keyof ReturnType<typeof healthOperations>;

const mayUseReserve: ReadonlySet<string> = new Set<Name>([
	...(["removeDocument", "setAside", "expireRemovals", "sweepRemovals"] as const),
	...(["forgetMemories", "eraseMemories", "sweepExpired", "sweepForgotten"] as const),
	...(["removeContainer", "removeRecord", "sweepRecords", "removeOrganisation", "endRemoval", "organisationsToErase", "eraseRows"] as const),
	...(["eraseFromEvents", "eraseModelAnswers", "sweepEvents", "dropSpace"] as const),
	...(["sweepTextChanges", "sweepScopeChanges", "sweepMemoryMoves", "sweepMemoryReturns"] as const),
	// A job that runs ends in order, and no other is begun.
	...(["renewJob", "finishJob", "retryJob", "failDocument"] as const),
	// What a start writes.
	...(["releaseLeases", "addJobs", "addKey", "planSpaces"] as const),
	...(["changeKey", "removeKey", "appendEvent", "ping", "noteDamage"] as const),
]);

/** Small records: what can be undone of a forgetting, locks, deletions that are not repeated, and tokens that a service has replaced. */
const recordsInReserve: ReadonlySet<RecordKind> = new Set<RecordKind>(["removal", "lock", "idempotency", "connection"]);

export function isAllowedInReserve({ operation, args }: Pick<Request, "operation" | "args">): boolean {
	return operation === "putRecord" ? recordsInReserve.has((args as { readonly kind: RecordKind }).kind) : mayUseReserve.has(operation);
}
