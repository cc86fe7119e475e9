/** A plugin for a service of Google: one client of the operator's for all of them, its settings, sign-in, and the API for whoever has signed in. */

import { type Connector, fail, type Host, type Plugin, type Step } from "cairn-memory";
import { z } from "zod";
import { type GoogleApi, openGoogle } from "./google-api.ts";
import { oauthSignIn } from "./oauth-sign-in.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;

const optionsSchema = z.strictObject({
	clientId: z.string().min(1),
	clientSecret: z.string().min(1),
	/** The origin of a service in Google's place, for tests. */
	endpoint: z.url({ protocol: /^https?$/ }).optional(),
});
type GoogleOptions = z.infer<typeof optionsSchema>;

const settings = [
	{ env: "CAIRN_OAUTH_GOOGLE_ID", kind: "text", meaning: "client id of a project at Google; without it nobody can connect Google Drive or Gmail" },
	{ env: "CAIRN_OAUTH_GOOGLE_SECRET", kind: "secret", meaning: "client secret for it" },
	{ env: "CAIRN_OAUTH_GOOGLE_URL", kind: "address", meaning: "service in Google's place, for tests" },
] as const satisfies Plugin["settings"];

/** Null, so that the plugin is left out, where the operator has no client at Google. */
const configure: NonNullable<Plugin["configure"]> = (input, { settings: said }) => {
	const [clientId, clientSecret] = [said["CAIRN_OAUTH_GOOGLE_ID"] ?? input["clientId"], said["CAIRN_OAUTH_GOOGLE_SECRET"] ?? input["clientSecret"]];
	const endpoint = said["CAIRN_OAUTH_GOOGLE_URL"] ?? input["endpoint"];
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

/** The API, for whoever has signed in. @throws ServiceError `CONNECTION_UNAUTHORIZED` if nobody has */
export type OpenGoogle = (step: Step) => GoogleApi;

/** The definition of a plugin. @param connectorOf what its connector does besides signing in */
export function googlePlugin(name: string, app: GoogleApp, connectorOf: (open: OpenGoogle) => Pick<Connector, "configure" | "resources" | "sync">) {
	return {
		...{ name, contract: 1, options: optionsSchema, settings, configure },
		start: (options: GoogleOptions, host: Host) => {
			const { signIn, open } = connectGoogle(app, options, host);
			return { connector: [{ ...{ name: app.provider, secrets: [], syncEveryMs, signIn }, ...connectorOf(open) }] };
		},
	};
}

function connectGoogle({ provider, scope, origin, path, account }: GoogleApp, options: GoogleOptions, host: Host) {
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
	const open: OpenGoogle = (step) => {
		if (step.accessToken === undefined) throw fail("CONNECTION_UNAUTHORIZED", provider, "nobody has signed in");
		return openGoogle(service, step.accessToken, host, step);
	};
	return { signIn, open };
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
