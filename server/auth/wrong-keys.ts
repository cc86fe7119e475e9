/** Limits wrong keys by network, with a token bucket. Valid keys are never affected. */

import ipaddr from "ipaddr.js";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import { createRateLimiter } from "./rate-limiter.ts";

/** Returns the error for a wrong key. */
export type AnswerWrongKey = (address: string | null) => ServiceError;

/** More than a person mistypes; a program that keeps using a revoked key reaches it within seconds. */
export const wrongKeys: RateLimit = { requestsMax: 20, windowMs: 60_000 };
/** One line per minute and network is enough for the log. */
const sayEveryMs = 60_000;
/** The prefix of an IPv6 address that belongs to one customer. */
const networkBytes = 8;

export function createWrongKeys({ elapsedMs, log }: Pick<World, "elapsedMs" | "log">): AnswerWrongKey {
	const limiter = createRateLimiter(elapsedMs);
	const said = createRateLimiter(elapsedMs);
	return (address) => {
		// Without a socket the network is unknown.
		if (address === null) return fail("KEY_INVALID");
		const network = networkOf(address);
		const { isAllowed, waitMs } = limiter(network, wrongKeys);
		if (isAllowed) return fail("KEY_INVALID");
		if (said(network, { requestsMax: 1, windowMs: sayEveryMs }).isAllowed) log("warn", "many wrong keys come from one network", { network });
		return fail("KEYS_WRONG").after(waitMs);
	};
}

/** An IPv4 address, or what one customer has of IPv6. */
export function networkOf(address: string): string {
	if (!ipaddr.isValid(address)) return address;
	const parsed = ipaddr.process(address);
	return parsed.kind() === "ipv4"
		? parsed.toString()
		: ipaddr.fromByteArray([...parsed.toByteArray().slice(0, networkBytes), ...Array(networkBytes).fill(0)]).toString();
}
