/** A listing that is cut off again and again goes on where it was: no page of it is asked for twice, so a first sync costs as much as there is. */

import { expect, test } from "bun:test";
import { type Host, type Plugin, ServiceError, type Step } from "cairn-memory";
import dropbox from "../../../plugins/connectors/dropbox/index.ts";
import github from "../../../plugins/connectors/github/index.ts";
import gmail from "../../../plugins/connectors/gmail/index.ts";
import googleDrive from "../../../plugins/connectors/google-drive/index.ts";
import imap from "../../../plugins/connectors/imap/index.ts";
import notion from "../../../plugins/connectors/notion/index.ts";
import onedrive from "../../../plugins/connectors/onedrive/index.ts";
import rss from "../../../plugins/connectors/rss/index.ts";
import s3 from "../../../plugins/connectors/s3/index.ts";
import webdav from "../../../plugins/connectors/webdav/index.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { startDropboxPeer } from "../../doubles/dropbox-peer.ts";
import { startFeedPeer } from "../../doubles/feed-peer.ts";
import { peerDiscussion } from "../../doubles/github-discussions.ts";
import { peerIssue, peerRepository, startGithubPeer } from "../../doubles/github-peer.ts";
import { startGmailPeer } from "../../doubles/gmail-peer.ts";
import { folderType, startGooglePeer } from "../../doubles/google-peer.ts";
import { startGraphPeer } from "../../doubles/graph-peer.ts";
import { peerMail, startImapPeer } from "../../doubles/imap-peer.ts";
import { peerPage, startNotionPeer } from "../../doubles/notion-peer.ts";
import { startS3Peer } from "../../doubles/s3-peer.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { startWebdavPeer } from "../../doubles/webdav-peer.ts";
import { endure } from "./endure.ts";

interface Side {
	readonly plugin: Plugin;
	readonly peer: { readonly host: string; readonly close: () => void };
	readonly metadata: Readonly<Record<string, unknown>>;
	/** How many documents there are to be. */
	readonly count: number;
	/** Requests that are part of the listing; all without it. */
	readonly pages?: RegExp;
	readonly readsMeanwhile?: boolean;
	readonly signsIn?: boolean;
}

const numbered = <Value>(count: number, value: (i: number) => readonly [string, Value]) =>
	Object.fromEntries(Array.from({ length: count }, (_, i) => value(i)));

const sides: Readonly<Record<string, () => Promise<Side>>> = {
	"github, discussions": async () => {
		const discussions = Array.from({ length: 350 }, (_, i) => peerDiscussion(i + 1));
		const peer = await startGithubPeer({ "harbour/tides": { ...peerRepository(), discussions } });
		return { plugin: github(), peer, metadata: { token: peer.token, endpoint: peer.endpoint, repositories: "harbour/tides", discussions: true }, count: 350 };
	},
	"github, issues of several repositories": async () => {
		const issues = Array.from({ length: 250 }, (_, i) => peerIssue(i + 1));
		const peer = await startGithubPeer({ "harbour/tides": peerRepository({}, issues), "harbour/boats": peerRepository({ "README.md": "words" }, issues) });
		const repositories = [...peer.repositories.keys()].join(",");
		return { plugin: github(), peer, metadata: { token: peer.token, endpoint: peer.endpoint, repositories, issues: true }, count: 501 };
	},
	notion: async () => {
		const peer = await startNotionPeer(numbered(350, (i) => [`${i}`, peerPage(`Page ${i}`, "words")]));
		return { plugin: notion(), peer, metadata: { token: peer.token, endpoint: peer.origin }, count: 350 };
	},
	webdav: async () => {
		const peer = await startWebdavPeer(numbered(60, (i) => [`part-${i % 30}/${i}.txt`, `words of ${i}`]));
		const { url, username, password } = peer;
		return { plugin: webdav(), peer, metadata: { url, username, password }, count: 60 };
	},
	s3: async () => {
		const peer = Object.assign(await startS3Peer(numbered(60, (i) => [`${i}.txt`, `words of ${i}`])), { pageMax: 2 });
		return { plugin: s3(), peer, metadata: { ...peer.keys, endpoint: peer.endpoint }, count: 60 };
	},
	rss: async () => {
		const peer = await startFeedPeer(Array.from({ length: 60 }, (_, i) => ({ id: `${i}`, title: `Entry ${i}`, html: `<p>words of ${i}</p>` })));
		return { plugin: rss(), peer: Object.assign(peer, { perPage: 3 }), metadata: { feedUrl: peer.feedUrl }, count: 60, readsMeanwhile: true };
	},
	gmail: async () => {
		const peer = Object.assign(await startGmailPeer(numbered(60, (i) => [`${i}`, { body: `words of ${i}` }])), { pageMax: 3 });
		const { clientId, clientSecret } = peer.oauth;
		return { plugin: gmail({ clientId, clientSecret, endpoint: peer.origin }), peer, metadata: {}, count: 60, signsIn: true };
	},
	"google drive, folders": async () => {
		const folders = numbered(40, (i) => [`folder-${i}-of-forty`, { mimeType: folderType, ...(i > 0 && { parents: [`folder-${i - 1}-of-forty`] }) }]);
		const files = numbered(40, (i) => [`file-${i}-of-forty`, { name: `${i}.txt`, content: "words", parents: [`folder-${i}-of-forty`] }]);
		const peer = await startGooglePeer({ ...folders, ...files });
		const { clientId, clientSecret } = peer.oauth;
		const plugin = googleDrive({ clientId, clientSecret, endpoint: peer.endpoint });
		return { plugin, peer, metadata: { folders: ["folder-0-of-forty"] }, count: 40, signsIn: true };
	},
	onedrive: async () => {
		const peer = Object.assign(await startGraphPeer(), { pageMax: 3 });
		for (let i = 0; i < 60; i++) peer.put(`file-${i}`, { name: `${i}.txt`, content: `words of ${i}` });
		const { clientId, clientSecret } = peer.oauth;
		return { plugin: onedrive({ clientId, clientSecret, endpoint: peer.origin }), peer, metadata: {}, count: 60, pages: /delta/, signsIn: true };
	},
	dropbox: async () => {
		const peer = await startDropboxPeer(numbered(60, (i) => [`id:file-${i}`, { path: `/${i}.txt`, content: `words of ${i}` }]));
		return {
			plugin: dropbox({ clientId: peer.oauth.clientId, endpoint: peer.origin }),
			peer: Object.assign(peer, { pageMax: 3 }),
			metadata: {},
			count: 60,
			pages: /list_folder/,
			signsIn: true,
		};
	},
};

