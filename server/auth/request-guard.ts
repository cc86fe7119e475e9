/** Where every request with a key is let in: who asks, whether the key opens this route, and whether it asks too often. Wrong keys are counted for the network they come from. */

import { timingSafeEqual } from "node:crypto";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey, RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { Access } from "../routes/access.ts";
import { hashKey } from "./keys.ts";
import { type Allowance, createRateLimiter } from "./rate-limiter.ts";
import { createWrongKeys } from "./wrong-keys.ts";

/** Longer than any key of ours: not even hashed. */
const keyCharactersMax = 1_024;

/** @throws ServiceError `KEY_INVALID`, the same for a missing, a malformed, an unknown, a disabled and an expired key */
export async function authenticate(request: Request, accounts: AccountStore, now: Date): Promise<ApiKey> {
	const given = keyOf(request.headers);
	if (given === null || given.length > keyCharactersMax) throw fail("KEY_INVALID");
	const hash = hashKey(given);
	const known = await accounts.keyByHash(hash);
	if (known === null || !timingSafeEqual(Buffer.from(known.hash), Buffer.from(hash)) || !holds(known, now)) throw fail("KEY_INVALID");
	return known;
}

/** Whether a key opens anything at all. */
function holds({ isEnabled, expiresAt }: ApiKey, now: Date): boolean {
	return isEnabled && (expiresAt === null || expiresAt > now);
}

/** A path opens itself and what lies below, and not what merely begins with the same letters. @throws ServiceError `ENDPOINT_FORBIDDEN` */
export function demandEndpoint({ endpoints }: ApiKey, path: string): void {
	if (endpoints === null) return;
	if (!endpoints.some((endpoint) => path === endpoint || path.startsWith(`${endpoint}/`))) throw fail("ENDPOINT_FORBIDDEN", path, endpoints.join(", "));
}

/** What stands where a key belongs; null when nothing does. */
export function keyOf(headers: Headers): string | null {
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
	return bearer ?? headers.get("x-api-key");
}

export interface RequestGuard {
	/** @param tell hears how the share of the key stands, also when it is used up. @throws ServiceError `KEY_INVALID`, `KEYS_WRONG`, `ENDPOINT_FORBIDDEN`, `RATE_LIMITED` */
	readonly admit: (request: Request, access: Pick<Access, "scope" | "rate">, tell: (allowance: Allowance) => void) => Promise<ApiKey>;
	/** Rejects when the key of a request opens nothing any more. Counts nothing. */
	readonly stillHolds: (request: Request) => Promise<ApiKey>;
}

/** Where a request comes from; null without a socket. */
export type AddressOf = (request: Request) => string | null;

/** @param standardRate of keys without a limit of their own; null lets them ask as often as they like */
export function createRequestGuard(accounts: AccountStore, standardRate: RateLimit | null, world: World, addressOf: AddressOf): RequestGuard {
	const limiter = createRateLimiter(world.elapsedMs);
	const answerWrongKey = createWrongKeys(world);
	const stillHolds = (request: Request) => authenticate(request, accounts, world.now());

	/** A request without a key is no attempt to guess one. */
	function refusal(request: Request, thrown: unknown): unknown {
		const isWrongKey = thrown instanceof ServiceError && thrown.code === "KEY_INVALID" && keyOf(request.headers) !== null;
		return isWrongKey ? answerWrongKey(addressOf(request)) : thrown;
	}

	return {
		stillHolds,
		admit: async (request, { scope, rate }, tell) => {
			const key = await stillHolds(request).catch((thrown: unknown) => {
				throw refusal(request, thrown);
			});
			if (scope !== "any") demandEndpoint(key, new URL(request.url).pathname);
			const limit = rate === "key" ? (key.rateLimit ?? standardRate) : null;
			if (limit === null) return key;
			const allowance = limiter(key.id, limit);
			tell(allowance);
			if (!allowance.isAllowed) throw fail("RATE_LIMITED", limit.requestsMax, limit.windowMs / 1_000).after(allowance.waitMs);
			return key;
		},
	};
}
