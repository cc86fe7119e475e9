/** Connects Google Drive: files and native documents of an account that somebody signs in with. What changed is read from Drive's change logs. */

import { type Connector, definePlugin, fail, type Step } from "cairn-memory";
import { z } from "zod";
import { oauthSignIn } from "../oauth-sign-in.ts";
import { openDrive } from "./api.ts";
import { choose, configure, provider, readDriveConfig } from "./config.ts";
import { listResources } from "./resources.ts";
import { syncDrive } from "./sync.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;
const scope = "https://www.googleapis.com/auth/drive.readonly";

const options = z.strictObject({
	clientId: z.string().min(1),
	clientSecret: z.string().min(1),
	/** The origin of a service in Google's place, for tests. */
	endpoint: z.url({ protocol: /^https?$/ }).optional(),
});

export default definePlugin({
	name: "connector-google-drive",
	contract: 1,
	options,
	settings: [
		{ env: "CAIRN_OAUTH_GOOGLE_ID", kind: "text", meaning: "client id of a project at Google; without it nobody can connect Google Drive" },
		{ env: "CAIRN_OAUTH_GOOGLE_SECRET", kind: "secret", meaning: "client secret for it" },
		{ env: "CAIRN_OAUTH_GOOGLE_URL", kind: "address", meaning: "service in Google's place, for tests" },
	],
	configure: (input, { settings }) => {
		const [clientId, clientSecret] = [settings["CAIRN_OAUTH_GOOGLE_ID"] ?? input["clientId"], settings["CAIRN_OAUTH_GOOGLE_SECRET"] ?? input["clientSecret"]];
		const endpoint = settings["CAIRN_OAUTH_GOOGLE_URL"] ?? input["endpoint"];
		if (clientId === undefined && clientSecret === undefined) return null;
		if (clientId === undefined) throw fail("SETTING_INVALID", "CAIRN_OAUTH_GOOGLE_ID", "it is needed with CAIRN_OAUTH_GOOGLE_SECRET");
		if (clientSecret === undefined) throw fail("SETTING_INVALID", "CAIRN_OAUTH_GOOGLE_SECRET", "it is needed with CAIRN_OAUTH_GOOGLE_ID");
		return {
			options: { clientId, clientSecret, ...(endpoint !== undefined && { endpoint }) },
			...(typeof endpoint === "string" && { endpoint }),
		};
	},
	start: ({ clientId, clientSecret, endpoint }, host) => {
		const google = addressesOf(endpoint ?? null);
		const open = (tokenOf: NonNullable<Step["accessToken"]>, step: Step) => openDrive(google.api, tokenOf, host, step);
		const signIn = oauthSignIn(
			{
				...{ provider, issuer: google.issuer, clientId, clientSecret, scopes: [scope] },
				...{ authorizationEndpoint: google.authorization, tokenEndpoint: google.token, revocationEndpoint: google.revocation },
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
			configure,
			signIn,
			resources: { list: (_config, page, step) => listResources(page, open(tokenOf(step), step), step), choose },
			sync: (config, cursor, step) => syncDrive(readDriveConfig(config), cursor, open(tokenOf(step), step), step),
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

function tokenOf({ accessToken }: Step): NonNullable<Step["accessToken"]> {
	if (accessToken === undefined) throw fail("CONNECTION_UNAUTHORIZED", provider, "nobody has signed in");
	return accessToken;
}
