/** Who is asking: reads the key from the request and finds its organisation. */

import { timingSafeEqual } from "node:crypto";
import { fail } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey } from "../../core/ports/account-store.ts";
import { hashKey } from "./keys.ts";

/** Longer than any key of ours: not even hashed. */
const keyCharactersMax = 1_024;

/**
 * @throws ServiceError `KEY_INVALID`, the same for a missing, a malformed and an unknown key
 */
export async function authenticate(headers: Headers, accounts: AccountStore): Promise<ApiKey> {
	const given = keyOf(headers);
	if (given === null || given.length > keyCharactersMax) throw fail("KEY_INVALID");
	const hash = hashKey(given);
	const known = await accounts.keyByHash(hash);
	if (known === null || !timingSafeEqual(Buffer.from(known.hash), Buffer.from(hash))) throw fail("KEY_INVALID");
	return known;
}

function keyOf(headers: Headers): string | null {
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
	return bearer ?? headers.get("x-api-key");
}
