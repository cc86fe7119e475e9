/**
 * Dynamic client registration (RFC 7591). A client's id contains its name and redirect URIs, signed by this server. Nothing is stored,
 * so nobody can fill the disk by registering. Clients are public (they have no secret): PKCE binds a code to the client that requested it.
 */

import { InvalidClientMetadataError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { type OAuthClientInformationFull, OAuthClientMetadataSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { ValueSigner } from "./value-signer.ts";

export interface OAuthClient {
	readonly id: string;
	/** The name that the client has registered; nobody has verified it. */
	readonly name: string;
	readonly redirectUris: readonly string[];
}

const purpose = "client";
const redirectsMax = 10;
const uriCharactersMax = 500;
const nameCharactersMax = 80;
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** URI schemes that browsers handle themselves or that read local files. All other schemes may belong to apps (RFC 8252). */
const forbiddenSchemes = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "ftp:", "ws:", "wss:", "view-source:", "filesystem:"]);

/** @throws InvalidClientMetadataError */
export function registerClient(signer: ValueSigner, metadata: unknown, now: Date): OAuthClientInformationFull {
	const parsed = OAuthClientMetadataSchema.safeParse(metadata);
	if (!parsed.success) throw new InvalidClientMetadataError("redirect_uris should be a list of URIs");
	const { redirect_uris: uris, client_name = "An unnamed client" } = parsed.data;
	if (uris.length === 0 || uris.length > redirectsMax) throw new InvalidClientMetadataError(`redirect_uris should contain 1 to ${redirectsMax} URIs`);
	const invalidUri = uris.find((uri) => !isAllowedRedirectUri(uri));
	if (invalidUri !== undefined)
		throw new InvalidClientMetadataError("a redirect URI should use https, http on this machine, or the scheme of an app, and have no fragment");
	const name = client_name.replaceAll(/\p{C}/gu, " ").slice(0, nameCharactersMax);
	return {
		client_id: signer.sign(purpose, { name, redirectUris: uris }),
		client_id_issued_at: Math.floor(now.getTime() / 1_000),
		client_name: name,
		redirect_uris: uris,
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
		token_endpoint_auth_method: "none",
	};
}

export function clientOf(signer: ValueSigner, id: string): OAuthClient | null {
	const payload = signer.verify(purpose, id);
	return payload === null ? null : { id, name: String(payload["name"]), redirectUris: payload["redirectUris"] as readonly string[] };
}

function isAllowedRedirectUri(uri: string): boolean {
	if (uri.length > uriCharactersMax || !URL.canParse(uri)) return false;
	const { protocol, hostname, hash, username } = new URL(uri);
	if (hash !== "" || uri.includes("#") || username !== "" || forbiddenSchemes.has(protocol)) return false;
	return protocol !== "http:" || loopbackHosts.has(hostname);
}

/** Whether the URI equals a registered one. For loopback URIs the port may differ, since a client listens on any free port (RFC 8252, 7.3). */
export function isRegistered({ redirectUris }: OAuthClient, uri: string): boolean {
	return redirectUris.some(
		(registered) => registered === uri || (loopbackUriWithoutPort(registered) !== null && loopbackUriWithoutPort(registered) === loopbackUriWithoutPort(uri)),
	);
}

function loopbackUriWithoutPort(uri: string): string | null {
	if (!URL.canParse(uri)) return null;
	const url = new URL(uri);
	if (url.protocol !== "http:" || !loopbackHosts.has(url.hostname) || url.username !== "" || uri.includes("#")) return null;
	url.port = "";
	return url.href;
}
