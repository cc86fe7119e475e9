/** Admits requests with a key: authenticates them, checks that the key may call the route, and applies rate limits. Wrong keys are counted by network. */

import { timingSafeEqual } from "node:crypto";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey, RateLimit } from "../../core/ports/account-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import type { Access } from "../routes/access.ts";
import { hashKey } from "./keys.ts";
import { type Allowance, createKeyLimiter } from "./rate-limiter.ts";
import { createRequestQuota } from "./request-quota.ts";
import { createWrongKeys } from "./wrong-keys.ts";

const minuteMs = 60_000;

/** A longer value cannot be a key and is rejected without hashing it. */
const keyCharactersMax = 1_024;

/** @throws ServiceError `KEY_INVALID`, the same for a missing, a malformed, an unknown, a disabled and an expired key */
export async function authenticate(key: string | null, accounts: AccountStore, now: Date): Promise<ApiKey> {
	if (key === null || key.length > keyCharactersMax) throw fail("KEY_INVALID");
	const hash = hashKey(key);
	const stored = await accounts.keyByHash(hash);
	if (stored === null || !timingSafeEqual(Buffer.from(stored.hash), Buffer.from(hash)) || !isValid(stored, now)) throw fail("KEY_INVALID");
	return stored;
}

/** Whether the key is enabled and has not expired. */
export function isValid({ isEnabled, expiresAt }: ApiKey, now: Date): boolean {
	return isEnabled && (expiresAt === null || expiresAt > now);
}

/** An allowed path covers itself and the paths below it, not others with the same prefix. @throws ServiceError `ENDPOINT_FORBIDDEN` */
export function demandEndpoint(key: ApiKey, path: string): void {
	if (!reachesEndpoint(key, path)) throw fail("ENDPOINT_FORBIDDEN", path, key.endpoints?.join(", ") ?? "");
}

export function reachesEndpoint({ endpoints }: Pick<ApiKey, "endpoints">, path: string): boolean {
	return endpoints === null || endpoints.some((endpoint) => path === endpoint || path.startsWith(`${endpoint}/`));
}

/** Clients send the key in this header if `Authorization` contains the key of the provider behind the memory router. */
export const ownKeyHeader = "x-supermemory-api-key";

/** The key in the headers, first from `x-supermemory-api-key`; null if there is none. */
export function keyOf(headers: Headers): string | null {
	const cairnKey = headers.get(ownKeyHeader);
	if (cairnKey !== null) return cairnKey;
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
	return bearer ?? headers.get("x-api-key");
}

export interface RequestGuard {
	/** @param reportAllowance is called with the state of the rate limit, also when it is exceeded. @throws ServiceError `KEY_INVALID`, `KEYS_WRONG`, `ENDPOINT_FORBIDDEN`, `RATE_LIMITED`, `QUOTA_REQUESTS` */
	readonly admit: (
		request: Request,
		access: Pick<Access, "scope" | "rate" | "takesTokens">,
		reportAllowance: (allowance: Allowance) => void,
	) => Promise<ApiKey>;
	/** Rejects if the key of a request is no longer valid. Does not count against the rate limit. */
	readonly revalidate: (request: Request) => Promise<ApiKey>;
	/** Checks a key that a person has typed. A wrong key counts against the network of the request. @throws ServiceError `KEY_INVALID`, `KEYS_WRONG` */
	readonly signIn: (key: string, request: Request) => Promise<ApiKey>;
	/** Marks a request that the server makes itself for an authenticated caller, so that it is accepted without a key. */
	readonly trust: (request: Request, caller: ApiKey) => Request;
}

/** The API key that an access token stands for, see `server/oauth`; null if it is not an access token. */
export type KeyOfToken = (token: string) => Promise<ApiKey | null>;

/** The client's IP address; null if the request has no socket. */
export type AddressOf = (request: Request) => string | null;

/** @param defaultRate the limit of keys without their own; null for no limit */
export function createRequestGuard(
	{ accounts, takeToken }: Pick<Storage, "accounts" | "takeToken">,
	defaultRate: RateLimit | null,
	world: World,
	addressOf: AddressOf,
	keyOfToken: KeyOfToken,
): RequestGuard {
	const limiter = createKeyLimiter({ ...(takeToken && { takeToken }) }, world);
	const requestQuota = createRequestQuota(accounts, world);
	const wrongKeyError = createWrongKeys(world);
	const trustedRequests = new WeakMap<Request, ApiKey>();
	const revalidate = async (request: Request) => trustedRequests.get(request) ?? authenticate(keyOf(request.headers), accounts, world.now());

	/** A request without a key does not count as a wrong key. */
	function refusal(request: Request, thrown: unknown): unknown {
		const isWrongKey = thrown instanceof ServiceError && thrown.code === "KEY_INVALID" && keyOf(request.headers) !== null;
		return isWrongKey ? wrongKeyError(addressOf(request)) : thrown;
	}

	async function demandRate(key: ApiKey, reportAllowance: (allowance: Allowance) => void): Promise<void> {
		const limit = key.rateLimit ?? defaultRate;
		if (limit !== null) {
			const allowance = await limiter(key, limit);
			reportAllowance(allowance);
			if (!allowance.isAllowed) throw fail("RATE_LIMITED", limit.requestsMax, limit.windowMs / 1_000).after(allowance.waitMs);
		}
		const requestsMax = await requestQuota(key.organisation);
		if (requestsMax === null) return;
		const { isAllowed, waitMs } = await limiter({ id: key.organisation, organisation: key.organisation }, { requestsMax, windowMs: minuteMs });
		if (!isAllowed) throw fail("QUOTA_REQUESTS", requestsMax).after(waitMs);
	}

	return {
		revalidate,
		signIn: (key, request) =>
			authenticate(key, accounts, world.now()).catch((thrown: unknown) => {
				throw thrown instanceof ServiceError && thrown.code === "KEY_INVALID" ? wrongKeyError(addressOf(request)) : thrown;
			}),
		trust: (request, caller) => {
			trustedRequests.set(request, caller);
			return request;
		},
		admit: async (request, { scope, rate, takesTokens }, reportAllowance) => {
			const byToken = takesTokens === true ? await keyOfToken(keyOf(request.headers) ?? "") : null;
			const admitted = byToken === null ? revalidate(request) : Promise.resolve(byToken);
			const key = await admitted.catch((thrown: unknown) => {
				throw refusal(request, thrown);
			});
			if (scope !== "any") demandEndpoint(key, new URL(request.url).pathname);
			if (rate === "key") await demandRate(key, reportAllowance);
			return key;
		},
	};
}
