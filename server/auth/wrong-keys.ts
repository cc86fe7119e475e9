/** Limits how many wrong keys a network may try, with a token bucket. Valid keys are never affected. */

import ipaddr from "ipaddr.js";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import { createRateLimiter } from "./rate-limiter.ts";

/** Counts a wrong key, and returns the error to respond with. */
export type CountWrongKey = (address: string | null) => ServiceError;

/** A person who mistypes a key stays below this; a program that keeps using a revoked key reaches it within seconds. */
export const wrongKeyLimit: RateLimit = { requestsMax: 20, windowMs: 60_000 };
/** One line per minute and network is enough for the log. */
const logEveryMs = 60_000;
/** The length of the IPv6 prefix that a provider usually assigns to one customer: 64 bits. */
const networkBytes = 8;

export function createWrongKeys({ elapsedMs, log }: Pick<World, "elapsedMs" | "log">): CountWrongKey {
	const limiter = createRateLimiter(elapsedMs);
	const logLimiter = createRateLimiter(elapsedMs);
	return (address) => {
		// Without an address the network is unknown, so the key is not counted.
		if (address === null) return fail("KEY_INVALID");
		const network = networkOf(address);
		const { isAllowed, waitMs } = limiter(network, wrongKeyLimit);
		if (isAllowed) return fail("KEY_INVALID");
		if (logLimiter(network, { requestsMax: 1, windowMs: logEveryMs }).isAllowed) log("warn", "many wrong keys come from one network", { network });
		return fail("KEYS_WRONG").after(waitMs);
	};
}

/** An IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
	if (!ipaddr.isValid(address)) return address;
	const parsed = ipaddr.process(address);
	return parsed.kind() === "ipv4"
		? parsed.toString()
		: ipaddr.fromByteArray([...parsed.toByteArray().slice(0, networkBytes), ...Array(networkBytes).fill(0)]).toString();
}
