/** The OAuth metadata documents: which server issues tokens for `/mcp` (RFC 9728), and the endpoints of that server (RFC 8414). */

import type { OAuthMetadata, OAuthProtectedResourceMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";

export const scopes = ["read", "write"] as const;
export const resourcePath = "/mcp";
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

export const oauthPaths = { authorize: "/oauth/authorize", token: "/oauth/token", register: "/oauth/register", revoke: "/oauth/revoke" } as const;

/** @param issuer the URL of this server, without a trailing slash */
export function resourceMetadata(issuer: string): OAuthProtectedResourceMetadata {
	return {
		resource: issuer + resourcePath,
		authorization_servers: [issuer],
		scopes_supported: [...scopes],
		bearer_methods_supported: ["header"],
		resource_name: "Cairn",
		resource_documentation: `${issuer}/docs/mcp`,
	};
}

export function serverMetadata(issuer: string): OAuthMetadata {
	return {
		issuer,
		authorization_endpoint: issuer + oauthPaths.authorize,
		token_endpoint: issuer + oauthPaths.token,
		registration_endpoint: issuer + oauthPaths.register,
		revocation_endpoint: issuer + oauthPaths.revoke,
		scopes_supported: [...scopes],
		response_types_supported: ["code"],
		response_modes_supported: ["query"],
		grant_types_supported: ["authorization_code", "refresh_token"],
		token_endpoint_auth_methods_supported: ["none"],
		revocation_endpoint_auth_methods_supported: ["none"],
		code_challenge_methods_supported: ["S256"],
		authorization_response_iss_parameter_supported: true,
		service_documentation: `${issuer}/docs/mcp`,
	};
}

/** The `WWW-Authenticate` header of a 401 response of `/mcp`. It tells a client where the metadata is. */
export function wwwAuthenticate(issuer: string, hasToken: boolean): string {
	const error = hasToken ? 'error="invalid_token", ' : "";
	return `Bearer ${error}resource_metadata="${issuer}${resourceMetadataPath}${resourcePath}", scope="${scopes.join(" ")}"`;
}
