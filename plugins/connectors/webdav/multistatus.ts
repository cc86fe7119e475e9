/** Reads the answer of a PROPFIND: the properties of a folder and of what is in it. */

import { createHash } from "node:crypto";
import { readElements } from "../../formats/xml/read-elements.ts";

export interface Resource {
	/** The path of its URL, as the server encodes it. */
	readonly pathname: string;
	readonly isFolder: boolean;
	/** Whether the server names it and shows nothing of it, not even what it is. */
	readonly isRefused: boolean;
	/** Empty if the server states neither an ETag nor a time. */
	readonly version: string;
	/** In bytes; null if unknown. */
	readonly size: number | null;
	/** ISO 8601. */
	readonly modified: string | null;
	readonly owner: string | null;
	/** Letters of ownCloud and Nextcloud: who may share, write, move, and whether it is shared. */
	readonly permissions: string | null;
}

/** What is asked for; `oc:` are properties of ownCloud and Nextcloud, which other servers answer with 404. */
export const propertyRequest = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:resourcetype/><d:getetag/><d:getcontentlength/><d:getlastmodified/><oc:owner-display-name/><oc:permissions/></d:prop></d:propfind>`;

const response = "multistatus/response";

/**
 * @param base of relative references. Only the paths count: a server behind a proxy may not know the host it is asked by.
 * @returns null if it is no such answer.
 */
export function readMultistatus(bytes: Uint8Array, base: URL): readonly Resource[] | null {
	const resources: Resource[] = [];
	let isMultistatus = false;
	let [hrefs, status]: [string[], string] = [[], ""];
	let [found, stated]: [Map<string, string>, Map<string, string>] = [new Map(), new Map()];
	try {
		readElements(new TextDecoder().decode(bytes), (path, text) => {
			if (path === "multistatus") isMultistatus = true;
			if (path.startsWith(`${response}/propstat/prop/`)) stated.set(path.slice(`${response}/propstat/prop/`.length), text);
			if (path === `${response}/propstat/status`) stated.set("status", text);
			// RFC 4918, 14.24: a response is of one resource with properties, or of several with a status.
			if (path === `${response}/href`) hrefs.push(text);
			if (path === `${response}/status`) status = text;
			// RFC 4918, 9.1.2: properties that are not there come with a status of their own.
			if (path === `${response}/propstat`) {
				if (/\s2\d\d(\s|$)/.test(stated.get("status") ?? "")) found = new Map([...found, ...stated]);
				stated = new Map();
			}
			if (path === response) {
				resources.push(...hrefs.flatMap((href) => resourceOf(href, found, status, base) ?? []));
				[hrefs, status, found] = [[], "", new Map()];
			}
		});
	} catch {
		return null;
	}
	return isMultistatus ? resources : null;
}

/** Null for what is not there. @param status of the whole response; empty where its properties have theirs */
function resourceOf(href: string, found: ReadonlyMap<string, string>, status: string, base: URL): Resource | null {
	const url = URL.parse(href, base);
	const isRefused = !found.has("status");
	if (url === null || (isRefused && /\s(404|410)(\s|$)/.test(status))) return null;
	const [etag, modified, size] = [found.get("getetag") ?? "", found.get("getlastmodified") ?? "", found.get("getcontentlength") ?? ""];
	const time = new Date(modified);
	return {
		pathname: url.pathname,
		isFolder: found.has("resourcetype/collection"),
		isRefused,
		version: limited(etag !== "" ? etag : modified === "" ? "" : `${modified} ${size}`),
		size: /^\d+$/.test(size) ? Number(size) : null,
		modified: Number.isNaN(time.getTime()) ? null : time.toISOString(),
		owner: found.get("owner-display-name") || null,
		permissions: found.get("permissions") || null,
	};
}

/** The cursor has ten thousand of them. */
function limited(version: string): string {
	return version.length <= 64 ? version : createHash("sha256").update(version).digest("base64url");
}
