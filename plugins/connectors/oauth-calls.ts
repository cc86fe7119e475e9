/** Calls to an OAuth service through the library, with errors that repeat no secret. */

import { type Connector, fail, type Host, refusalWords, type ServiceError, type Step, withoutSecrets } from "cairn-memory";
import { type Dialect, oauthFetch } from "./oauth-fetch.ts";

export type SignIn = NonNullable<Connector["signIn"]>;
export type Gave = NonNullable<Parameters<SignIn["finish"]>[3]>;
export type SignedIn = Awaited<ReturnType<SignIn["finish"]>>;
export type Credentials = SignedIn["credentials"];

export interface OAuthService {
	/** The connector's name. */
	readonly provider: string;
	readonly issuer: string;
	readonly authorizationEndpoint: string;
	readonly tokenEndpoint: string;
	/** An endpoint as in RFC 7009, or the service's own way; null where a program cannot end what a person has allowed. */
	readonly revocation: string | ((accessToken: string, step: Step) => Promise<void>) | null;
	/** The service's own way to end one token, where `revocation` ends all that the person has allowed. */
	readonly tokenRevocation?: (accessToken: string, step: Step) => Promise<void>;
	readonly clientId: string;
	/** Null where PKCE stands in its place. */
	readonly clientSecret: string | null;
	/** Whether id and secret go into a header and not into the body. */
	readonly hasBasicAuth?: boolean;
	/** False for a service that documents no PKCE, and may refuse what it does not know. */
	readonly takesVerifier?: boolean;
	/** False where access tokens may live on without a refresh token. */
	readonly givesRefreshToken?: boolean;
	readonly dialect?: Dialect;
	/** The endpoint of RFC 8628, where codes are given out for other devices. Their tokens are asked for and refreshed without a secret. */
	readonly deviceEndpoint?: string;
	readonly scopes: readonly string[];
	/** What is asked for too, and may be refused. */
	readonly optionalScopes?: readonly string[];
	/** Makes the spellings of one scope the same, where a service has several. */
	readonly scopeName?: (scope: string) => string;
	/** Whether the link may name the account that is expected. */
	readonly takesHint: boolean;
	/** What the link says besides. */
	readonly parameters: Readonly<Record<string, string>>;
	/** Who has signed in. */
	readonly account: (accessToken: string, step: Step) => Promise<SignedIn["account"]>;
}

export interface OAuthCalls {
	readonly server: { readonly issuer: string; readonly authorization_endpoint: string; readonly token_endpoint: string };
	readonly client: { readonly client_id: string };
	/** @param secrets what an error must not repeat. @param isPublic whether it goes without the secret of the client */
	readonly call: <Result>(
		step: Step,
		secrets: readonly (string | null)[],
		send: (library: Library, options: CallOptions, secret: ClientAuth) => Promise<Result>,
		isPublic?: boolean,
	) => Promise<Result>;
	readonly credentialsOf: (response: TokenResponse, refreshToken: string | null) => Credentials;
	/** The credentials of a new sign-in, unless less was allowed than is needed. @param gave is told of them all the same. @throws ServiceError `SIGN_IN_REFUSED` */
	readonly given: (response: TokenResponse, gave: Gave | undefined) => Credentials;
}

/** Imported late: most servers have no such connector. */
export const library = () => import("oauth4webapi");

