/** Connects Dropbox: files and documents of Paper of an account that somebody signs in with, followed by the cursors of its folders. */

import { type Connector, definePlugin, fail, type Host, type Step } from "cairn-memory";
import { z } from "zod";
import { type TokenOf, tokenOf } from "../bearer-fetch.ts";
import { syncFeeds } from "../follow-feeds.ts";
import { oauthClient, publicClientOptions } from "../oauth-client.ts";
import { oauthSignIn } from "../oauth-sign-in.ts";
import { type DropboxApi, type DropboxHosts, isRefused, openDropbox } from "./api.ts";
import { type DropboxConfig, dropboxConfig, provider } from "./config.ts";
import { folderFeeds } from "./folder-feed.ts";
import { listResources } from "./resources.ts";

/** As often as the connectors for which the API contract prescribes it. */
const syncEveryMs = 4 * 60 * 60_000;
/** https://developers.dropbox.com/oauth-guide#dropbox-api-permissions */
const scopes = ["account_info.read", "files.metadata.read", "files.content.read", "sharing.read"];

export default definePlugin({
	name: "connector-dropbox",
	contract: 1,
	options: z.strictObject(publicClientOptions),
	...oauthClient({ env: "DROPBOX", name: "Dropbox", registration: "an app", service: "Dropbox", hasSecret: false }),
	start: ({ clientId, endpoint }, host) => {
		const origin = endpoint?.replace(/\/+$/, "") ?? null;
		const hosts = { api: origin ?? "https://api.dropboxapi.com", content: origin ?? "https://content.dropboxapi.com" };
		const open = (token: TokenOf, step: Step) => openDropbox(hosts, null, token, host, step);
		const signIn = oauthSignIn(
			{
				...{ provider, issuer: origin ?? "https://www.dropbox.com", clientId, scopes, takesHint: false },
				// https://developers.dropbox.com/oauth-guide#using-pkce: the verifier stands in place of the app secret, and Dropbox's own clients never send both.
				clientSecret: null,
				...{ authorizationEndpoint: `${origin ?? "https://www.dropbox.com"}/oauth2/authorize`, tokenEndpoint: `${hosts.api}/oauth2/token` },
				// A token is ended by its own request, together with the refresh token that it came from.
				revocation: async (token, step) => void (await open(async () => token, step).call("auth/token/revoke", null, z.unknown())),
				parameters: { token_access_type: "offline" },
				account: async (token, step) => {
					const { account_id: id, email } = await readAccount(open(async () => token, step));
					return { id, address: email };
				},
			},
			host,
		);
		const openIn = (config: DropboxConfig, step: Step) => openAt(config, hosts, tokenOf(step, provider), host, step);
		const connector: Connector = {
			name: provider,
			secrets: [],
			syncEveryMs,
			configure: dropboxConfig.configure,
			signIn,
			resources: {
				list: async (config, page, step) => listResources(page, (await openIn(dropboxConfig.read(config), step)).api, step),
				choose: dropboxConfig.choose,
			},
			sync: async function* (config, cursor, step) {
				const read = dropboxConfig.read(config);
				const { api, root } = await openIn(read, step);
				yield* syncFeeds(folderFeeds(read, root, api, step), cursor, step, host.world);
			},
		};
		return { connector: [connector] };
	},
});

const accountSchema = z.object({ account_id: z.string(), email: z.string(), root_info: z.object({ root_namespace_id: z.string() }) });

async function readAccount(api: DropboxApi) {
	const account = await api.call("users/get_current_account", null, accountSchema);
	if (isRefused(account)) throw fail("CONNECTION_SOURCE_MISSING", provider, "the service does not know the account");
	return account;
}

/** The API at the root of the connection. That of a team may change, so it is asked for in every sync. https://developers.dropbox.com/dbx-team-files-guide */
async function openAt({ teamSpace }: DropboxConfig, hosts: DropboxHosts, token: TokenOf, host: Host, step: Step) {
	const api = openDropbox(hosts, null, token, host, step);
	if (!teamSpace) return { api, root: null };
	const root = (await readAccount(api)).root_info.root_namespace_id;
	return { api: openDropbox(hosts, root, token, host, step), root };
}
