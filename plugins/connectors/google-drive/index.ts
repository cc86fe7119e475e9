/** Connects Google Drive: files and native documents of an account that somebody signs in with. What changed is read from Drive's change logs. */

import { type Connector, definePlugin, fail, type Step } from "cairn-memory";
import { z } from "zod";
import { type TokenOf, tokenOf } from "../bearer-fetch.ts";
import { clientOptions, oauthClient } from "../oauth-client.ts";
import { oauthSignIn } from "../oauth-sign-in.ts";
import { openDrive } from "./api.ts";
import { driveConfig, provider } from "./config.ts";
import { listResources } from "./resources.ts";
import { syncDrive } from "./sync.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;
const scope = "https://www.googleapis.com/auth/drive.readonly";

const client = oauthClient({ env: "GOOGLE", name: "Google", registration: "a project", service: "Google Drive", hasSecret: true });

export default definePlugin({
	name: "connector-google-drive",
	contract: 1,
	options: z.strictObject(clientOptions),
	...client,
	start: ({ clientId, clientSecret, endpoint }, host) => {
		const google = addressesOf(endpoint ?? null);
		const open = (token: TokenOf, step: Step) => openDrive(google.api, token, host, step);
		const signIn = oauthSignIn(
			{
				...{ provider, issuer: google.issuer, clientId, clientSecret, scopes: [scope], takesHint: true },
				...{ authorizationEndpoint: google.authorization, tokenEndpoint: google.token, revocation: google.revocation },
				// Google gives a refresh token only with `offline`, and to an account that has allowed it before only after asking again.
				parameters: { access_type: "offline", prompt: "consent" },
				account: (token, step) => readAccount(openDrive(google.api, async () => token, host, step)),
			},
			host,
		);
		const connector: Connector = {
			name: provider,
			secrets: [],
			syncEveryMs,
			configure: driveConfig.configure,
			signIn,
			resources: { list: (_config, page, step) => listResources(page, open(tokenOf(step, provider), step), step), choose: driveConfig.choose },
			sync: (config, cursor, step) => syncDrive(driveConfig.read(config), cursor, open(tokenOf(step, provider), step), step),
		};
		return { connector: [connector] };
	},
});

/** https://developers.google.com/identity/protocols/oauth2/web-server */
function addressesOf(endpoint: string | null) {
	const base = endpoint?.replace(/\/+$/, "") ?? null;
	return {
		issuer: base ?? "https://accounts.google.com",
		authorization: `${base ?? "https://accounts.google.com"}/o/oauth2/v2/auth`,
		token: `${base ?? "https://oauth2.googleapis.com"}/token`,
		revocation: `${base ?? "https://oauth2.googleapis.com"}/revoke`,
		api: base ?? "https://www.googleapis.com",
	};
}

const aboutSchema = z.object({ user: z.object({ permissionId: z.string(), emailAddress: z.string().optional(), displayName: z.string().optional() }) });

/** The address of an account may change, its permission id does not. */
async function readAccount(api: ReturnType<typeof openDrive>) {
	const about = await api.json("/about", { fields: "user(permissionId,emailAddress,displayName)" }, aboutSchema);
	if (about === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the service has no Drive");
	const { permissionId: id, emailAddress, displayName } = about.user;
	return { id, address: emailAddress ?? displayName ?? id };
}
