/** Services that list what they have in pages, each with something that is then removed, and a way to cut every listing off. */

import { type Host, type Plugin, ServiceError } from "cairn-memory";
import dropbox from "../../../plugins/connectors/dropbox/index.ts";
import github from "../../../plugins/connectors/github/index.ts";
import gmail from "../../../plugins/connectors/gmail/index.ts";
import googleDrive from "../../../plugins/connectors/google-drive/index.ts";
import { itemKey } from "../../../plugins/connectors/item-key.ts";
import notion from "../../../plugins/connectors/notion/index.ts";
import onedrive from "../../../plugins/connectors/onedrive/index.ts";
import rss from "../../../plugins/connectors/rss/index.ts";
import s3 from "../../../plugins/connectors/s3/index.ts";
import webdav from "../../../plugins/connectors/webdav/index.ts";
import type { createConnectorHost } from "../../doubles/connector-host.ts";
import { startDropboxPeer } from "../../doubles/dropbox-peer.ts";
import { startFeedPeer } from "../../doubles/feed-peer.ts";
import { peerDiscussion } from "../../doubles/github-discussions.ts";
import { peerIssue, peerRepository, startGithubPeer } from "../../doubles/github-peer.ts";
import { startGmailPeer } from "../../doubles/gmail-peer.ts";
import { folderType, startGooglePeer } from "../../doubles/google-peer.ts";
import { ownDrive, startGraphPeer } from "../../doubles/graph-peer.ts";
import { notionId, peerPage, startNotionPeer } from "../../doubles/notion-peer.ts";
import { startS3Peer } from "../../doubles/s3-peer.ts";
import { startWebdavPeer } from "../../doubles/webdav-peer.ts";

export interface ListedSide {
	readonly plugin: Plugin;
	readonly peer: { readonly host: string; readonly close: () => void };
	readonly metadata: Readonly<Record<string, unknown>>;
	/** How many documents there are to be. */
	readonly count: number;
	/** Requests that are part of the listing; all without it. */
	readonly pages?: RegExp;
	readonly readsMeanwhile?: boolean;
	readonly signsIn?: boolean;
	/** Something is gone that the next sync has to find out by listing. @returns its key */
	readonly remove?: () => string;
	/** It is there again. */
	readonly restore?: () => unknown;
	/** The service lists nothing any more, and tells of no deletion. @returns what makes all be there again */
	readonly empty?: () => () => void;
}

/** Takes what a map has out of it, but for some keys. @returns what puts it back */
function emptied<Key, Value>(map: Map<Key, Value>, stays: (key: Key) => boolean = () => false): () => void {
	const before = [...map];
	for (const key of map.keys()) if (!stays(key)) map.delete(key);
	return () => {
		map.clear();
		for (const [key, value] of before) map.set(key, value);
	};
}

const numbered = <Value>(count: number, value: (i: number) => readonly [string, Value]) =>
	Object.fromEntries(Array.from({ length: count }, (_, i) => value(i)));

async function drive(metadata: ListedSide["metadata"]): Promise<ListedSide> {
	const folders = numbered(40, (i) => [`folder-${i}-of-forty`, { mimeType: folderType, ...(i > 0 && { parents: [`folder-${i - 1}-of-forty`] }) }]);
	const files = numbered(40, (i) => [`file-${i}-of-forty`, { name: `${i}.txt`, content: "words", parents: [`folder-${i}-of-forty`] }]);
	const peer = Object.assign(await startGooglePeer({ ...folders, ...files }), { pageMax: 3 });
	const { clientId, clientSecret } = peer.oauth;
	const remove = () => {
		peer.remove("file-7-of-forty");
		peer.forgetTokens();
		return "file-7-of-forty";
	};
	const empty = () => {
		peer.forgetTokens();
		return emptied(peer.files, (id) => Array.isArray(metadata["folders"]) && metadata["folders"].includes(id));
	};
	return { plugin: googleDrive({ clientId, clientSecret, endpoint: peer.endpoint }), peer, metadata, count: 40, signsIn: true, remove, empty };
}

