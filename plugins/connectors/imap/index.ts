/** Connects a mail account by IMAP with an app password: every mail is a document. Nothing on the server is changed, not even what is marked as read. */

import { type Change, type Connector, type Cursor, definePlugin, fail, type Host, type Step } from "cairn-memory";
import { type ListedSource, syncListing } from "../sync-listing.ts";
import { choose, configure, type ImapConfig, provider, readImapConfig, secrets } from "./config.ts";
import { listMailboxes, readMailboxes, wantedMailboxes, writeMailboxes } from "./mailboxes.ts";
import { readMail } from "./read-mail.ts";
import { type ImapSession, openImap } from "./session.ts";
import { type Entry, type Followed, survey } from "./survey.ts";

/** A mailbox in which nothing has changed costs one command. */
const syncEveryMs = 60 * 60_000;

export default definePlugin({
	name: "connector-imap",
	contract: 1,
	start(_options, host) {
		const connector: Connector = {
			name: provider,
			secrets,
			syncEveryMs,
			configure,
			check: (config, step) => withSession(readImapConfig(config), host, step, check),
			resources: { list: (config, page, step) => withSession(readImapConfig(config), host, step, (_config, session) => listResources(page, session)), choose },
			sync: (config, cursor, step) => sync(readImapConfig(config), cursor, host, step),
		};
		return { connector: [connector] };
	},
});

async function* sync(config: ImapConfig, cursor: Cursor | null, host: Host, step: Step): AsyncGenerator<Change> {
	const session = openImap(config, host, step);
	try {
		yield* syncListing(sourceOf(config, cursor, session, host, step), cursor, step, host.world);
	} finally {
		session.close();
	}
}

function sourceOf(config: ImapConfig, cursor: Cursor | null, session: ImapSession, host: Host, step: Step): ListedSource<Entry> {
	let mailboxes = readMailboxes(cursor);
	return {
		provider,
		unit: "mail",
		failureCode: "IMAP_MAIL_FAILED",
		scope: "",
		documentsMax: config.documentsMax,
		list: async (known, pages) => {
			const followed: Followed = {
				now: host.world.now().getTime(),
				before: (path) => mailboxes.get(path),
				only: (paths) => {
					mailboxes = new Map([...mailboxes].filter(([path]) => paths.includes(path)));
				},
				keep: async (path, mailbox) => {
					mailboxes = new Map([...mailboxes, [path, mailbox]]);
					await pages.grown();
				},
			};
			const found = await survey(config, followed, known, session, step);
			mailboxes = found.mailboxes;
			return found.listing;
		},
		state: () => writeMailboxes(mailboxes),
		versionOf: ({ version }) => version,
		read: (key, entry) => readMail(key, entry, session),
	};
}

async function withSession<Value>(
	config: ImapConfig,
	host: Host,
	step: Step,
	work: (config: ImapConfig, session: ImapSession) => Promise<Value>,
): Promise<Value> {
	const session = openImap(config, host, step);
	try {
		return await work(config, session);
	} finally {
		session.close();
	}
}

async function check(config: ImapConfig, session: ImapSession): Promise<void> {
	const found = wantedMailboxes(await listMailboxes(session), config).map(({ path }) => path);
	const missing = config.mailboxes.find((path) => !found.includes(path));
	if (missing !== undefined) throw fail("CONNECTION_SOURCE_MISSING", provider, `there is no mailbox ${JSON.stringify(missing)}`);
}

type Listing = NonNullable<Connector["resources"]>["list"];

async function listResources({ page, perPage }: Parameters<Listing>[1], session: ImapSession) {
	const all = await listMailboxes(session);
	const resources = all.slice((page - 1) * perPage, page * perPage).map(({ path, use }) => ({ id: path, name: path, ...(use !== null && { use }) }));
	return { resources, total: all.length };
}
