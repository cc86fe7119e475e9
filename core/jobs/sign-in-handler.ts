/** The job `sign-in`: asks a provider whether somebody has signed in with a code, and again until then. */

import { pollSignIn } from "../connections/device-sign-in.ts";
import type { SignInParts } from "../connections/sign-in.ts";
import { asServiceError } from "../errors/fail.ts";
import type { NewJob } from "../ports/job-queue.ts";
import { createKeyedMutex } from "../runtime/keyed-mutex.ts";
import { underLease } from "./under-lease.ts";
import type { Handler } from "./worker.ts";

export function signInHandler(parts: Omit<SignInParts, "mutex">): Handler {
	const mutex = createKeyedMutex();
	return (job) => {
		let next: NewJob | null = null;
		return {
			run: async (signal) => {
				next = await pollSignIn(job.subject, job.organisation, { ...parts, storage: underLease(parts.storage, job), mutex }, signal);
			},
			next: async () => (next === null ? [] : [next]),
			toServiceError: asServiceError,
			onFailure: async (thrown, retryAt) => {
				const { code, cause } = asServiceError(thrown);
				parts.world.log("error", "a sign-in could not be followed", {
					signIn: job.subject,
					code,
					retryAt,
					cause: cause instanceof Error ? cause.message : null,
				});
			},
		};
	};
}
