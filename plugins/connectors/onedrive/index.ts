/** Connects OneDrive and libraries of SharePoint through Microsoft Graph: files of an account that somebody signs in with, followed by delta queries. */

import { type Connector, definePlugin, fail, type Step } from "cairn-memory";
import { z } from "zod";
import { tokenOf } from "../bearer-fetch.ts";
import { syncFeeds } from "../follow-feeds.ts";
import { clientOptions, oauthClient } from "../oauth-client.ts";
import { oauthSignIn } from "../oauth-sign-in.ts";
import { type GraphApi, openGraph } from "./api.ts";
import { oneDriveConfig, provider } from "./config.ts";
import { driveFeeds } from "./drive-feed.ts";
import { listResources } from "./resources.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;
/** https://learn.microsoft.com/graph/permissions-reference. Graph does not name `offline_access` among the scopes it gives. */
const scopes = ["Files.Read.All", "User.Read"];
/** Sites are listed with the second; personal accounts have none, and an organisation may not allow it. */
const optionalScopes = ["offline_access", "Sites.Read.All"];

const tenantEnv = "CAIRN_OAUTH_MICROSOFT_TENANT";
const client = oauthClient(
	{ env: "MICROSOFT", name: "Microsoft", registration: "an app registration", service: "OneDrive and SharePoint", hasSecret: true },
	(settings, input) => {
		const tenant = settings[tenantEnv] ?? input["tenant"];
		return tenant === undefined ? {} : { tenant };
	},
);

export default definePlugin({
	name: "connector-onedrive",
	contract: 1,
	options: z.strictObject({
		...clientOptions,
		/** Which accounts may sign in. https://learn.microsoft.com/entra/identity-platform/v2-protocols#endpoints */
		tenant: z
			.string()
			.regex(/^[\w.-]{1,253}$/)
			.default("common"),
	}),
	settings: [...client.settings, { env: tenantEnv, kind: "text", meaning: "id or domain of the only organisation whose accounts may sign in there" }],
	configure: client.configure,
	start: ({ clientId, clientSecret, endpoint, tenant }, host) => {
		const origin = endpoint?.replace(/\/+$/, "") ?? null;
		const open = (step: Step) => openGraph(origin, tokenOf(step, provider), host, step);
		const authority = `${origin ?? "https://login.microsoftonline.com"}/${tenant}`;
		const signIn = oauthSignIn(
			{
				...{ provider, issuer: `${authority}/v2.0`, clientId, clientSecret, scopes, optionalScopes, scopeName, takesHint: true },
				...{ authorizationEndpoint: `${authority}/oauth2/v2.0/authorize`, tokenEndpoint: `${authority}/oauth2/v2.0/token` },
				deviceEndpoint: `${authority}/oauth2/v2.0/devicecode`,
				// Microsoft lets no program end a single consent: a person does it on a page.
				revocation: null,
				parameters: { response_mode: "query", prompt: "select_account" },
				account: (token, step) => readAccount(openGraph(origin, async () => token, host, step)),
			},
			host,
		);
		const connector: Connector = {
			name: provider,
			secrets: [],
			syncEveryMs,
			configure: oneDriveConfig.configure,
			signIn,
			resources: { list: (_config, page, step) => listResources(page, open(step), step), choose: oneDriveConfig.choose },
			sync: async function* (config, cursor, step) {
				yield* syncFeeds(await driveFeeds(oneDriveConfig.read(config), open(step), step), cursor, step, host.world);
			},
		};
		return { connector: [connector] };
	},
});

/** Scopes come back in full or short, and in any case. */
function scopeName(scope: string): string {
	return scope.toLowerCase().replace("https://graph.microsoft.com/", "");
}

const accountSchema = z.object({ id: z.string(), displayName: z.string().nullish(), mail: z.string().nullish(), userPrincipalName: z.string().nullish() });

/** The address of an account may change, its id does not. */
async function readAccount(api: GraphApi) {
	const account = await api.json("/me?$select=id,displayName,mail,userPrincipalName", accountSchema);
	if (account === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the service does not know the account");
	const { id, displayName, mail, userPrincipalName } = account;
	return { id, address: mail ?? userPrincipalName ?? displayName ?? id };
}
