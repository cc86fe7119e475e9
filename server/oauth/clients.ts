/**
 * Dynamic client registration (RFC 7591). A client's id holds its name and its redirect addresses, sealed: nothing is stored, so nobody
 * can fill the disk by registering. Clients are public, they have no secret: PKCE binds a code to who asked for it.
 */

import { InvalidClientMetadataError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { type OAuthClientInformationFull, OAuthClientMetadataSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Seal } from "./sealed.ts";

export interface OAuthClient {
	readonly id: string;
	/** As it calls itself; nobody has checked it. */
	readonly name: string;
	readonly redirectUris: readonly string[];
}

const purpose = "client";
const redirectsMax = 10;
const charactersMax = 500;
const nameMax = 80;
const loopback = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** Schemes that a browser handles itself, or that read what lies on the machine. Those of apps are open, as RFC 8252 has them. */
const forbidden = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "ftp:", "ws:", "wss:", "view-source:", "filesystem:"]);

/** @throws InvalidClientMetadataError */
export function registerClient(seal: Seal, metadata: unknown, now: Date): OAuthClientInformationFull {
	const read = OAuthClientMetadataSchema.safeParse(metadata);
	if (!read.success) throw new InvalidClientMetadataError("redirect_uris should be a list of addresses");
	const { redirect_uris: uris, client_name = "An unnamed client" } = read.data;
	if (uris.length === 0 || uris.length > redirectsMax) throw new InvalidClientMetadataError(`redirect_uris should be 1 to ${redirectsMax} addresses`);
	const wrong = uris.find((uri) => !mayRedirect(uri));
	if (wrong !== undefined)
		throw new InvalidClientMetadataError("a redirect address is https, http on this machine, or the scheme of an app, without a fragment");
	const name = client_name.replaceAll(/\p{C}/gu, " ").slice(0, nameMax);
	return {
		client_id: seal.seal(purpose, { name, redirectUris: uris }),
		client_id_issued_at: Math.floor(now.getTime() / 1_000),
		client_name: name,
		redirect_uris: uris,
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
		token_endpoint_auth_method: "none",
	};
}

export function clientOf(seal: Seal, id: string): OAuthClient | null {
	const opened = seal.open(purpose, id);
	return opened === null ? null : { id, name: String(opened["name"]), redirectUris: opened["redirectUris"] as readonly string[] };
}

function mayRedirect(uri: string): boolean {
	if (uri.length > charactersMax || !URL.canParse(uri)) return false;
	const { protocol, hostname, hash, username } = new URL(uri);
	if (hash !== "" || uri.includes("#") || username !== "" || forbidden.has(protocol)) return false;
	return protocol !== "http:" || loopback.has(hostname);
}

/** The same text as registered. On this machine any port will do: a client takes a free one (RFC 8252, 7.3). */
export function isRegistered({ redirectUris }: OAuthClient, uri: string): boolean {
	return redirectUris.some((registered) => registered === uri || (withoutPort(registered) !== null && withoutPort(registered) === withoutPort(uri)));
}

function withoutPort(uri: string): string | null {
	if (!URL.canParse(uri)) return null;
	const url = new URL(uri);
	if (url.protocol !== "http:" || !loopback.has(url.hostname) || url.username !== "" || uri.includes("#")) return null;
	url.port = "";
	return url.href;
}
