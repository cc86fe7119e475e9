/** Who is asking: reads the key from the request, finds whose it is, and whether it still holds here. */

import { timingSafeEqual } from "node:crypto";
import { fail } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey } from "../../core/ports/account-store.ts";
import { hashKey } from "./keys.ts";

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
