/** Connects Gmail: threads of an account that somebody signs in with. What changed is read from the mailbox's history. */

import { type Connector, definePlugin } from "cairn-memory";
import type { GoogleApi } from "../google-api.ts";
import { googlePlugin } from "../google-sign-in.ts";
import { choose, configure, provider, readGmailConfig } from "./config.ts";
import { listLabels } from "./labels.ts";
import { readProfile } from "./profile.ts";
import { syncGmail } from "./sync.ts";

const app = {
	...{ provider, scope: "https://www.googleapis.com/auth/gmail.readonly", account: readAccount },
	...{ origin: "https://gmail.googleapis.com", path: "/gmail/v1/users/me" },
};

export default definePlugin(
	googlePlugin("connector-gmail", app, (open, { world }) => ({
		configure,
		resources: { list: (_config, page, step) => listResources(page, open(step)), choose },
		sync: (config, cursor, step) => syncGmail(readGmailConfig(config), cursor, open(step), step, world),
	})),
);

/** Reading mail alone shows no id of the account that would outlast a change of its address. */
async function readAccount(api: GoogleApi) {
	const { emailAddress } = await readProfile(api);
	return { id: emailAddress.toLowerCase(), address: emailAddress };
}

type Listing = NonNullable<Connector["resources"]>["list"];

async function listResources({ page, perPage }: Parameters<Listing>[1], api: GoogleApi) {
	const labels = await listLabels(api);
	return { resources: labels.slice((page - 1) * perPage, page * perPage).map(({ id, name, type }) => ({ id, name, type })), total: labels.length };
}
