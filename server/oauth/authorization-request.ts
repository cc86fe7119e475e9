/** What a client asks for when it sends a person's browser here. Who asks and where the answer goes is checked before anything else. */

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
import type { Seal } from "./sealed.ts";

export interface AuthorizationRequest {
	readonly client: OAuthClient;
	readonly redirectUri: string;
	readonly state: string | null;
	readonly challenge: string;
	/** Whether it asks to write. */
	readonly writes: boolean;
}

export interface Reader {
	readonly issuer: string;
	readonly seal: Seal;
}

export type ReadRequest =
	| { readonly request: AuthorizationRequest }
	/** Nothing is sent to an address that the client has not registered: the person is told. */
	| { readonly problem: string }
	| { readonly redirect: string };

const stateMax = 2_000;

export function readAuthorization(query: URLSearchParams, { issuer, seal }: Reader): ReadRequest {
	const client = clientOf(seal, query.get("client_id") ?? "");
	if (client === null) return { problem: "This client is not registered here, or was registered with another server." };
	const redirectUri = query.get("redirect_uri") ?? "";
	if (!isRegistered(client, redirectUri)) return { problem: "The client asks for the answer at an address that it has not registered." };
	const state = query.get("state");
	const challenge = query.get("code_challenge") ?? "";
	const error = fault(query, issuer);
	if (error !== null) return { redirect: answerTo({ redirectUri, state, issuer }, errorAnswer(error)) };
	return { request: { client, redirectUri, state, challenge, writes: scopesOf(query).includes("write") } };
}

function fault(query: URLSearchParams, issuer: string): OAuthError | null {
	const twice = [...query.keys()].find((name, i, all) => all.indexOf(name) !== i);
	if (twice !== undefined) return new InvalidRequestError(`${twice.slice(0, 50)} stands there twice`);
	if (query.get("response_type") !== "code") return new UnsupportedResponseTypeError("response_type should be code");
	const isChallenge = /^[\w-]{43}$/.test(query.get("code_challenge") ?? "");
	if (!isChallenge || query.get("code_challenge_method") !== "S256")
		return new InvalidRequestError("code_challenge is needed, with code_challenge_method S256");
	if ((query.get("state") ?? "").length > stateMax) return new InvalidRequestError(`state should have ${stateMax} characters at most`);
	if (scopesOf(query).length === 0) return new InvalidScopeError(`scope should be of ${scopes.join(", ")}`);
	return wrongTarget(query.get("resource"), issuer);
}

/** Tokens are for `/mcp` of this server alone. */
export function wrongTarget(resource: string | null, issuer: string): OAuthError | null {
	return resource === null || resource === issuer + resourcePath ? null : new InvalidTargetError(`resource should be ${issuer}${resourcePath}`);
}

function scopesOf(query: URLSearchParams): readonly string[] {
	const asked =
		query
			.get("scope")
			?.split(" ")
			.filter((scope) => scope !== "") ?? [];
	return asked.length === 0 ? scopes : asked.filter((scope) => (scopes as readonly string[]).includes(scope));
}

export function errorAnswer(error: OAuthError): Readonly<Record<string, string>> {
	return { error: error.errorCode, error_description: error.message };
}

export const denied = new CustomOAuthError("access_denied", "the person has not allowed it");

/** The address that the browser goes back to; `iss` says who answers (RFC 9207). */
export function answerTo(
	{ redirectUri, state, issuer }: { readonly redirectUri: string; readonly state: string | null; readonly issuer: string },
	answer: Readonly<Record<string, string>>,
): string {
	const url = new URL(redirectUri);
	for (const [name, value] of Object.entries({ ...answer, ...(state === null ? {} : { state }), iss: issuer })) url.searchParams.set(name, value);
	return url.href;
}
