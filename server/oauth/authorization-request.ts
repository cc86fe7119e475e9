/** Validates the authorization request of an OAuth client. The client and its redirect URI are checked before anything else. */

import {
	CustomOAuthError,
	InvalidRequestError,
	InvalidScopeError,
	InvalidTargetError,
	type OAuthError,
	UnsupportedResponseTypeError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { clientOf, isRegistered, type OAuthClient } from "./clients.ts";
import { resourcePath, scopes } from "./metadata.ts";
import type { ValueSigner } from "./value-signer.ts";

export interface AuthorizationRequest {
	readonly client: OAuthClient;
	readonly redirectUri: string;
	readonly state: string | null;
	readonly challenge: string;
	/** Whether the client asks for write access. */
	readonly writes: boolean;
}

export interface ReadContext {
	readonly issuer: string;
	readonly signer: ValueSigner;
}

export type AuthorizationRequestResult =
	| { readonly request: AuthorizationRequest }
	/** A message for the person: the browser is never redirected to a URI that the client has not registered. */
	| { readonly problem: string }
	/** A redirect URL that tells the client about its error. */
	| { readonly redirect: string };

const stateCharactersMax = 2_000;

export function readAuthorization(query: URLSearchParams, { issuer, signer }: ReadContext): AuthorizationRequestResult {
	const client = clientOf(signer, query.get("client_id") ?? "");
	if (client === null) return { problem: "This client is not registered here, or was registered with another server." };
	const redirectUri = query.get("redirect_uri") ?? "";
	if (!isRegistered(client, redirectUri)) return { problem: "The client asks for a redirect to an address that it has not registered." };
	const state = query.get("state");
	const challenge = query.get("code_challenge") ?? "";
	const error = requestError(query, issuer);
	if (error !== null) return { redirect: redirectUrl({ redirectUri, state, issuer }, errorParameters(error)) };
	return { request: { client, redirectUri, state, challenge, writes: scopesOf(query).includes("write") } };
}

function requestError(query: URLSearchParams, issuer: string): OAuthError | null {
	const repeatedName = [...query.keys()].find((name, i, all) => all.indexOf(name) !== i);
	if (repeatedName !== undefined) return new InvalidRequestError(`${repeatedName.slice(0, 50)} is given twice`);
	if (query.get("response_type") !== "code") return new UnsupportedResponseTypeError("response_type should be code");
	const isChallenge = /^[\w-]{43}$/.test(query.get("code_challenge") ?? "");
	if (!isChallenge || query.get("code_challenge_method") !== "S256")
		return new InvalidRequestError("code_challenge is needed, with code_challenge_method S256");
	if ((query.get("state") ?? "").length > stateCharactersMax) return new InvalidRequestError(`state should have ${stateCharactersMax} characters at most`);
	if (scopesOf(query).length === 0) return new InvalidScopeError(`scope should contain one of ${scopes.join(", ")}`);
	return resourceError(query.get("resource"), issuer);
}

/** An error if tokens are requested for another resource than `/mcp` of this server. */
export function resourceError(resource: string | null, issuer: string): OAuthError | null {
	return resource === null || resource === issuer + resourcePath ? null : new InvalidTargetError(`resource should be ${issuer}${resourcePath}`);
}

function scopesOf(query: URLSearchParams): readonly string[] {
	const requestedScopes =
		query
			.get("scope")
			?.split(" ")
			.filter((scope) => scope !== "") ?? [];
	return requestedScopes.length === 0 ? scopes : requestedScopes.filter((scope) => (scopes as readonly string[]).includes(scope));
}

export function errorParameters(error: OAuthError): Readonly<Record<string, string>> {
	return { error: error.errorCode, error_description: error.message };
}

export const accessDenied = new CustomOAuthError("access_denied", "the person has denied access");

/** The URL that the browser is redirected to, with the response in its query. `iss` names this server (RFC 9207). */
export function redirectUrl(
	{ redirectUri, state, issuer }: { readonly redirectUri: string; readonly state: string | null; readonly issuer: string },
	parameters: Readonly<Record<string, string>>,
): string {
	const url = new URL(redirectUri);
	for (const [name, value] of Object.entries({ ...parameters, ...(state === null ? {} : { state }), iss: issuer })) url.searchParams.set(name, value);
	return url.href;
}
