/** Admits requests with a key: authenticates them, checks that the key may call the route, and applies rate limits. Wrong keys are counted by network. */

import { timingSafeEqual } from "node:crypto";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey, RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { Access } from "../routes/access.ts";
import { hashKey } from "./keys.ts";
import { type Allowance, createRateLimiter } from "./rate-limiter.ts";
import { createWrongKeys } from "./wrong-keys.ts";

/** Longer values cannot be a key and are not even hashed. */
const keyCharactersMax = 1_024;

/** @throws ServiceError `KEY_INVALID`, the same for a missing, a malformed, an unknown, a disabled and an expired key */
export async function authenticate(request: Request, accounts: AccountStore, now: Date): Promise<ApiKey> {
	const secret = keyOf(request.headers);
	if (secret === null || secret.length > keyCharactersMax) throw fail("KEY_INVALID");
	const hash = hashKey(secret);
	const key = await accounts.keyByHash(hash);
	if (key === null || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash)) || !isActive(key, now)) throw fail("KEY_INVALID");
	return key;
}

/** Whether the key is enabled and has not expired. */
function isActive({ isEnabled, expiresAt }: ApiKey, now: Date): boolean {
	return isEnabled && (expiresAt === null || expiresAt > now);
}

/** An allowed path covers itself and the paths below it, not others with the same prefix. @throws ServiceError `ENDPOINT_FORBIDDEN` */
export function demandEndpoint({ endpoints }: ApiKey, path: string): void {
	if (endpoints === null) return;
	if (!endpoints.some((endpoint) => path === endpoint || path.startsWith(`${endpoint}/`))) throw fail("ENDPOINT_FORBIDDEN", path, endpoints.join(", "));
}

/** Clients send the key in this header when `Authorization` has the key of the provider behind the memory router. */
export const ownKeyHeader = "x-supermemory-api-key";

/** The key in the headers, its own header first; null when there is none. */
export function keyOf(headers: Headers): string | null {
	const cairnKey = headers.get(ownKeyHeader);
	if (cairnKey !== null) return cairnKey;
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
	return bearer ?? headers.get("x-api-key");
}

export interface RequestGuard {
	/** @param reportAllowance called with the state of the rate limit, also when it is exceeded. @throws ServiceError `KEY_INVALID`, `KEYS_WRONG`, `ENDPOINT_FORBIDDEN`, `RATE_LIMITED` */
	readonly admit: (request: Request, access: Pick<Access, "scope" | "rate">, reportAllowance: (allowance: Allowance) => void) => Promise<ApiKey>;
	/** Rejects when the key of a request is no longer valid. This does not count as a request. */
	readonly revalidate: (request: Request) => Promise<ApiKey>;
}

/** The client's IP address; null without a socket. */
export type AddressOf = (request: Request) => string | null;

/** @param defaultRate the rate limit of keys without one of their own; null for no limit */
export function createRequestGuard(accounts: AccountStore, defaultRate: RateLimit | null, world: World, addressOf: AddressOf): RequestGuard {
	const limiter = createRateLimiter(world.elapsedMs);
	const wrongKeyError = createWrongKeys(world);
	const revalidate = (request: Request) => authenticate(request, accounts, world.now());

	/** A request without a key does not count as a wrong key. */
	function refusal(request: Request, thrown: unknown): unknown {
		const isWrongKey = thrown instanceof ServiceError && thrown.code === "KEY_INVALID" && keyOf(request.headers) !== null;
		return isWrongKey ? wrongKeyError(addressOf(request)) : thrown;
	}

	return {
		revalidate,
		admit: async (request, { scope, rate }, reportAllowance) => {
			const key = await revalidate(request).catch((thrown: unknown) => {
				throw refusal(request, thrown);
			});
			if (scope !== "any") demandEndpoint(key, new URL(request.url).pathname);
			const limit = rate === "key" ? (key.rateLimit ?? defaultRate) : null;
			if (limit === null) return key;
			const allowance = limiter(key.id, limit);
			reportAllowance(allowance);
			if (!allowance.isAllowed) throw fail("RATE_LIMITED", limit.requestsMax, limit.windowMs / 1_000).after(allowance.waitMs);
			return key;
		},
	};
}
