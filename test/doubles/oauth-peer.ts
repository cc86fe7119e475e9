/**
 * An authorization server: the authorization code flow with PKCE (RFC 6749, RFC 7636), refresh tokens that expire, are replaced or are
 * stolen (RFC 9700, section 4.14.2), revocation (RFC 7009), and codes for other devices (RFC 8628). The person at the browser agrees at once,
 * unless told otherwise; whoever types in a code is played by the test.
 */

import { createHash, randomUUID } from "node:crypto";

export interface OAuthReply {
	readonly status: number;
	readonly body: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

interface Grant {
	readonly scope: string;
	/** Whether it was given by a code, to a client without a secret. */
	readonly isOfDevice: boolean;
	/** The refresh token that is valid; null after a revocation. */
	refreshToken: string | null;
	/** All that this grant had before. */
	readonly replaced: Set<string>;
	readonly accessTokens: Map<string, number>;
}

interface Code {
	readonly redirectUri: string;
	/** Null where the service takes none. */
	readonly challenge: string | null;
	readonly scope: string;
	readonly isOffline: boolean;
}

interface DeviceCode {
	readonly userCode: string;
	readonly scope: string;
	readonly isOffline: boolean;
	readonly expiresAt: number;
	intervalMs: number;
	/** When it was last asked for. */
	asked: number;
	person: "waits" | "allows" | "denies";
}

export interface OAuthPeer {
	readonly clientId: string;
	readonly clientSecret: string;
	/** Redirect URIs that were registered; empty for any. */
	readonly redirectUris: Set<string>;
	/** What the person does. */
	person: "allows" | "denies" | "allows nothing";
	/** How long an access token lives, in seconds. */
	tokenLifeSeconds: number;
	/** Whether each refresh replaces the refresh token, and the use of a replaced one ends the grant. */
	rotates: boolean;
	/** How many times tokens were refreshed. */
	refreshes: number;
	/** Answers the next refreshes with these. */
	readonly troubles: OAuthReply[];
	/** Everything that must appear nowhere: tokens, codes, the client's secret. */
	readonly secrets: Set<string>;
	/** The queries with which browsers came. */
	readonly links: URLSearchParams[];
	readonly isAccepted: (accessToken: string) => boolean;
	/** Ends the grant of an access token, as services do that have their own way of it. */
	readonly end: (accessToken: string) => void;
	/** Ends what everybody has allowed, as on the account's page of connected apps. */
	readonly revokeAll: () => void;
	/** Makes the access tokens invalid before their time. */
	readonly expireTokens: () => void;
	/** Grants that are not revoked. */
	readonly liveGrants: () => number;
	/** How often codes may be asked for, in seconds. */
	pollSeconds: number;
	codeLifeSeconds: number;
	/** How often codes were asked for. */
	polls: number;
	/** The clock of codes, in milliseconds. */
	clock: () => number;
	/** Somebody types in a code. @returns false if there is none */
	readonly enter: (userCode: string, person?: "allows" | "denies") => boolean;
	/** Null for a path that is not its own. */
	readonly answer: (method: string, url: URL, body: string, authorization?: string) => OAuthReply | null;
}

/** How a service differs from the others. */
export interface OAuthDialect {
	readonly authorize: string;
	readonly token: string;
	/** Absent where tokens are revoked otherwise, or not at all. */
	readonly revoke?: string;
	/** Whether the link asks for a refresh token. */
	readonly isOffline: (query: URLSearchParams) => boolean;
	/** Whether PKCE stands in place of the client's secret, which is then refused. */
	readonly isPublic?: boolean;
	/** The scopes of which a token tells, of those that were asked for. */
	readonly granted?: (scope: string) => string;
	/** Where codes for other devices are given out, and the page where they are typed in. */
	readonly device?: { readonly path: string; readonly page: string };
	/** What it calls the refusal of the person at the other device. */
	readonly deniedError?: string;
	/** The status of errors. */
	readonly errorStatus?: number;
	/** Takes the secret in a header alone, JSON in place of forms, and no PKCE. */
	readonly isNotion?: boolean;
	/** What else it says with tokens. */
	readonly more?: Readonly<Record<string, unknown>>;
	/** Whether access tokens tell when they end. */
	readonly tellsExpiry?: boolean;
}

const slowerMs = 5_000;

export function createOAuthPeer({ isOffline, isPublic = false, granted = (scope) => scope, isNotion = false, ...paths }: OAuthDialect): OAuthPeer {
	const deviceCodes = new Map<string, DeviceCode>();
	const refusal = (status: number, error: string, description?: string): OAuthReply => ({
		status: paths.errorStatus ?? status,
		body: { error, ...(description !== undefined && { error_description: description }) },
	});
	const codes = new Map<string, Code>();
	const grants: Grant[] = [];
	const fresh = (kind: string) => {
		const value = `${kind}-${randomUUID()}`;
		peer.secrets.add(value);
		return value;
	};

	function authorize(query: URLSearchParams): OAuthReply {
		peer.links.push(query);
		const redirectUri = query.get("redirect_uri") ?? "";
		if (query.get("client_id") !== peer.clientId || query.get("response_type") !== "code") return page(400, "invalid_request");
		if (peer.redirectUris.size > 0 && !peer.redirectUris.has(redirectUri)) return page(400, "redirect_uri_mismatch");
		if (isNotion ? query.has("code_challenge") : query.get("code_challenge_method") !== "S256" || !query.get("code_challenge"))
			return page(400, isNotion ? "unknown parameter" : "a code challenge is required");
		const back = new URL(redirectUri);
		back.searchParams.set("state", query.get("state") ?? "");
		if (peer.person === "denies") back.searchParams.set("error", "access_denied");
		else {
			const code = fresh("code");
			const scope = peer.person === "allows nothing" ? "openid" : granted(query.get("scope") ?? "");
			codes.set(code, { redirectUri, challenge: query.get("code_challenge"), scope, isOffline: isOffline(query) });
			back.searchParams.set("code", code);
			back.searchParams.set("scope", scope);
		}
		return { status: 302, body: null, headers: { location: back.href } };
	}

	function token(form: URLSearchParams, authorization: string): OAuthReply {
		if (form.get("grant_type") === "urn:ietf:params:oauth:grant-type:device_code") return exchangeDevice(form);
		// Whoever signed in with a code is a client without a secret.
		const isOfDevice = grants.some((grant) => grant.isOfDevice && grant.refreshToken === form.get("refresh_token"));
		if (isOfDevice) return form.has("client_secret") ? refusal(401, "invalid_client", "Client is public so no secret should be presented.") : refresh(form);
		if (isNotion) {
			const expected = `Basic ${Buffer.from(`${peer.clientId}:${peer.clientSecret}`).toString("base64")}`;
			if (authorization !== expected) return refusal(401, "invalid_client");
			if (["client_id", "client_secret", "code_verifier"].some((name) => form.has(name))) return refusal(400, "validation_error", "body failed validation");
			return form.get("grant_type") === "refresh_token" ? refresh(form) : exchange(form);
		}
		if (isPublic && form.has("client_secret")) return refusal(400, "invalid_request", "client_secret and code_verifier exclude each other.");
		if (form.get("client_id") !== peer.clientId || (!isPublic && form.get("client_secret") !== peer.clientSecret))
			return refusal(401, "invalid_client", "The OAuth client was not found.");
		return form.get("grant_type") === "refresh_token" ? refresh(form) : exchange(form);
	}

	function exchange(form: URLSearchParams): OAuthReply {
		const code = codes.get(form.get("code") ?? "");
		codes.delete(form.get("code") ?? "");
		if (code === undefined) return refusal(400, "invalid_grant", "Malformed auth code.");
		if (code.redirectUri !== form.get("redirect_uri")) return refusal(400, "redirect_uri_mismatch");
		const challenge = createHash("sha256")
			.update(form.get("code_verifier") ?? "")
			.digest("base64url");
		if (code.challenge !== null && challenge !== code.challenge) return refusal(400, "invalid_grant", "Invalid code verifier.");
		return grantFor(code.scope, code.isOffline, false);
	}

	function grantFor(scope: string, isOffline: boolean, isOfDevice: boolean): OAuthReply {
		const grant: Grant = { scope, isOfDevice, refreshToken: fresh("refresh"), replaced: new Set(), accessTokens: new Map() };
		grants.push(grant);
		return issue(grant, isOffline);
	}

	function beginDevice(form: URLSearchParams): OAuthReply {
		if (form.get("client_id") !== peer.clientId) return refusal(401, "invalid_client");
		const [deviceCode, userCode] = [fresh("device"), randomUUID().slice(0, 8).toUpperCase()];
		const scope = granted(form.get("scope") ?? "");
		const expiresAt = peer.clock() + peer.codeLifeSeconds * 1_000;
		deviceCodes.set(deviceCode, {
			userCode,
			scope,
			isOffline: isOffline(form),
			expiresAt,
			intervalMs: peer.pollSeconds * 1_000,
			asked: Number.NEGATIVE_INFINITY,
			person: "waits",
		});
		const body = { device_code: deviceCode, user_code: userCode, verification_uri: paths.device?.page };
		return { status: 200, body: { ...body, expires_in: peer.codeLifeSeconds, interval: peer.pollSeconds } };
	}

	/** RFC 8628, section 3.5. */
	function exchangeDevice(form: URLSearchParams): OAuthReply {
		peer.polls += 1;
		if (form.get("client_id") !== peer.clientId || form.has("client_secret")) return refusal(401, "invalid_client");
		const deviceCode = form.get("device_code") ?? "";
		const code = deviceCodes.get(deviceCode);
		if (code === undefined) return refusal(400, "bad_verification_code");
		const [now, wait] = [peer.clock(), code.intervalMs];
		const isTooSoon = now - code.asked < wait;
		code.asked = now;
		if (code.expiresAt <= now) return refusal(400, "expired_token", "The code has expired.");
		if (isTooSoon) {
			code.intervalMs += slowerMs;
			return refusal(400, "slow_down");
		}
		if (code.person === "waits") return refusal(400, "authorization_pending");
		deviceCodes.delete(deviceCode);
		return code.person === "denies" ? refusal(400, paths.deniedError ?? "access_denied") : grantFor(code.scope, code.isOffline, true);
	}

	function refresh(form: URLSearchParams): OAuthReply {
		const trouble = peer.troubles.shift();
		if (trouble !== undefined) return trouble;
		const given = form.get("refresh_token") ?? "";
		const stolen = grants.find(({ replaced }) => replaced.has(given));
		if (stolen !== undefined) end(stolen);
		const grant = grants.find(({ refreshToken }) => refreshToken === given);
		if (grant === undefined) return refusal(400, "invalid_grant", "Token has been expired or revoked.");
		peer.refreshes += 1;
		if (!peer.rotates) return issue(grant, false);
		grant.replaced.add(given);
		grant.refreshToken = fresh("refresh");
		return issue(grant, true);
	}

	function issue(grant: Grant, withRefreshToken: boolean): OAuthReply {
		const accessToken = fresh("access");
		grant.accessTokens.set(accessToken, Date.now() + peer.tokenLifeSeconds * 1_000);
		const expiry = paths.tellsExpiry === false ? {} : { expires_in: peer.tokenLifeSeconds };
		const body = { access_token: accessToken, ...expiry, ...(!isNotion && { scope: grant.scope }), token_type: "bearer", ...paths.more };
		return { status: 200, body: { ...body, ...(withRefreshToken && { refresh_token: grant.refreshToken }) } };
	}

	function revoke(form: URLSearchParams): OAuthReply {
		const given = form.get("token") ?? "";
		const grant = grants.find(({ refreshToken, accessTokens }) => refreshToken === given || accessTokens.has(given));
		if (grant === undefined) return refusal(400, "invalid_token", "Token is not revocable.");
		end(grant);
		return { status: 200, body: {} };
	}

	const peer: OAuthPeer = {
		clientId: "client-of-the-test.apps.example",
		clientSecret: "GOCSPX-secret-of-the-test",
		redirectUris: new Set(),
		person: "allows",
		tokenLifeSeconds: 3_600,
		rotates: false,
		refreshes: 0,
		troubles: [],
		secrets: new Set(["GOCSPX-secret-of-the-test"]),
		links: [],
		isAccepted: (accessToken) => grants.some(({ accessTokens }) => (accessTokens.get(accessToken) ?? 0) > Date.now()),
		end: (accessToken) => grants.filter(({ accessTokens }) => accessTokens.has(accessToken)).forEach(end),
		revokeAll: () => grants.forEach(end),
		expireTokens: () => {
			for (const { accessTokens } of grants) accessTokens.clear();
		},
		liveGrants: () => grants.filter(({ refreshToken }) => refreshToken !== null).length,
		...{ pollSeconds: 5, codeLifeSeconds: 900, polls: 0, clock: Date.now },
		enter: (userCode, person = "allows") => {
			const code = [...deviceCodes.values()].find((one) => one.userCode === userCode && one.expiresAt > peer.clock());
			if (code !== undefined) code.person = person;
			return code !== undefined;
		},
		answer: (method, url, body, authorization = "") => {
			if (method === "GET" && url.pathname === paths.authorize) return authorize(url.searchParams);
			if (method !== "POST") return null;
			const form = () => (isNotion ? new URLSearchParams(Object.entries(JSON.parse(body) as Record<string, string>)) : new URLSearchParams(body));
			if (url.pathname === paths.token) return token(form(), authorization);
			if (url.pathname === paths.revoke) return revoke(form());
			if (url.pathname === paths.device?.path) return beginDevice(form());
			return null;
		},
	};
	return peer;
}

function end(grant: Grant): void {
	grant.refreshToken = null;
	grant.accessTokens.clear();
}

function page(status: number, words: string): OAuthReply {
	return { status, body: { page: words } };
}
