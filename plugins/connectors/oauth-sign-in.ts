/** Sign-in by OAuth 2.0 for connectors: the authorization code flow with PKCE, a code for another device, refresh and revocation. */

import { fail, type Host, type ServiceError, type Step } from "cairn-memory";
import { asSignInRefusal, type Credentials, library, type OAuthService, oauthCalls, type SignIn } from "./oauth-calls.ts";
import { oauthDevice } from "./oauth-device.ts";

export type { OAuthService };

export function oauthSignIn(service: OAuthService, host: Host): SignIn {
	const { provider, scopes, optionalScopes = [], revocation, tokenRevocation, takesVerifier = true } = service;
	const calls = oauthCalls(service, host);
	const { server, client, call, credentialsOf } = calls;

	async function refresh(credentials: Credentials, step: Step): Promise<Credentials> {
		const { refreshToken, isOfDevice = false } = credentials;
		if (refreshToken === null) throw fail("CONNECTION_UNAUTHORIZED", provider, "the sign-in has expired");
		const response = await call(
			step,
			[refreshToken],
			async (oauth, options, secret) =>
				oauth.processRefreshTokenResponse(server, client, await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options)),
			isOfDevice,
		);
		return { ...credentialsOf(response, refreshToken), ...(isOfDevice && { isOfDevice }) };
	}

	return {
		authority: service.issuer,
		...(service.deviceEndpoint !== undefined && { device: oauthDevice(service, calls) }),
		begin: async ({ redirectUri, state, verifier, accountHint }) => {
			const { calculatePKCECodeChallenge } = await library();
			const scope = [...scopes, ...optionalScopes].join(" ");
			const url = new URL(server.authorization_endpoint);
			const parameters = {
				...{ client_id: client.client_id, response_type: "code", redirect_uri: redirectUri, ...(scope !== "" && { scope }), state },
				...(takesVerifier && { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }),
				...(accountHint !== null && service.takesHint && { login_hint: accountHint }),
				...service.parameters,
			};
			for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
			return url.href;
		},
		finish: async ({ redirectUri, state, verifier }, callback, step, gave) => {
			const response = await call(step, [verifier, callback.get("code")], async (oauth, options, secret) => {
				const code = oauth.validateAuthResponse(server, client, callback, state);
				const proof = takesVerifier ? verifier : oauth.nopkce;
				const answer = await oauth.authorizationCodeGrantRequest(server, client, secret, code, redirectUri, proof, options);
				return oauth.processAuthorizationCodeResponse(server, client, answer);
			}).catch((thrown: unknown) => {
				throw asSignInRefusal(thrown, provider);
			});
			return { credentials: calls.given(response, gave), account: await service.account(response.access_token, step) };
		},
		refresh,
		...(tokenRevocation !== undefined && { revokeToken: ({ accessToken }, step) => tokenRevocation(accessToken, step) }),
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
