/** Walks the folders of a WebDAV server, one request each, and decides which files are documents. */

import { fail, limits, ServiceError, type Step } from "cairn-memory";
import { itemKey, mayBeginWith } from "../item-key.ts";
import type { KeptPages } from "../kept-pages.ts";
import { pathFilter } from "../path-filter.ts";
import { remembered } from "../remembered.ts";
import type { Listing } from "../sync-listing.ts";
import { type DavConfig, provider } from "./config.ts";
import type { Dav } from "./dav.ts";
import type { Resource } from "./multistatus.ts";

export interface ListedFile extends Resource {
	/** Decoded, from the folder of the connection on. */
	readonly path: string;
	readonly url: URL;
}

/** At ten requests a second, a walk of so many takes half an hour. */
const foldersMax = 20_000;
const depthMax = 64;

interface Folder {
	readonly url: URL;
	/** Decoded, with a slash at its end; empty at the top. */
	readonly path: string;
	readonly depth: number;
}

/** What is in a folder that could not be listed stays, and so does what the server names and does not show, be it a file or a folder. */
export async function survey(config: DavConfig, dav: Dav, pages: KeptPages, step: Step): Promise<Listing<ListedFile>> {
	const isWanted = pathFilter(config);
	const files = new Map<string, ListedFile>();
	const unread: string[] = [];
	const refused = new Map<string, string>();
	const waiting: Folder[] = [{ url: new URL(config.url), path: "", depth: 0 }];
	let [visited, tooLarge, hasFile] = [0, 0, false];
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		step.signal.throwIfAborted();
		step.progress({ done: visited, total: visited + waiting.length + 1, unit: "folder" });
		const found = visited++ < foldersMax ? await contentsOf(folder, dav, pages, step) : null;
		if (found === null) unread.push(folder.path);
		for (const { path, url, resource } of found ?? []) {
			if (resource.isRefused) {
				refused.set(itemKey(path), path);
				unread.push(`${path}/`);
				continue;
			}
			hasFile ||= !resource.isFolder;
			if (resource.isFolder) {
				if (folder.depth < depthMax) waiting.push({ url, path: `${path}/`, depth: folder.depth + 1 });
			} else if (resource.size !== 0 && isWanted(`/${path}`)) {
				if ((resource.size ?? 0) > limits.fileBytesMax) tooLarge++;
				else files.set(itemKey(path), { ...resource, path, url });
			}
		}
	}
	if (visited > foldersMax) step.warn("WEBDAV_TOO_MANY_FOLDERS", `only the first ${foldersMax} folders were listed; choose a folder below`);
	if (tooLarge > 0) step.warn("WEBDAV_FILES_SKIPPED", `${tooLarge} files are too large`);
	const [example] = refused.values();
	if (example !== undefined)
		step.warn("WEBDAV_NOT_SHOWN", `${refused.size} files or folders were not shown, /${example} say; their documents stay as they are`);
	const isGone = (key: string) => hasFile && !refused.has(key) && !unread.some((folder) => mayBeginWith(key, folder));
	return { wanted: files, isEmpty: !hasFile && unread.length === 0, isGone };
}

/** Where the server shows nothing at all, as while a disk is not mounted, nothing is known of a file. @throws ServiceError */
export function presence(config: DavConfig, dav: Dav, step: Step): (key: string, name: string | null) => Promise<boolean> {
	const isWanted = pathFilter(config);
	const top = remembered((url) => dav.list(new URL(url), 0, step));
	return async (_key, path) => {
		if (path === null || !isWanted(`/${path}`)) return path === null;
		if ((await top(config.url)) === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the folder is not there any more");
		// A name that looks encoded may be one that could not be decoded.
		if (!path.split("/").every(isDecodable)) return true;
		const url = new URL(path.split("/").map(encodeURIComponent).join("/"), config.url);
		const [file] = (await dav.list(url, 0, step)) ?? [];
		return file !== undefined && !file.isFolder && file.size !== 0 && (file.size ?? 0) <= limits.fileBytesMax;
	};
}

interface Child {
	readonly path: string;
	readonly url: URL;
	readonly resource: Resource;
}

/** Null if it could not be listed. @throws ServiceError for the top folder, and for what is no matter of one folder */
async function contentsOf(folder: Folder, dav: Dav, pages: KeptPages, step: Step): Promise<readonly Child[] | null> {
	try {
		const resources = await pages.page(folder.url.href, () => listed(folder, dav, step));
		if (resources === null && folder.depth === 0) throw fail("CONNECTION_SOURCE_MISSING", provider, "the folder is not there any more");
		// One below may have been removed since its parent was listed.
		return (resources ?? []).flatMap((resource) => childOf(folder, resource) ?? []);
	} catch (thrown) {
		step.signal.throwIfAborted();
		const isOfThisFolder = thrown instanceof ServiceError && thrown.retryAfterMs === null && thrown.code !== "CONNECTION_UNAUTHORIZED";
		if (!isOfThisFolder || folder.depth === 0) throw thrown;
		step.warn("WEBDAV_FOLDER_FAILED", `the folder /${folder.path} was not listed: ${thrown.message}`);
		return null;
	}
}

/** @throws ServiceError if the server shows neither the folder nor anything in it, though it answers */
async function listed({ url }: Folder, dav: Dav, step: Step): Promise<readonly Resource[] | null> {
	const resources = await dav.list(url, 1, step);
	const [own, ...others] = resources ?? [];
	if (own?.isRefused && others.length === 0) throw fail("ADDRESS_FAILED", url.hostname, "it does not show the folder");
	return resources;
}

/** Null for the folder itself, for what is hidden, and for anything that is not directly inside of it. */
function childOf({ url, path }: Folder, resource: Resource): Child | null {
	const [inside, own] = [segmentsOf(resource.pathname), segmentsOf(url.pathname)];
	const name = inside.at(-1) ?? "";
	if (inside.length !== own.length + 1 || own.some((segment, at) => segment !== inside[at])) return null;
	if (name.startsWith(".") || name.includes("/") || name.includes("\0")) return null;
	// The path as the server encodes it, on the host of the connection whatever the server believes to be.
	const address = new URL(url.href);
	address.pathname = resource.pathname;
	return { path: `${path}${name}`, url: address, resource };
}

/** Servers encode names differently, so only decoded ones can be compared. */
function segmentsOf(pathname: string): readonly string[] {
	return pathname
		.split("/")
		.filter((segment) => segment !== "")
		.map(decoded);
}

/** A name of another character set than UTF-8 stays as it is. */
function decoded(segment: string): string {
	return isDecodable(segment) ? decodeURIComponent(segment) : segment;
}

function isDecodable(segment: string): boolean {
	try {
		return decodeURIComponent(segment) !== null;
	} catch {
		return false;
	}
}
