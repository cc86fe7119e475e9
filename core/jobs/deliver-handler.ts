/** The job `deliver`: sends a webhook the events that it has not received. */

import { asServiceError } from "../errors/fail.ts";
import { type DeliverParts, deliver } from "../webhooks/deliver.ts";
import { underLease } from "./under-lease.ts";
import type { Handler } from "./worker.ts";

/**
 * If the endpoint fails, the job does not fail: the webhook itself stores the time of the next attempt, since attempts are spread over
 * days and not over minutes. @param busy the ids of the webhooks that are being delivered to; the loop that looks for events reads it
 */
export function deliverHandler(parts: DeliverParts, busy: Set<string>): Handler {
	return (job) => ({
		run: async (signal) => {
			busy.add(job.subject);
			try {
				await deliver(job.subject, job.organisation, { ...parts, storage: underLease(parts.storage, job) }, signal);
			} finally {
				busy.delete(job.subject);
			}
		},
		toServiceError: asServiceError,
		onFailure: async (thrown, retryAt) => {
			const { code, cause } = asServiceError(thrown);
			parts.world.log("error", "a delivery failed", { webhook: job.subject, code, retryAt, cause: cause instanceof Error ? cause.message : null });
		},
	});
}
