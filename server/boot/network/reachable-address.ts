/** Checks, before an address is stored, whether the guarded fetch would ever connect to it. */

import { ServiceError } from "../../../core/errors/fail.ts";
import type { DemandReachable } from "../../../core/plugin/host.ts";
import { addressesOf, type GuardOptions, guardOf } from "./guarded-fetch.ts";

/** A name that takes longer to resolve is not known to be private. */
const resolveMsMax = 3_000;

/** The same rules as for `createGuardedFetch`, which checks the address again whenever it connects. */
export function createReachableAddress(options: Pick<GuardOptions, "allow" | "ports" | "resolve">): DemandReachable {
	const guard = guardOf(options);
	return async (address) => {
		const url = new URL(address);
		const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
		const timer = setTimeout(giveUp, resolveMsMax);
		try {
			await Promise.race([addressesOf(url, guard), late]);
		} catch (thrown) {
			// A name that does not resolve yet counts as public.
			if (thrown instanceof ServiceError && thrown.code === "ADDRESS_BLOCKED") throw thrown;
		} finally {
			clearTimeout(timer);
		}
	};
}