async function bucketOf(nameOf: (i: number) => string): Promise<ListedSide> {
	const peer = Object.assign(await startS3Peer(numbered(60, (i) => [nameOf(i), `words of ${i}`])), { pageMax: 2 });
	const remove = () => {
		peer.objects.delete(nameOf(7));
		return itemKey(nameOf(7));
	};
	const restore = () => peer.objects.set(nameOf(7), "words of 7");
	const metadata = { ...peer.keys, endpoint: peer.endpoint };
	return { plugin: s3(), peer, metadata, count: 60, remove, restore, empty: () => emptied(peer.objects) };
}

async function webdavOf(nameOf: (i: number) => string): Promise<ListedSide> {
	const peer = await startWebdavPeer(numbered(60, (i) => [nameOf(i), `words of ${i}`]));
	const { url, username, password } = peer;
	const remove = () => {
		peer.files.delete(nameOf(7));
		return itemKey(nameOf(7));
	};
	const restore = () => peer.files.set(nameOf(7), "words of 7");
	return { plugin: webdav(), peer, metadata: { url, username, password }, count: 60, remove, restore, empty: () => emptied(peer.files) };
}

async function treeOf(nameOf: (i: number) => string): Promise<ListedSide> {
	const repository = peerRepository(numbered(60, (i) => [nameOf(i), `words of ${i}`]));
	const peer = Object.assign(await startGithubPeer({ "harbour/tides": repository }), { treeMax: 40 });
	const metadata = { token: peer.token, endpoint: peer.endpoint, repositories: "harbour/tides", issues: false };
	const remove = () => {
		repository.files.delete(nameOf(7));
		return itemKey(`harbour/tides/${nameOf(7)}`);
	};
	const empty = () => {
		const tree = { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify({ tree: [], truncated: false }) };
		peer.trouble = ({ path }) => (path.includes("/git/trees/") ? tree : null);
		return () => {
			peer.trouble = null;
		};
	};
	return { plugin: github(), peer, metadata, count: 60, remove, restore: () => repository.files.set(nameOf(7), "words of 7"), empty };
}

