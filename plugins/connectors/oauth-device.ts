/**
 * Sign-in with a code that a person types in at another device: RFC 8628. The client is a public one there, without a secret, as Microsoft
 * (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code) and GitHub
 * (https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app) have it.
 */

import { fail, ServiceError } from "cairn-memory";
import { asSignInRefusal, type OAuthCalls, type OAuthService, type SignIn } from "./oauth-calls.ts";

/** RFC 8628, section 3.2, for a service that says nothing. */
const intervalSeconds = 5;
/** RFC 8628, section 3.5. */
const waiting: ReadonlyMap<string, "pending" | "slower"> = new Map([
	["authorization_pending", "pending"],
	["slow_down", "slower"],
]);

export function oauthDevice({ provider, scopes, optionalScopes = [], account }: OAuthService, calls: OAuthCalls): NonNullable<SignIn["device"]> {
	const { server, client, call, given } = calls;
	return {
		begin: async (step) => {
			const scope = [...scopes, ...optionalScopes].join(" ");
			const parameters: Record<string, string> = scope === "" ? {} : { scope };
			const answer = await call(
				step,
				[],
				async (oauth, options, secret) =>
					oauth.processDeviceAuthorizationResponse(server, client, await oauth.deviceAuthorizationRequest(server, client, secret, parameters, options)),
				true,
			).catch((thrown: unknown) => {
				throw asSignInRefusal(thrown, provider);
			});
			return {
				...{ deviceCode: answer.device_code, userCode: answer.user_code, link: answer.verification_uri_complete ?? answer.verification_uri },
				...{ intervalMs: (answer.interval ?? intervalSeconds) * 1_000, lifeMs: answer.expires_in * 1_000 },
			};
		},
		poll: async ({ deviceCode }, step, gave) => {
			const response = await call(
				step,
				[deviceCode],
				async (oauth, options, secret) => {
					try {
						const answer = await oauth.deviceCodeGrantRequest(server, client, secret, deviceCode, options);
						return await oauth.processDeviceCodeResponse(server, client, answer);
					} catch (thrown) {
						const answer = thrown instanceof oauth.ResponseBodyError ? waiting.get(thrown.error) : undefined;
						if (answer === undefined) throw thrown;
						return answer;
					}
				},
				true,
			).catch((thrown: unknown) => {
				const refusal = asSignInRefusal(thrown, provider);
				// A client that the service refuses now is refused at every poll.
				const isOfClient = refusal instanceof ServiceError && refusal.code === "CONNECTION_CLIENT_REFUSED";
				throw isOfClient ? fail("SIGN_IN_REFUSED", provider, String(refusal.args[1])) : refusal;
			});
			if (typeof response === "string") return response;
			return { ...given(response, gave && ((credentials) => gave({ ...credentials, isOfDevice: true }))), isOfDevice: true };
		},
		account: ({ accessToken }, step) => account(accessToken, step),
	};
}
