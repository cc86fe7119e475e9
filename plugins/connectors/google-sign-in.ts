/** A plugin for a service of Google: one client of the operator's for all of them, its settings, sign-in, and the API for whoever has signed in. */

import type { Connector, Host, Step } from "cairn-memory";
import { z } from "zod";
import { tokenOf } from "./bearer-fetch.ts";
import { type GoogleApi, openGoogle } from "./google-api.ts";
import { clientOptions, oauthClient } from "./oauth-client.ts";
import { oauthSignIn } from "./oauth-sign-in.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;

const options = z.strictObject(clientOptions);
type GoogleOptions = z.infer<typeof options>;

const client = oauthClient({ env: "GOOGLE", name: "Google", registration: "a project", service: "Google Drive or Gmail", hasSecret: true });

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
export function googlePlugin(name: string, app: GoogleApp, connectorOf: (open: OpenGoogle, host: Host) => Pick<Connector, "configure" | "resources" | "sync">) {
	return {
		...{ name, contract: 1 as const, options, ...client },
		start: (chosen: GoogleOptions, host: Host) => {
			const { signIn, open } = connectGoogle(app, chosen, host);
			return { connector: [{ ...{ name: app.provider, secrets: [], syncEveryMs, signIn }, ...connectorOf(open, host) }] };
		},
	};
}

function connectGoogle({ provider, scope, origin, path, account }: GoogleApp, { clientId, clientSecret, endpoint }: GoogleOptions, host: Host) {
	const google = addressesOf(endpoint ?? null);
	const service = { provider, base: `${endpoint?.replace(/\/+$/, "") ?? origin}${path}` };
	const signIn = oauthSignIn(
		{
			...{ provider, clientId, clientSecret, scopes: [scope], takesHint: true, ...google },
			// Google gives a refresh token only with `offline`, and to an account that has allowed it before only after asking again.
			parameters: { access_type: "offline", prompt: "consent" },
			account: (token, step) => account(openGoogle(service, async () => token, host, step)),
		},
		host,
	);
	const open: OpenGoogle = (step) => openGoogle(service, tokenOf(step, provider), host, step);
	return { signIn, open };
}

/** https://developers.google.com/identity/protocols/oauth2/web-server */
function addressesOf(endpoint: string | null) {
	const base = endpoint?.replace(/\/+$/, "") ?? null;
	return {
		issuer: base ?? "https://accounts.google.com",
		authorizationEndpoint: `${base ?? "https://accounts.google.com"}/o/oauth2/v2/auth`,
		tokenEndpoint: `${base ?? "https://oauth2.googleapis.com"}/token`,
		revocation: `${base ?? "https://oauth2.googleapis.com"}/revoke`,
	};
}
