/** Connects a folder of the server's machine: every file is a document, which is read again when it changes, and keeps its document when it is renamed. */

import { dirname, isAbsolute } from "node:path";
import { type Connector, type ConnectorItem, definePlugin, limits, type Step } from "cairn-memory";
import { z } from "zod";
import { type ListedSource, syncListing } from "../sync-listing.ts";
import { configure, type FolderConfig, provider, readFolderConfig } from "./config.ts";
import { type Allowed, openRoot, type Root, readInside } from "./open-root.ts";
import { type Entry, hashOf, survey, versionOf } from "./survey.ts";

/** A walk of ten thousand files takes a tenth of a second, and what is unchanged is not read. */
const syncEveryMs = 60_000;

export default definePlugin({
	name: "connector-folder",
	contract: 1,
	settings: [
		{
			env: "CAIRN_FOLDERS",
			kind: "text",
			meaning: "absolute paths of folders of this machine that connections may read, with all below them, comma separated; without it none may be read",
		},
	],
	configure: (fileOptions, { settings: { CAIRN_FOLDERS: folders } }) => ({
		options: { ...fileOptions, ...(typeof folders === "string" && { folders: listed(folders) }) },
	}),
	options: z.strictObject({ folders: z.array(z.string().refine(isAbsolute, { error: "a folder in CAIRN_FOLDERS should be an absolute path" })).default([]) }),
	start({ folders }, host) {
		const allowed: Allowed = { folders, data: dirname(host.folder) };
		const connector: Connector = {
			name: provider,
			secrets: [],
			syncEveryMs,
			readsServer: true,
			configure,
			check: async (config) => void (await openRoot(readFolderConfig(config).path, allowed)),
			async *sync(stored, cursor, step) {
				const config = readFolderConfig(stored);
				yield* syncListing(sourceOf(config, await openRoot(config.path, allowed), step), cursor, step, host.world);
			},
		};
		return { connector: [connector] };
	},
});

function listed(folders: string): readonly string[] {
	return folders
		.split(",")
		.map((folder) => folder.trim())
		.filter((folder) => folder !== "");
}

function sourceOf(config: FolderConfig, root: Root, step: Step): ListedSource<Entry> {
	return {
		provider,
		unit: "file",
		failureCode: "FOLDER_FILE_FAILED",
		scope: config.path,
		documentsMax: config.documentsMax,
		list: (known) => survey(config, root, known, step),
		versionOf,
		read: async (_key, entry) => {
			const bytes = await readInside(root, entry.path);
			if (bytes === null) return null;
			entry.hash = hashOf(bytes);
			return itemOf(entry, bytes, config);
		},
	};
}

function itemOf({ key, path, modifiedMs }: Entry, bytes: Uint8Array, { path: folder }: FolderConfig): ConnectorItem {
	const fileName = path.split("/").at(-1)?.slice(-limits.fileNameCharactersMax) ?? null;
	return {
		key,
		content: { kind: "file", bytes, fileName, claimedMediaType: null, charset: null, address: null },
		title: null,
		metadata: { folder, path, modifiedAt: new Date(modifiedMs).toISOString() },
		containerTag: null,
	};
}
