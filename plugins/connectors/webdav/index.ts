/** Connects folders of WebDAV servers, Nextcloud and others: every file is a document, which is read again when its ETag changes. */

import { type Connector, type ConnectorItem, definePlugin, type Fetched, fail, type Host, limits, type Step } from "cairn-memory";
import { type ListedSource, syncListing } from "../sync-listing.ts";
import { configure, type DavConfig, provider, readDavConfig, secrets } from "./config.ts";
import { openDav } from "./dav.ts";
import { type ListedFile, presence, survey } from "./survey.ts";

/** As long as for buckets, which are listed in the same way. */
const syncEveryMs = 4 * 60 * 60_000;

export default definePlugin({
	name: "connector-webdav",
	contract: 1,
	start(_options, host) {
		const connector: Connector = {
			name: provider,
			secrets,
			syncEveryMs,
			configure,
			check: (config, step) => check(readDavConfig(config), host, step),
			async *sync(stored, cursor, step) {
				const config = readDavConfig(stored);
				yield* syncListing(sourceOf(config, host, step), cursor, step, host.world);
			},
		};
		return { connector: [connector] };
	},
});

async function check(config: DavConfig, host: Host, step: Step): Promise<void> {
	const found = await openDav(config, host).list(new URL(config.url), 0, step);
	if (found === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "there is no such folder");
	if (!found.some(({ isFolder }) => isFolder)) throw fail("CONNECTION_INVALID", provider, "url", "it is a file; the URL of a folder is needed");
}

function sourceOf(config: DavConfig, host: Host, step: Step): ListedSource<ListedFile> {
	const dav = openDav(config, host);
	return {
		provider,
		unit: "file",
		failureCode: "WEBDAV_FILE_FAILED",
		scope: config.url,
		documentsMax: config.documentsMax,
		list: (_known, pages) => survey(config, dav, pages, step),
		isThere: presence(config, dav, step),
		nameOf: ({ path }) => path,
		versionOf: ({ version }) => version,
		read: async (key, file) => {
			const fetched = await dav.get(file.url, step);
			return fetched === null ? null : itemOf(key, file, fetched);
		},
	};
}

function itemOf(key: string, { path, url, modified, owner, permissions }: ListedFile, { bytes, claimedMediaType, charset }: Fetched): ConnectorItem {
	const fileName = path.split("/").at(-1)?.slice(-limits.fileNameCharactersMax) ?? null;
	return {
		key,
		content: { kind: "file", bytes, fileName, claimedMediaType, charset, address: url.href },
		title: null,
		metadata: {
			path,
			url: url.href,
			...(modified !== null && { modifiedAt: modified }),
			...(owner !== null && { author: owner }),
			...(permissions !== null && { permissions }),
		},
		containerTag: null,
	};
}
