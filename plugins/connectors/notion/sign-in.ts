/**
 * Sign-in to Notion by a public integration of the operator's, as https://developers.notion.com/guides/get-started/authorization describes it:
 * the client's secret in a header, bodies in JSON, refresh tokens that are replaced, and no PKCE.
 */

import { fail, type Host, type Step } from "cairn-memory";
import { z } from "zod";
import { type OAuthService, oauthSignIn } from "../oauth-sign-in.ts";
import type { appOptions } from "../token-or-sign-in.ts";
import { openNotion, version } from "./api.ts";
import { provider } from "./config.ts";

/** @returns the API of those who sign in, and the sign-in; null without an integration */
export function notionApp({ clientId, clientSecret, endpoint }: z.infer<typeof appOptions>, host: Host) {
	if (clientId === undefined || clientSecret === undefined) return null;
	const home = endpoint?.replace(/\/+$/, "") ?? "https://api.notion.com";
	const service: OAuthService = {
		...{ provider, issuer: home, clientId, clientSecret, hasBasicAuth: true, takesVerifier: false, givesRefreshToken: false, takesHint: false },
		// What may be read is chosen with the integration, and by who signs in.
		scopes: [],
		...{ authorizationEndpoint: `${home}/v1/oauth/authorize`, tokenEndpoint: `${home}/v1/oauth/token`, revocation: `${home}/v1/oauth/revoke` },
		dialect: { takesJson: true, headers: { "notion-version": version } },
		parameters: { owner: "user" },
		account: (token, step) => readAccount(token, home, host, step),
	};
	return { home, signIn: { ...oauthSignIn(service, host), isNeeded: ({ token }: Readonly<Record<string, unknown>>) => token === undefined } };
}

/** https://developers.notion.com/reference/get-self. A person may be in several workspaces. */
const meSchema = z.object({
	id: z.string(),
	bot: z.object({
		owner: z.object({ user: z.object({ id: z.string(), person: z.object({ email: z.string().nullish() }).nullish() }).optional() }),
		workspace_id: z.string().nullish(),
		workspace_name: z.string().nullish(),
	}),
});

async function readAccount(token: string, endpoint: string, host: Host, step: Step) {
	const me = await openNotion({ token, endpoint }, host).get("users/me", meSchema, step);
	if (me === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the service does not know the account");
	const { owner, workspace_id, workspace_name } = me.bot;
	const workspace = workspace_id ?? workspace_name ?? "";
	return { id: `${workspace}/${owner.user?.id ?? me.id}`, address: owner.user?.person?.email ?? workspace_name ?? me.id };
}
