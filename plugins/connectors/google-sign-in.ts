/** What the connectors to Google have in common: one client of the operator's for all, its settings, and sign-in. */

import { type Connector, fail, type Host, type Plugin, type Step } from "cairn-memory";
import { z } from "zod";
import { type GoogleApi, openGoogle } from "./google-api.ts";
import { oauthSignIn } from "./oauth-sign-in.ts";

export const googleOptions = z.strictObject({
	clientId: z.string().min(1),
	clientSecret: z.string().min(1),
	/** The origin of a service in Google's place, for tests. */
	endpoint: z.url({ protocol: /^https?$/ }).optional(),
});
export type GoogleOptions = z.infer<typeof googleOptions>;

export const googleSettings = [
	{ env: "CAIRN_OAUTH_GOOGLE_ID", kind: "text", meaning: "client id of a project at Google; without it nobody can connect Google Drive or Gmail" },
	{ env: "CAIRN_OAUTH_GOOGLE_SECRET", kind: "secret", meaning: "client secret for it" },
	{ env: "CAIRN_OAUTH_GOOGLE_URL", kind: "address", meaning: "service in Google's place, for tests" },
] as const satisfies Plugin["settings"];

/** Null, so that the plugin is left out, where the operator has no client at Google. */
export const configureGoogle: NonNullable<Plugin["configure"]> = (input, { settings }) => {
	const [clientId, clientSecret] = [settings["CAIRN_OAUTH_GOOGLE_ID"] ?? input["clientId"], settings["CAIRN_OAUTH_GOOGLE_SECRET"] ?? input["clientSecret"]];
	const endpoint = settings["CAIRN_OAUTH_GOOGLE_URL"] ?? input["endpoint"];
	if (clientId === undefined && clientSecret === undefined) return null;
	if (clientId === undefined) throw fail("SETTING_INVALID", "CAIRN_OAUTH_GOOGLE_ID", "it is needed with CAIRN_OAUTH_GOOGLE_SECRET");
	if (clientSecret === undefined) throw fail("SETTING_INVALID", "CAIRN_OAUTH_GOOGLE_SECRET", "it is needed with CAIRN_OAUTH_GOOGLE_ID");
	return {
		options: { clientId, clientSecret, ...(endpoint !== undefined && { endpoint }) },
		...(typeof endpoint === "string" && { endpoint }),
	};
};

export interface GoogleApp {
	/** The connector's name. */
	readonly provider: string;
	readonly scope: string;
	/** The origin of its API. */
	readonly origin: string;
	/** The path below which all paths of its API lie. */
	readonly path: string;
	readonly account: (api: GoogleApi) => ReturnType<Parameters<typeof oauthSignIn>[0]["account"]>;
}

export interface GoogleConnection {
	readonly signIn: NonNullable<Connector["signIn"]>;
	/** The API, for whoever has signed in. @throws ServiceError `CONNECTION_UNAUTHORIZED` if nobody has */
	readonly open: (step: Step) => GoogleApi;
}

export function connectGoogle({ provider, scope, origin, path, account }: GoogleApp, options: GoogleOptions, host: Host): GoogleConnection {
	const google = addressesOf(options.endpoint ?? null);
	const service = { provider, base: `${options.endpoint?.replace(/\/+$/, "") ?? origin}${path}` };
	const signIn = oauthSignIn(
		{
			...{ provider, clientId: options.clientId, clientSecret: options.clientSecret, scopes: [scope], ...google },
			// Google gives a refresh token only with `offline`, and to an account that has allowed it before only after asking again.
			parameters: { access_type: "offline", prompt: "consent" },
			account: (token, step) => account(openGoogle(service, async () => token, host, step)),
		},
		host,
	);
	return {
		signIn,
		open: (step) => {
			if (step.accessToken === undefined) throw fail("CONNECTION_UNAUTHORIZED", provider, "nobody has signed in");
			return openGoogle(service, step.accessToken, host, step);
		},
	};
}

/** https://developers.google.com/identity/protocols/oauth2/web-server */
function addressesOf(endpoint: string | null) {
	const base = endpoint?.replace(/\/+$/, "") ?? null;
	return {
		issuer: base ?? "https://accounts.google.com",
		authorizationEndpoint: `${base ?? "https://accounts.google.com"}/o/oauth2/v2/auth`,
		tokenEndpoint: `${base ?? "https://oauth2.googleapis.com"}/token`,
		revocationEndpoint: `${base ?? "https://oauth2.googleapis.com"}/revoke`,
	};
}
