/** Authenticates a request: reads its key, finds the owner, and checks that the key is valid for this route. */

import { timingSafeEqual } from "node:crypto";
import { fail } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey } from "../../core/ports/account-store.ts";
import { hashKey } from "./keys.ts";

/** Longer than any key; such a value is not even hashed. */
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

/** Whether the key is enabled and has not expired. */
function holds({ isEnabled, expiresAt }: ApiKey, now: Date): boolean {
	return isEnabled && (expiresAt === null || expiresAt > now);
}

/** An allowed path covers itself and the paths below it, not others with the same prefix. @throws ServiceError `ENDPOINT_FORBIDDEN` */
export function demandEndpoint({ endpoints }: ApiKey, path: string): void {
	if (endpoints === null) return;
	if (!endpoints.some((endpoint) => path === endpoint || path.startsWith(`${endpoint}/`))) throw fail("ENDPOINT_FORBIDDEN", path, endpoints.join(", "));
}

/** The key in the headers; null when there is none. */
export function keyOf(headers: Headers): string | null {
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
	return bearer ?? headers.get("x-api-key");
}
