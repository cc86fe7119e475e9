/** Connects Notion by the token of an integration or a sign-in: every page that is shared with it is a document, rows of databases too. */

import { type Connector, type ConnectorConfig, definePlugin, fail, type Host, type Step } from "cairn-memory";
import { z } from "zod";
import { oauthClient } from "../oauth-client.ts";
import { type ListedSource, syncListing } from "../sync-listing.ts";
import { appOptions, demandApp, endpointOf, withoutAppToo } from "../token-or-sign-in.ts";
import { openNotion } from "./api.ts";
import { choose, configure, type NotionConfig, provider, readNotionConfig, secrets } from "./config.ts";
import { readProperties } from "./properties.ts";
import { readPage, type UserNames } from "./read-page.ts";
import { plainText } from "./rich-text.ts";
import { notionApp } from "./sign-in.ts";
import { type Entry, isThere, survey } from "./survey.ts";
import { foundSchema } from "./workspace.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;

const client = oauthClient({ env: "NOTION", name: "Notion", registration: "a public integration", service: "Notion by a sign-in", hasSecret: true });

export default definePlugin({
	name: "connector-notion",
	contract: 1,
	options: appOptions,
	settings: client.settings,
	configure: withoutAppToo(client.configure),
	start(options, host) {
		const app = notionApp(options, host);
		const home = app?.home ?? null;
		const open = (config: ConnectorConfig) => {
			const read = readNotionConfig(config);
			demandApp(provider, read, home);
			return { ...read, endpoint: endpointOf(read, home) };
		};
		const connector: Connector = {
			name: provider,
			secrets,
			syncEveryMs,
			configure: (metadata, documentsMax) => configure(metadata, documentsMax, home),
			...(app !== null && { signIn: app.signIn }),
			check: (config, step) => check(open(config), host, step),
			resources: { list: (config, page, step) => listResources(open(config), page, host, step), choose },
			sync: (config, cursor, step) => syncListing(sourceOf(open(config), host, step), cursor, step, host.world),
		};
		return { connector: [connector] };
	},
});

async function check(config: NotionConfig, host: Host, step: Step): Promise<void> {
	const me = await openNotion(config, host).get("users/me", z.object({ object: z.literal("user") }), step);
	if (me === null) throw fail("CONNECTION_INVALID", provider, "endpoint", "the server there is no Notion: it has no /v1/users/me");
}

function sourceOf(config: NotionConfig, host: Host, step: Step): ListedSource<Entry> {
	const api = openNotion(config, host);
	const users: UserNames = new Map();
	return {
		provider,
		unit: "page",
		failureCode: "NOTION_PAGE_FAILED",
		scope: JSON.stringify([config.endpoint, config.pages]),
		documentsMax: config.documentsMax,
		list: (known, pages) => survey(config, known, api, pages, host, step),
		isThere: (id) => isThere(id, config.pages, api, step),
		versionOf: ({ version }) => version,
		read: (_key, entry) => readPage(entry, users, api, step),
	};
}

type Resources = NonNullable<Connector["resources"]>;

/** Pages and databases in the order of search; Notion pages by cursors, so those before are asked for too. */
async function listResources(config: NotionConfig, { page, perPage }: Parameters<Resources["list"]>[1], host: Host, step: Step) {
	const [from, to] = [(page - 1) * perPage, page * perPage];
	const found: Awaited<ReturnType<Resources["list"]>>["resources"][number][] = [];
	for await (const results of openNotion(config, host).list("search", {}, foundSchema, step)) {
		for (const one of results ?? []) {
			if (one === null || one.archived || one.in_trash) continue;
			const title = one.object === "page" ? readProperties(one.properties).title : plainText(one.title);
			found.push({ id: one.id, object: one.object, title, url: one.url, last_edited_time: one.last_edited_time });
		}
		if (found.length >= to) break;
	}
	return { resources: found.slice(from, to), total: null };
}
