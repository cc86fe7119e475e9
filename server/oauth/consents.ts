/**
 * What a person has allowed a client: one record for each, with the hashes of its code and tokens. Tokens are short-lived, change with
 * every refresh, and end with the key that the person signed in with.
 */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { InvalidGrantError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { asId, type KeyId, newId, type OrganisationId } from "../../core/model/id.ts";
import type { Json } from "../../core/model/json.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import { isValid } from "../auth/request-guard.ts";
import type { OAuthClient } from "./clients.ts";
import { narrowed, type Permission } from "./permission.ts";

/** A browser is back with its client within seconds. */
const codeMs = 60_000;
const accessMs = 15 * 60_000;
/** A client that nobody uses for so long asks again. */
const refreshMs = 30 * 24 * 60 * 60_000;
const kind = "consent";

interface Consent extends Permission {
	readonly keyId: string;
	readonly client: string;
	readonly redirectUri: string;
	readonly challenge: string;
	readonly code: string;
	readonly codeUntil: number;
	readonly isCodeUsed: boolean;
	readonly access: string;
	readonly accessUntil: number;
	readonly refresh: string;
}

export interface Wanted extends Permission {
	readonly client: OAuthClient;
	readonly redirectUri: string;
	readonly challenge: string;
}

export interface Exchange {
	readonly code: string;
	readonly clientId: string;
	readonly redirectUri: string;
	readonly verifier: string;
}

export interface Consents {
	/** @returns a code, which is good once and for a minute. */
	readonly begin: (key: ApiKey, wanted: Wanted) => Promise<string>;
	/** @throws InvalidGrantError */
	readonly exchange: (given: Exchange) => Promise<OAuthTokens>;
	/** The token that was used before ends all: one of two who hold it has stolen it. @throws InvalidGrantError */
	readonly refresh: (token: string, clientId: string) => Promise<OAuthTokens>;
	readonly revoke: (token: string) => Promise<void>;
	/** The key of an access token, with no more rights than were allowed; null when the token or the key is good no more. */
	readonly keyOf: (token: string) => Promise<ApiKey | null>;
}

/** All three begin as keys do, so that what keeps keys out of the log keeps these out. */
const form = /^sm_(code|access|refresh)_([1-9A-HJ-NP-Za-km-z]{22})_([1-9A-HJ-NP-Za-km-z]{22})_[\w-]{43}$/;

export function createConsents({ storage, world }: { readonly storage: Storage; readonly world: World }): Consents {
	const records = (organisation: string) => storage.organisation(asId<OrganisationId>(organisation)).records;

	async function find(token: string, wanted: "code" | "access" | "refresh") {
		const [, sort, organisation = "", id = ""] = form.exec(token) ?? [];
		if (sort !== wanted) return null;
		const found = await records(organisation).get(kind, id, world.now());
		return found === null ? null : { organisation, id, version: found.version, consent: found.value as unknown as Consent };
	}

	async function keyOf(organisation: string, consent: Consent): Promise<ApiKey | null> {
		const key = (await storage.accounts.keys(asId<OrganisationId>(organisation))).find(({ id }) => id === consent.keyId);
		return key !== undefined && isValid(key, world.now()) ? narrowed(key, consent) : null;
	}

	async function renew({ organisation, id, version, consent }: NonNullable<Awaited<ReturnType<typeof find>>>): Promise<OAuthTokens> {
		if ((await keyOf(organisation, consent)) === null) throw new InvalidGrantError("the key that allowed it is good no more");
		const [access, refresh] = [makeToken("access", organisation, id), makeToken("refresh", organisation, id)];
		const now = world.now();
		const next: Consent = { ...consent, isCodeUsed: true, access: hashed(access), accessUntil: now.getTime() + accessMs, refresh: hashed(refresh) };
		const options = { expected: version, expiresAt: new Date(now.getTime() + refreshMs), now };
		if ((await records(organisation).put(kind, id, next as unknown as Json, options)) === null) throw new InvalidGrantError("it was used at the same moment");
		return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: accessMs / 1_000, scope: scopeOf(consent) };
	}

	return {
		begin: async ({ organisation, id: keyId }, { client: asking, redirectUri, challenge, role, containerTag }) => {
			const id = newId<KeyId>(world.randomBytes);
			const code = makeToken("code", organisation, id);
			const now = world.now();
			const until = now.getTime() + codeMs;
			const client = hashed(asking.id);
			const unused = { isCodeUsed: false, access: "", accessUntil: 0, refresh: "" };
			const consent: Consent = { keyId, client, redirectUri, challenge, role, containerTag, code: hashed(code), codeUntil: until, ...unused };
			await records(organisation).put(kind, id, consent as unknown as Json, { expected: 0, expiresAt: new Date(until), now });
			const facts = { by: keyId, client: asking.name, origin: new URL(redirectUri).host, role, containerTag };
			await storage.organisation(organisation).events.append({ type: "client.allowed", at: now, subject: id, containerTags: [], facts });
			return code;
		},
		exchange: async ({ code, clientId, redirectUri, verifier }) => {
			const found = await find(code, "code");
			if (found === null || !isSame(found.consent.code, hashed(code))) throw new InvalidGrantError("the code is unknown or too old");
			const { consent, organisation, id } = found;
			const isRight = consent.client === hashed(clientId) && consent.redirectUri === redirectUri && isSame(consent.challenge, challengeOf(verifier));
			if (consent.isCodeUsed || !isRight || world.now().getTime() >= consent.codeUntil) {
				// Who comes second, or without the verifier, has the code from elsewhere: what was made of it ends.
				await records(organisation).remove(kind, id);
				throw new InvalidGrantError("the code was used before, or belongs to another request");
			}
			return renew(found);
		},
		refresh: async (token, clientId) => {
			const found = await find(token, "refresh");
			if (found === null || found.consent.client !== hashed(clientId)) throw new InvalidGrantError("the token is unknown or too old");
			if (!isSame(found.consent.refresh, hashed(token))) {
				await records(found.organisation).remove(kind, found.id);
				throw new InvalidGrantError("the token was used before: everything that was allowed with it has ended");
			}
			return renew(found);
		},
		revoke: async (token) => {
			for (const sort of ["access", "refresh"] as const) {
				const found = await find(token, sort);
				if (found !== null && isSame(found.consent[sort], hashed(token))) await records(found.organisation).remove(kind, found.id);
			}
		},
		keyOf: async (token) => {
			const found = await find(token, "access");
			if (found === null || !isSame(found.consent.access, hashed(token)) || world.now().getTime() >= found.consent.accessUntil) return null;
			return keyOf(found.organisation, found.consent);
		},
	};
}

function makeToken(sort: "code" | "access" | "refresh", organisation: string, id: string): string {
	return `sm_${sort}_${organisation}_${id}_${randomBytes(32).toString("base64url")}`;
}

/** With 256 random bits no slow hash is needed. */
function hashed(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}

/** PKCE by S256 (RFC 7636). */
function challengeOf(verifier: string): string {
	return createHash("sha256").update(verifier).digest("base64url");
}

function isSame(a: string, b: string): boolean {
	return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

export function scopeOf({ role }: Permission): string {
	return role === "write" ? "read write" : "read";
}
