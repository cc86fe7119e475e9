/** Sign-in by OAuth 2.0 with PKCE, for connectors: the authorization code flow, refresh and revocation. */

import { type Connector, fail, type Host, refusalWords, type ServiceError, type Step, withoutSecrets } from "cairn-memory";
import { oauthFetch } from "./oauth-fetch.ts";

type SignIn = NonNullable<Connector["signIn"]>;
type SignedIn = Awaited<ReturnType<SignIn["finish"]>>;
type Credentials = SignedIn["credentials"];

export interface OAuthService {
	/** The connector's name. */
	readonly provider: string;
	readonly issuer: string;
	readonly authorizationEndpoint: string;
	readonly tokenEndpoint: string;
	/** An endpoint as in RFC 7009, or the service's own way; null where a program cannot end what a person has allowed. */
	readonly revocation: string | ((accessToken: string, step: Step) => Promise<void>) | null;
	readonly clientId: string;
	/** Null where PKCE stands in its place. */
	readonly clientSecret: string | null;
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

export function oauthSignIn(service: OAuthService, host: Host): SignIn {
	const { provider, clientId, scopes, optionalScopes = [], scopeName = (scope) => scope, revocation } = service;
	const server = {
		issuer: service.issuer,
		authorization_endpoint: service.authorizationEndpoint,
		token_endpoint: service.tokenEndpoint,
		...(typeof revocation === "string" && { revocation_endpoint: revocation }),
	};
	const client = { client_id: clientId };
	/** Imported late: most servers have no such connector. */
	const library = () => import("oauth4webapi");

	/** @param secrets what an error must not repeat */
	async function call<Result>(
		step: Step,
		secrets: readonly (string | null)[],
		send: (library: Library, options: CallOptions, secret: ClientAuth) => Promise<Result>,
	): Promise<Result> {
		const oauth = await library();
		const options = {
			[oauth.customFetch]: oauthFetch(host, step),
			// The address of the service is the operator's, who may name a test service without TLS. Those of vendors are https.
			[oauth.allowInsecureRequests]: server.token_endpoint.startsWith("http:"),
		};
		try {
			return await send(oauth, options, service.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(service.clientSecret));
		} catch (thrown) {
			throw refusalOf(thrown, oauth, provider, [...secrets, service.clientSecret]);
		}
	}

	function credentialsOf(response: TokenResponse, refreshToken: string | null): Credentials {
		const expiresAt = response.expires_in === undefined ? null : new Date(host.world.now().getTime() + response.expires_in * 1_000).toISOString();
		return { accessToken: response.access_token, expiresAt, refreshToken: response.refresh_token ?? refreshToken };
	}

	async function refresh(credentials: Credentials, step: Step): Promise<Credentials> {
		const { refreshToken } = credentials;
		if (refreshToken === null) throw fail("CONNECTION_UNAUTHORIZED", provider, "the sign-in has expired");
		const response = await call(step, [refreshToken], async (oauth, options, secret) =>
			oauth.processRefreshTokenResponse(server, client, await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options)),
		);
		return credentialsOf(response, refreshToken);
	}

	return {
		authority: service.issuer,
		begin: async ({ redirectUri, state, verifier, accountHint }) => {
			const { calculatePKCECodeChallenge } = await library();
			const url = new URL(server.authorization_endpoint);
			const parameters = {
				...{ client_id: clientId, response_type: "code", redirect_uri: redirectUri, scope: [...scopes, ...optionalScopes].join(" "), state },
				...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
				...(accountHint !== null && service.takesHint && { login_hint: accountHint }),
				...service.parameters,
			};
			for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
			return url.href;
		},
		finish: async ({ redirectUri, state, verifier }, callback, step) => {
			const response = await call(step, [verifier, callback.get("code")], async (oauth, options, secret) => {
				const code = oauth.validateAuthResponse(server, client, callback, state);
				const answer = await oauth.authorizationCodeGrantRequest(server, client, secret, code, redirectUri, verifier, options);
				return oauth.processAuthorizationCodeResponse(server, client, answer);
			}).catch((thrown: unknown) => {
				throw asSignInRefusal(thrown, provider);
			});
			// A person may leave out what was asked for. RFC 6749 lets a service leave `scope` out if it is what was asked for.
			const given = new Set((response.scope?.split(" ") ?? scopes).map(scopeName));
			const missing = scopes.filter((scope) => !given.has(scopeName(scope)));
			if (missing.length > 0) throw fail("SIGN_IN_REFUSED", provider, `it was not allowed to ${missing.join(", ")}`);
			if (response.refresh_token === undefined) throw fail("SIGN_IN_REFUSED", provider, "it gave no refresh token");
			return { credentials: credentialsOf(response, null), account: await service.account(response.access_token, step) };
		},
		refresh,
		revoke: async (credentials, step) => {
			const { accessToken, refreshToken } = credentials;
			if (revocation === null) return;
			if (typeof revocation === "string")
				return call(step, [accessToken, refreshToken], async (oauth, options, secret) =>
					oauth.processRevocationResponse(await oauth.revocationRequest(server, client, secret, refreshToken ?? accessToken, options)),
				);
			try {
				await revocation(accessToken, step);
			} catch (thrown) {
				// The service's own way may ask for an access token, and this one may have expired since.
				if ((thrown as Partial<ServiceError>).code !== "CONNECTION_UNAUTHORIZED") throw thrown;
				await revocation((await refresh(credentials, step)).accessToken, step);
			}
		},
	};
}

type Library = typeof import("oauth4webapi");
type CallOptions = Parameters<Library["refreshTokenGrantRequest"]>[4];
type ClientAuth = ReturnType<Library["ClientSecretPost"]>;
type TokenResponse = Awaited<ReturnType<Library["processRefreshTokenResponse"]>>;

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

function asSignInRefusal(thrown: unknown, provider: string): unknown {
	const { code, args } = thrown as Partial<ServiceError>;
	return code === "CONNECTION_UNAUTHORIZED" ? fail("SIGN_IN_REFUSED", provider, String(args?.[1])) : thrown;
}
