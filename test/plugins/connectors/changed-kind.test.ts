/** What was a file is now a folder with another file in it: its document goes, and the other comes. */

import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "cairn-memory";
import dropbox from "../../../plugins/connectors/dropbox/index.ts";
import folder from "../../../plugins/connectors/folder/index.ts";
import github from "../../../plugins/connectors/github/index.ts";
import googleDrive from "../../../plugins/connectors/google-drive/index.ts";
import onedrive from "../../../plugins/connectors/onedrive/index.ts";
import s3 from "../../../plugins/connectors/s3/index.ts";
import webdav from "../../../plugins/connectors/webdav/index.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { startDropboxPeer } from "../../doubles/dropbox-peer.ts";
import { peerRepository, startGithubPeer } from "../../doubles/github-peer.ts";
import { folderType, startGooglePeer } from "../../doubles/google-peer.ts";
import { ownDrive, startGraphPeer } from "../../doubles/graph-peer.ts";
import { startS3Peer } from "../../doubles/s3-peer.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { startWebdavPeer } from "../../doubles/webdav-peer.ts";
import { syncOnce } from "./sync-once.ts";

interface Side {
	readonly plugin: Plugin;
	readonly host: string | null;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly signsIn?: boolean;
	/** The keys of the file that becomes a folder, and of the file in that. */
	readonly keys: readonly [string, string];
	readonly change: () => unknown;
	readonly close: () => unknown;
}

const sides: Readonly<Record<string, () => Promise<Side>>> = {
	webdav: async () => {
		const { files, url, username, password, host, close } = await startWebdavPeer({ "notes.md": "words", "other.md": "other" });
		const change = () => files.delete("notes.md") && files.set("notes.md/one.md", "one");
		return { plugin: webdav(), host, metadata: { url, username, password }, keys: ["notes.md", "notes.md/one.md"], change, close };
	},
	s3: async () => {
		const { objects, keys: access, endpoint, host, close } = await startS3Peer({ "notes.md": "words", "other.md": "other" });
		const change = () => objects.delete("notes.md") && objects.set("notes.md/one.md", "one");
		return { plugin: s3(), host, metadata: { ...access, endpoint }, keys: ["notes.md", "notes.md/one.md"], change, close };
	},
	github: async () => {
		const repository = peerRepository({ "notes.md": "words", "other.md": "other" });
		const { token, endpoint, host, close } = await startGithubPeer({ "harbour/tides": repository });
		const change = () => repository.files.delete("notes.md") && repository.files.set("notes.md/one.md", "one");
		const keys = ["harbour/tides/notes.md", "harbour/tides/notes.md/one.md"] as const;
		return { plugin: github(), host, metadata: { token, endpoint, repositories: "harbour/tides" }, keys, change, close };
	},
	folder: async () => {
		const path = await mkdtemp(join(tmpdir(), "cairn-changed-kind-"));
		for (const name of ["notes.md", "other.md"]) await writeFile(join(path, name), name);
		const change = async () => {
			await rm(join(path, "notes.md"));
			await mkdir(join(path, "notes.md"));
			await writeFile(join(path, "notes.md/one.md"), "one");
		};
		const close = () => rm(path, { recursive: true });
		return { plugin: folder({ folders: [path] }), host: null, metadata: { path }, keys: ["notes.md", "notes.md/one.md"], change, close };
	},
	onedrive: async () => {
		const peer = await startGraphPeer();
		peer.put("notes", { name: "notes.md", content: "words" });
		peer.put("other", { name: "other.md", content: "other" });
		const change = () => {
			peer.put("notes", { kind: "folder", name: "notes.md" });
			peer.put("one", { name: "one.md", parent: "notes", content: "one" });
		};
		const { clientId, clientSecret } = peer.oauth;
		const keys = [`${ownDrive}/notes`, `${ownDrive}/one`] as const;
		return {
			plugin: onedrive({ clientId, clientSecret, endpoint: peer.origin }),
			host: peer.host,
			metadata: {},
			signsIn: true,
			keys,
			change,
			close: peer.close,
		};
	},
	"google drive": async () => {
		const peer = await startGooglePeer({ "notes-of-kind": { name: "notes.md", content: "words" }, "other-of-kind": { name: "other.md", content: "other" } });
		const change = () => {
			peer.put("notes-of-kind", { mimeType: folderType });
			peer.put("one-of-kind", { name: "one.md", parents: ["notes-of-kind"], content: "one" });
		};
		const { clientId, clientSecret } = peer.oauth;
		const keys = ["notes-of-kind", "one-of-kind"] as const;
		return {
			plugin: googleDrive({ clientId, clientSecret, endpoint: peer.endpoint }),
			host: peer.host,
			metadata: {},
			signsIn: true,
			keys,
			change,
			close: peer.close,
		};
	},
	dropbox: async () => {
		const peer = await startDropboxPeer({ "id:notes": { path: "/notes.md", content: "words" }, "id:other": { path: "/other.md", content: "other" } });
		const change = () => {
			peer.remove("id:notes");
			peer.put("id:one", { path: "/notes.md/one.md", content: "one" });
		};
		const plugin = dropbox({ clientId: peer.oauth.clientId, endpoint: peer.origin });
		return { plugin, host: peer.host, metadata: {}, signsIn: true, keys: ["id:notes", "id:one"], change, close: peer.close };
	},
};

for (const [name, open] of Object.entries(sides)) {
	test(`${name}: a file that becomes a folder`, async () => {
		const { plugin, host, metadata, signsIn = false, keys, change, close } = await open();
		const connector = await startConnector(plugin, createConnectorHost(host === null ? [] : [host]));
		const call = { metadata, ...(signsIn && { accessToken: await signIn(connector) }) };
		const first = await syncOnce(connector, call);
		expect([first.keys.length, first.keys.includes(keys[0])]).toEqual([2, true]);
		await change();
		const second = await syncOnce(connector, { ...call, cursor: first.cursor });
		const third = await syncOnce(connector, { ...call, cursor: second.cursor });
		await close();
		expect([second.removed, second.keys, third.removed, third.keys]).toEqual([[keys[0]], [keys[1]], [], []]);
	});
}