export function oauthCalls(service: OAuthService, host: Host): OAuthCalls {
	const { provider, clientSecret, scopes, scopeName = (scope) => scope, revocation, deviceEndpoint } = service;
	const server = {
		issuer: service.issuer,
		authorization_endpoint: service.authorizationEndpoint,
		token_endpoint: service.tokenEndpoint,
		...(typeof revocation === "string" && { revocation_endpoint: revocation }),
		...(deviceEndpoint !== undefined && { device_authorization_endpoint: deviceEndpoint }),
	};

	const call: OAuthCalls["call"] = async (step, secrets, send, isPublic = false) => {
		const oauth = await library();
		const options = {
			[oauth.customFetch]: oauthFetch(host, step, service.dialect),
			// The address of the service is the operator's, who may name a test service without TLS. Those of vendors are https.
			[oauth.allowInsecureRequests]: server.token_endpoint.startsWith("http:"),
		};
		const withSecret = service.hasBasicAuth === true ? basicAuth : oauth.ClientSecretPost;
		try {
			return await send(oauth, options, clientSecret === null || isPublic ? oauth.None() : withSecret(clientSecret));
		} catch (thrown) {
			throw refusalOf(thrown, oauth, provider, [...secrets, clientSecret]);
		}
	};

	const credentialsOf: OAuthCalls["credentialsOf"] = (response, refreshToken) => {
		const expiresAt = response.expires_in === undefined ? null : new Date(host.world.now().getTime() + response.expires_in * 1_000).toISOString();
		return { accessToken: response.access_token, expiresAt, refreshToken: response.refresh_token ?? refreshToken };
	};

	const given: OAuthCalls["given"] = (response, gave) => {
		const credentials = credentialsOf(response, null);
		gave?.(credentials);
		// A person may leave out what was asked for. RFC 6749 lets a service leave `scope` out if it is what was asked for.
		const allowed = new Set((response.scope?.split(" ") ?? scopes).map(scopeName));
		const missing = scopes.filter((scope) => !allowed.has(scopeName(scope)));
		if (missing.length > 0) throw fail("SIGN_IN_REFUSED", provider, `it was not allowed to ${missing.join(", ")}`);
		if (response.refresh_token === undefined && service.givesRefreshToken !== false) throw fail("SIGN_IN_REFUSED", provider, "it gave no refresh token");
		return credentials;
	};

	return { server, client: { client_id: service.clientId }, call, credentialsOf, given };
}

/** As the vendors document it. The library's own way encodes hyphens, which the id of a client may have, and which few services decode. */
function basicAuth(clientSecret: string): ClientAuth {
	return (_server, client, _body, headers) => {
		headers.set("authorization", `Basic ${Buffer.from(`${client.client_id}:${clientSecret}`).toString("base64")}`);
	};
}

export type Library = typeof import("oauth4webapi");
export type CallOptions = Parameters<Library["refreshTokenGrantRequest"]>[4];
type ClientAuth = ReturnType<Library["ClientSecretPost"]>;
export type TokenResponse = Awaited<ReturnType<Library["processRefreshTokenResponse"]>>;

/** The errors of RFC 6749, section 5.2, that are about this server and not about the person. */
const clientErrors: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client", "redirect_uri_mismatch", "unsupported_grant_type"]);

/** An error without a cause: those of the library carry the whole response. Other errors are returned unchanged. */
function refusalOf(thrown: unknown, oauth: Library, provider: string, secrets: readonly (string | null)[]): unknown {
	const words = (text: string) => refusalWords(withoutSecrets(text, Object.fromEntries(secrets.map((secret, i) => [`secret ${i}`, secret ?? ""]))));
	if (thrown instanceof oauth.ResponseBodyError || thrown instanceof oauth.AuthorizationResponseError)
		return fail(
			clientErrors.has(thrown.error) ? "CONNECTION_CLIENT_REFUSED" : "CONNECTION_UNAUTHORIZED",
			provider,
			words(thrown.error_description === undefined ? thrown.error : `${thrown.error}: ${thrown.error_description}`),
		);
	const isOdd = [oauth.OperationProcessingError, oauth.UnsupportedOperationError, oauth.WWWAuthenticateChallengeError].some((kind) => thrown instanceof kind);
	return isOdd ? fail("ADDRESS_CHANGED", provider, words((thrown as Error).message)) : thrown;
}

export function asSignInRefusal(thrown: unknown, provider: string): unknown {
	const { code, args } = thrown as Partial<ServiceError>;
	return code === "CONNECTION_UNAUTHORIZED" ? fail("SIGN_IN_REFUSED", provider, String(args?.[1])) : thrown;
}
