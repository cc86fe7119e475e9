/** Connects GitHub: files of the chosen repositories, their issues and discussions. A file is read again when its blob changes, an issue when it was updated. */

import { type Connector, type ConnectorConfig, type Cursor, definePlugin, fail, type Host, type Step } from "cairn-memory";
import { z } from "zod";
import { oauthClient } from "../oauth-client.ts";
import { type ListedSource, syncListing } from "../sync-listing.ts";
import { appOptions, demandApp, endpointOf, withoutAppToo } from "../token-or-sign-in.ts";
import { openGithub } from "./api.ts";
import { choose, configure, type GithubConfig, provider, readGithubConfig, secrets } from "./config.ts";
import { type Entry, nameOf } from "./keys.ts";
import { presence } from "./presence.ts";
import { readEntry } from "./read-entry.ts";
import { readRepository } from "./repository.ts";
import { githubApp } from "./sign-in.ts";
import { survey } from "./survey.ts";
import { Tags } from "./tags.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;

/** Pages of an earlier version, which had no tags, are of no use. */
const pagesFormat = 2;

const client = oauthClient({ env: "GITHUB", name: "GitHub", registration: "a GitHub App", service: "GitHub by a sign-in", hasSecret: true });

export default definePlugin({
	name: "connector-github",
	contract: 1,
	options: appOptions,
	settings: client.settings,
	configure: withoutAppToo(client.configure),
	start(options, host) {
		const app = githubApp(options, host);
		const home = app?.home ?? null;
		const open = (config: ConnectorConfig) => {
			const read = readGithubConfig(config);
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
			resources: { list: (config, page, step) => listRepositories(open(config), page, host, step), choose },
			sync: (config, cursor, step) => syncListing(sourceOf(open(config), cursor, host, step), cursor, step, host.world),
		};
		return { connector: [connector] };
	},
});

/** The limits of a token are told to every token, and asking for them counts towards none. */
async function check(config: GithubConfig, host: Host, step: Step): Promise<void> {
	const api = openGithub(config, host);
	if ((await api.json("/rate_limit", z.object({ resources: z.object({}) }), step)) === null)
		throw fail("CONNECTION_INVALID", provider, "endpoint", "the server there is no GitHub: it has no /rate_limit");
	for (const name of config.repositories)
		if ((await readRepository(name, api, step)) === null)
			throw fail("CONNECTION_SOURCE_MISSING", provider, `there is no repository ${name} that the token may see`);
}

function sourceOf(config: GithubConfig, from: Cursor | null, host: Host, step: Step): ListedSource<Entry> {
	const api = openGithub(config, host);
	let tags: Tags | null = null;
	return {
		provider,
		unit: "item",
		failureCode: "GITHUB_ITEM_FAILED",
		scope: `${pagesFormat} ${scopeOf(config)}`,
		documentsMax: config.documentsMax,
		list: (known, pages) => {
			tags = new Tags(from, scopeOf(config), known, config.documentsMax);
			return survey(config, { api, pages, tags, step });
		},
		state: () => tags?.cursor() ?? {},
		isThere: presence(config, api, step),
		nameOf: (entry) => (entry.kind === "unchanged" ? null : nameOf(entry)),
		versionOf: ({ version }) => version,
		read: (_key, entry) => readEntry(entry, api, step),
	};
}

/** All that decides what is listed. */
function scopeOf({ token: _token, documentsMax: _documentsMax, ...chosen }: GithubConfig): string {
	return JSON.stringify(chosen);
}

const resourceSchema = z.object({
	id: z.number(),
	name: z.string(),
	full_name: z.string(),
	description: z.string().nullable(),
	private: z.boolean(),
	default_branch: z.string(),
	html_url: z.string(),
	updated_at: z.string().nullable(),
});

type Resources = NonNullable<Connector["resources"]>;

/** GitHub's largest page. */
const perPageMax = 100;

async function listRepositories(config: GithubConfig, { page, perPage }: Parameters<Resources["list"]>[1], host: Host, step: Step) {
	const path = `/user/repos?sort=full_name&per_page=${Math.min(perPage, perPageMax)}&page=${page}`;
	return { resources: (await openGithub(config, host).json(path, z.array(resourceSchema), step)) ?? [], total: null };
}
