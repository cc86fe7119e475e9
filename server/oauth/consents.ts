/**
 * Stores what a person has allowed a client: one record per consent, with the hashes of its code and tokens. Tokens are short-lived,
 * change with every refresh, and become invalid with the API key that the person signed in with.
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
import { accessMs, type Consent, recordKind } from "./consent-record.ts";
import { limitKey, type Permission } from "./permission.ts";

/** The lifetime of a code. The browser passes it to the client within seconds. */
const codeMs = 60_000;
/** A client that is not used for this long has to ask the person again. */
const refreshMs = 30 * 24 * 60 * 60_000;

export interface ConsentRequest extends Permission {
	readonly client: OAuthClient;
	readonly redirectUri: string;
	readonly challenge: string;
}

export interface CodeExchange {
	readonly code: string;
	readonly clientId: string;
	readonly redirectUri: string;
	readonly verifier: string;
}

export interface Consents {
	/** @returns a code, which can be used once within a minute */
	readonly begin: (key: ApiKey, kindWanted: ConsentRequest) => Promise<string>;
	/** @throws InvalidGrantError */
	readonly exchange: (given: CodeExchange) => Promise<OAuthTokens>;
	/** If an already used token comes again, it may be stolen: the consent and all its tokens are removed. @throws InvalidGrantError */
	readonly refresh: (token: string, clientId: string) => Promise<OAuthTokens>;
	readonly revoke: (token: string) => Promise<void>;
	/** The key of an access token, limited to the rights that were allowed; null if the token or the key is no longer valid. */
	readonly keyOf: (token: string) => Promise<ApiKey | null>;
}

/** Codes and tokens start with `sm_` like API keys, so that the filter that removes keys from the log removes them too. */
const tokenPattern = /^sm_(code|access|refresh)_([1-9A-HJ-NP-Za-km-z]{22})_([1-9A-HJ-NP-Za-km-z]{22})_[\w-]{43}$/;

export function createConsents({ storage, world }: { readonly storage: Storage; readonly world: World }): Consents {
	const records = (organisation: string) => storage.organisation(asId<OrganisationId>(organisation)).records;

	async function find(token: string, kindWanted: "code" | "access" | "refresh") {
		const [, tokenKind, organisation = "", id = ""] = tokenPattern.exec(token) ?? [];
		if (tokenKind !== kindWanted) return null;
		const found = await records(organisation).get(recordKind, id, world.now());
		return found === null ? null : { organisation, id, version: found.version, consent: found.value as unknown as Consent };
	}

	async function keyOf(organisation: string, consent: Consent): Promise<ApiKey | null> {
		const key = (await storage.accounts.keys(asId<OrganisationId>(organisation))).find(({ id }) => id === consent.keyId);
		return key !== undefined && isValid(key, world.now()) ? limitKey(key, consent) : null;
	}

	async function renew({ organisation, id, version, consent }: NonNullable<Awaited<ReturnType<typeof find>>>): Promise<OAuthTokens> {
		if ((await keyOf(organisation, consent)) === null) throw new InvalidGrantError("the API key of the consent is no longer valid");
		const [access, refresh] = [makeToken("access", organisation, id), makeToken("refresh", organisation, id)];
		const now = world.now();
		const next: Consent = { ...consent, isCodeUsed: true, access: sha256(access), accessUntil: now.getTime() + accessMs, refresh: sha256(refresh) };
		const options = { expected: version, expiresAt: new Date(now.getTime() + refreshMs), now };
		if ((await records(organisation).put(recordKind, id, next as unknown as Json, options)) === null)
			throw new InvalidGrantError("the code or token was used twice at the same time");
		return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: accessMs / 1_000, scope: scopeOf(consent) };
	}

	return {
		begin: async ({ organisation, id: keyId }, { client: requestingClient, redirectUri, challenge, role, containerTag }) => {
			const id = newId<KeyId>(world.randomBytes);
			const code = makeToken("code", organisation, id);
			const now = world.now();
			const codeUntil = now.getTime() + codeMs;
			const client = sha256(requestingClient.id);
			const unused = { isCodeUsed: false, access: "", accessUntil: 0, refresh: "" };
			const given = { clientName: requestingClient.name, givenAt: now.getTime() };
			const consent: Consent = { keyId, client, redirectUri, challenge, role, containerTag, code: sha256(code), codeUntil, ...given, ...unused };
			await records(organisation).put(recordKind, id, consent as unknown as Json, { expected: 0, expiresAt: new Date(codeUntil), now });
			const facts = { by: keyId, client: requestingClient.name, origin: new URL(redirectUri).host, role, containerTag };
			await storage.organisation(organisation).events.append({ type: "client.allowed", at: now, subject: id, containerTags: [], facts });
			return code;
		},
		exchange: async ({ code, clientId, redirectUri, verifier }) => {
			const found = await find(code, "code");
			if (found === null || !isEqual(found.consent.code, sha256(code))) throw new InvalidGrantError("the code is unknown or has expired");
			const { consent, organisation, id } = found;
			const matchesRequest = consent.client === sha256(clientId) && consent.redirectUri === redirectUri && isEqual(consent.challenge, codeChallenge(verifier));
			if (consent.isCodeUsed || !matchesRequest || world.now().getTime() >= consent.codeUntil) {
				// A second use, or a use without the verifier, suggests a stolen code: the consent and its tokens are removed.
				await records(organisation).remove(recordKind, id);
				throw new InvalidGrantError("the code was used before, or belongs to another request");
			}
			return renew(found);
		},
		refresh: async (token, clientId) => {
			const found = await find(token, "refresh");
			if (found === null || found.consent.client !== sha256(clientId)) throw new InvalidGrantError("the token is unknown or has expired");
			if (!isEqual(found.consent.refresh, sha256(token))) {
				await records(found.organisation).remove(recordKind, found.id);
				throw new InvalidGrantError("the token was used before, so the consent and all its tokens were removed");
			}
			return renew(found);
		},
		revoke: async (token) => {
			for (const tokenKind of ["access", "refresh"] as const) {
				const found = await find(token, tokenKind);
				if (found !== null && isEqual(found.consent[tokenKind], sha256(token))) await records(found.organisation).remove(recordKind, found.id);
			}
		},
		keyOf: async (token) => {
			const found = await find(token, "access");
			if (found === null || !isEqual(found.consent.access, sha256(token)) || world.now().getTime() >= found.consent.accessUntil) return null;
			return keyOf(found.organisation, found.consent);
		},
	};
}

function makeToken(tokenKind: "code" | "access" | "refresh", organisation: string, id: string): string {
	return `sm_${tokenKind}_${organisation}_${id}_${randomBytes(32).toString("base64url")}`;
}

/** SHA-256 is enough: tokens have 256 random bits, so a slow password hash is not needed. */
function sha256(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}

/** The PKCE code challenge by method S256 (RFC 7636). */
function codeChallenge(verifier: string): string {
	return createHash("sha256").update(verifier).digest("base64url");
}

function isEqual(a: string, b: string): boolean {
	return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

export function scopeOf({ role }: Permission): string {
	return role === "write" ? "read write" : "read";
}
