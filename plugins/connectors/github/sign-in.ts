/**
 * Sign-in to GitHub by an app of the operator's, in a browser or with a code at another device.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */

import { fail, type Host, limits, type Step } from "cairn-memory";
import { z } from "zod";
import { type OAuthService, oauthSignIn } from "../oauth-sign-in.ts";
import type { appOptions } from "../token-or-sign-in.ts";
import { openGithub } from "./api.ts";
import { provider } from "./config.ts";

type AppOptions = z.infer<typeof appOptions>;

/** @returns the API of those who sign in, and the sign-in; null without an app */
export function githubApp({ clientId, clientSecret, endpoint }: AppOptions, host: Host) {
	if (clientId === undefined || clientSecret === undefined) return null;
	const site = endpoint?.replace(/\/+$/, "") ?? "https://github.com";
	// As GitHub Enterprise Server has it: https://docs.github.com/en/enterprise-server/rest/quickstart
	const home = endpoint === undefined ? "https://api.github.com" : `${site}/api/v3`;
	const service: OAuthService = {
		...{ provider, issuer: `${site}/login/oauth`, clientId, clientSecret, takesHint: true },
		// An app of GitHub has permissions in place of scopes. An older OAuth app gets none, and sees what is public: no scope of GitHub only reads.
		scopes: [],
		...{ authorizationEndpoint: `${site}/login/oauth/authorize`, tokenEndpoint: `${site}/login/oauth/access_token` },
		deviceEndpoint: `${site}/login/device/code`,
		// Apps may let their tokens live on.
		givesRefreshToken: false,
		revocation: (token, step) => end("grant", { home, clientId, clientSecret }, token, host, step),
		tokenRevocation: (token, step) => end("token", { home, clientId, clientSecret }, token, host, step),
		parameters: {},
		account: (token, step) => readAccount(token, home, host, step),
	};
	return { home, signIn: { ...oauthSignIn(service, host), isNeeded: ({ token }: Readonly<Record<string, unknown>>) => token === undefined } };
}

const accountSchema = z.object({ id: z.number(), login: z.string() });

async function readAccount(token: string, endpoint: string, host: Host, step: Step) {
	const account = await openGithub({ token, endpoint }, host).json("/user", accountSchema, step);
	if (account === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the service does not know the account");
	return { id: String(account.id), address: account.login };
}

interface App {
	readonly home: string;
	readonly clientId: string;
	readonly clientSecret: string;
}

/**
 * https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-authorization ends all tokens that the person has allowed the app,
 * https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token this one. 422 for a token that has ended by itself.
 */
async function end(what: "grant" | "token", app: App, token: string, host: Host, step: Step) {
	const authorization = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64")}`;
	const { status } = await host.fetch(`${app.home}/applications/${encodeURIComponent(app.clientId)}/${what}`, {
		...{ method: "DELETE", signal: step.signal, timeoutMs: limits.fetchTimeoutMs, bytesMax: 64 * 1024, accept: "application/vnd.github+json" },
		headers: { authorization, "content-type": "application/json" },
		body: new TextEncoder().encode(JSON.stringify({ access_token: token })),
		answers: [404, 422],
	});
	if (status >= 400) throw fail("CONNECTION_UNAUTHORIZED", provider, "the sign-in has ended");
}