/** Every so many requests the service wants to be left alone for ten minutes, for which no sync waits. */
const requestsBetweenPauses = 4;

/** @param asked gets how often each request came through */
function interrupted(host: ReturnType<typeof createConnectorHost>, asked: Map<string, number>, isListing: (address: string) => boolean): Host {
	return {
		...host,
		fetch: async (address, options) => {
			if (!isListing(address)) return host.fetch(address, options);
			const name = `${address} ${new TextDecoder().decode(options.body)}`;
			const count = [...asked.values()].reduce((sum, times) => sum + times, 0);
			asked.set(name, (asked.get(name) ?? 0) + 1);
			if (count % requestsBetweenPauses !== requestsBetweenPauses - 1) return host.fetch(address, options);
			throw new ServiceError("ADDRESS_FAILED", [address, "status 429"]).notBefore(600_000);
		},
	};
}

for (const [name, open] of Object.entries(sides)) {
	test(`${name}: a listing that is cut off again and again asks for each page once, and once more where it was refused`, async () => {
		const { plugin, peer, metadata, count, pages = /./, readsMeanwhile = false, signsIn = false } = await open();
		const asked = new Map<string, number>();
		const documents = new Map<string, string>();
		const start = () =>
			startConnector(
				plugin,
				interrupted(createConnectorHost([peer.host]), asked, (address) => pages.test(address) && (readsMeanwhile || documents.size === 0)),
			);
		const accessToken: Step["accessToken"] = signsIn ? await signIn(await startConnector(plugin, createConnectorHost([peer.host]))) : undefined;
		const { attempts } = await endure({ start, metadata, kills: 0, ...(accessToken !== undefined && { accessToken }) }, documents, null);
		peer.close();
		expect(documents.size).toBe(count);
		expect(attempts).toBeGreaterThan(2);
		// A feed is read one page after another, and goes on at the page before.
		const most = readsMeanwhile ? 4 : 2;
		expect([...asked].filter(([, times]) => times > most)).toEqual([]);
	});
}

test("imap: mails that were looked at before the server wanted a pause are not looked at again", async () => {
	const peer = await startImapPeer({ INBOX: Array.from({ length: 900 }, (_, i) => peerMail(`${i}`)) });
	const { host, port, username, password } = peer;
	const ranges: string[] = [];
	peer.trouble = (command) => {
		const range = /UID FETCH (\S*[:,]\S*) /.exec(command)?.[1];
		if (range !== undefined) ranges.push(range);
		return range !== undefined && ranges.length % 2 === 0 ? "[UNAVAILABLE] later" : null;
	};
	const documents = new Map<string, string>();
	const start = () => startConnector(imap(), createConnectorHost([`${host}:${port}`]));
	await endure({ start, metadata: { host, port, username, password, tls: false }, kills: 0 }, documents, null);
	peer.close();
	expect(documents.size).toBe(900);
	// Five of two hundred each, of which every second was refused once.
	expect([new Set(ranges).size, ranges.length]).toEqual([5, 9]);
});