export const listedSides: Readonly<Record<string, () => Promise<ListedSide>>> = {
	"github, discussions": async () => {
		const discussions = Array.from({ length: 350 }, (_, i) => peerDiscussion(i + 1));
		const peer = await startGithubPeer({ "harbour/tides": { ...peerRepository(), discussions } });
		const metadata = { token: peer.token, endpoint: peer.endpoint, repositories: "harbour/tides", discussions: true };
		const remove = () => `harbour/tides!${discussions.splice(7, 1)[0]?.number}`;
		const empty = () => {
			const before = discussions.splice(0);
			return () => void discussions.push(...before);
		};
		return { plugin: github(), peer, metadata, count: 350, remove, restore: () => discussions.splice(7, 0, peerDiscussion(8)), empty };
	},
	"github, files": () => treeOf((i) => `part-${i % 30}/${i}.md`),
	"github, files with names too long for keys": () => treeOf((i) => `part-${i % 30}/${"long".repeat(60)}-${i}.md`),
	"github, issues of several repositories": async () => {
		const issues = Array.from({ length: 250 }, (_, i) => peerIssue(i + 1));
		const peer = await startGithubPeer({ "harbour/tides": peerRepository({}, issues), "harbour/boats": peerRepository({ "README.md": "words" }, issues) });
		const repositories = [...peer.repositories.keys()].join(",");
		const boats = peer.repositories.get("harbour/boats")?.issues ?? [];
		const remove = () => `harbour/boats#${boats.splice(7, 1)[0]?.number}`;
		const empty = () => {
			const refills = [...peer.repositories.values()].map(({ files, issues }) => [emptied(files), issues.splice(0)] as const);
			return () => {
				for (const [i, { issues }] of [...peer.repositories.values()].entries()) {
					const [refill, before] = refills[i] ?? [];
					refill?.();
					issues.push(...(before ?? []));
				}
			};
		};
		const metadata = { token: peer.token, endpoint: peer.endpoint, repositories, issues: true };
		return { plugin: github(), peer, metadata, count: 501, remove, restore: () => boats.splice(7, 0, peerIssue(8)), empty };
	},
	notion: async () => {
		const peer = await startNotionPeer(numbered(350, (i) => [`${i}`, peerPage(`Page ${i}`, "words")]));
		const remove = () => {
			peer.pages.delete(notionId("7"));
			return notionId("7");
		};
		const restore = () => peer.pages.set(notionId("7"), peerPage("Page 7", "words"));
		const metadata = { token: peer.token, endpoint: peer.origin };
		return { plugin: notion(), peer, metadata, count: 350, remove, restore, empty: () => emptied(peer.pages) };
	},
	webdav: () => webdavOf((i) => `part-${i % 30}/${i}.txt`),
	"webdav, names too long for keys": () => webdavOf((i) => `part-${i % 30}/${"long".repeat(60)}-${i}.txt`),
	s3: () => bucketOf((i) => `${i}.txt`),
	"s3, names too long for keys": () => bucketOf((i) => `${i}/${"long".repeat(60)}`),
	rss: async () => {
		const peer = await startFeedPeer(Array.from({ length: 60 }, (_, i) => ({ id: `${i}`, title: `Entry ${i}`, html: `<p>words of ${i}</p>` })));
		return { plugin: rss(), peer: Object.assign(peer, { perPage: 3 }), metadata: { feedUrl: peer.feedUrl }, count: 60, readsMeanwhile: true };
	},
	gmail: async () => {
		const peer = Object.assign(await startGmailPeer(numbered(60, (i) => [`${i}`, { body: `words of ${i}` }])), { pageMax: 3 });
		const { clientId, clientSecret } = peer.oauth;
		const remove = () => {
			peer.remove("7");
			peer.forgetHistory();
			return "thread-7";
		};
		return { plugin: gmail({ clientId, clientSecret, endpoint: peer.origin }), peer, metadata: {}, count: 60, signsIn: true, remove };
	},
	"google drive": () => drive({ syncScope: "full" }),
	"google drive, folders": () => drive({ folders: ["folder-0-of-forty"] }),
	onedrive: async () => {
		const peer = Object.assign(await startGraphPeer(), { pageMax: 3 });
		for (let i = 0; i < 60; i++) peer.put(`file-${i}`, { name: `${i}.txt`, content: `words of ${i}` });
		const { clientId, clientSecret } = peer.oauth;
		const remove = () => {
			peer.remove("file-7");
			return `${ownDrive}/file-7`;
		};
		const empty = () => {
			peer.forgetTokens();
			const { items = new Map(), log = new Map() } = peer.drives.get(ownDrive) ?? {};
			const refills = [emptied(items), emptied(log)];
			return () => {
				for (const refill of refills) refill();
			};
		};
		const plugin = onedrive({ clientId, clientSecret, endpoint: peer.origin });
		return { plugin, peer, metadata: {}, count: 60, pages: /delta/, signsIn: true, remove, empty };
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
			remove: () => {
				peer.remove("id:file-7");
				return "id:file-7";
			},
			empty: () => {
				peer.forgetCursors();
				return emptied(peer.entries);
			},
		};
	},
};

/** Every so many requests the service wants to be left alone for ten minutes, for which no sync waits. */
const requestsBetweenPauses = 4;

/** @param asked gets how often each request came through */
export function interrupted(host: ReturnType<typeof createConnectorHost>, asked: Map<string, number>, isListing: (address: string) => boolean): Host {
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
