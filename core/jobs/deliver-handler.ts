/** The job `deliver`: sends a webhook the events that it has not received. */

import { asServiceError } from "../errors/fail.ts";
import { type DeliverParts, deliver } from "../webhooks/deliver.ts";
import type { Handler } from "./worker.ts";

/**
 * An endpoint that fails is no failure of the job: the webhook itself stores the time of the next attempt, since attempts are
 * spread over days and not over minutes. @param busy the webhooks that are being served, for the loop that looks for more events
 */
export function deliverHandler(parts: DeliverParts, busy: Set<string>): Handler {
	return ({ subject, organisation }) => ({
		run: async (signal) => {
			busy.add(subject);
			try {
				await deliver(subject, organisation, parts, signal);
			} finally {
				busy.delete(subject);
			}
		},
		reason: asServiceError,
		failed: async (thrown, retryAt) => {
			const { code, cause } = asServiceError(thrown);
			parts.world.log("error", "a delivery failed", { webhook: subject, code, retryAt, cause: cause instanceof Error ? cause.message : null });
		},
	});
}
