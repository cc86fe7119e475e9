/**
 * A small WebDAV server: folders and files with ETags, PROPFIND of depth 0 and 1, Basic sign-in, and the spellings of several servers.
 * After RFC 4918 and https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/basic.html.
 */

import { createHash } from "node:crypto";
import { type LocalPeer, type PeerReply, type PeerRequest, startLocalPeer } from "./local-peer.ts";

export interface WebdavPeer extends LocalPeer {
	/** Of the folder that is shared. */
	readonly url: string;
	readonly username: string;
	readonly password: string;
	/** Texts by decoded path below that folder. */
	readonly files: Map<string, string | Uint8Array>;
	/** Paths of folders, with slashes at their ends, that answer 403. */
	readonly forbidden: Set<string>;
	/** Paths as above, and of files, that lists name with a status and nothing else: of the whole, or of each property. */
	readonly refused: Map<string, { readonly status: string; readonly of: "response" | "propstat" }>;
	/** How it writes its answers: Nextcloud's prefix, Apache's, or the default namespace, as IIS does. */
	style: "d" | "lp" | "default";
	/** The beginning of every href, where it is not a path alone. */
	hrefOrigin: string;
	/** Some servers have none. */
	hasEtags: boolean;
}

const root = "/remote.php/dav/files/ada/My%20papers/";

export async function startWebdavPeer(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<WebdavPeer> {
	const local = await startLocalPeer((request) => answer(request, peer));
	const own = {
		...{ url: `${local.origin}${root}`, username: "ada", password: "app-pass-of-the-peer", files: new Map(Object.entries(files)) },
		...{ forbidden: new Set<string>(), refused: new Map(), style: "d" as const, hrefOrigin: "", hasEtags: true },
	};
	const peer: WebdavPeer = Object.assign(local, own);
	return peer;
}

function answer({ method, path, headers, body }: PeerRequest, peer: WebdavPeer): PeerReply {
	const expected = `Basic ${Buffer.from(`${peer.username}:${peer.password}`).toString("base64")}`;
	if (headers.authorization !== expected) return { status: 401, headers: { "www-authenticate": 'Basic realm="Nextcloud"' } };
	if (!path.startsWith(root)) return { status: 404 };
	const below = path.slice(root.length).split("/").map(decodeURIComponent).join("/");
	if ([...peer.forbidden].some((folder) => below.startsWith(folder))) return { status: 403 };
	if (method === "GET") return fileReply(below, peer);
	if (method !== "PROPFIND") return { status: 405 };
	// RFC 4918, 9.1.1: a server may refuse to list without end, and all large ones do.
	if (headers["depth"] !== "0" && headers["depth"] !== "1") return { status: 403, body: "<d:error xmlns:d='DAV:'><d:propfind-finite-depth/></d:error>" };
	if (!body.includes("getetag")) return { status: 400 };
	const names = [...peer.files.keys()].filter((name) => name.startsWith(below));
	if (names.length === 0 && below !== "") return { status: 404 };
	const children = headers["depth"] === "0" ? [] : new Set(names.map((name) => name.slice(below.length).replace(/\/.*/, "/")));
	const shown = [below, ...[...children].map((name) => `${below}${name}`)].map((name) => responseOf(name, peer)).join("");
	const xml = `<?xml version="1.0"?>\n${styled(`<D:multistatus>${shown}</D:multistatus>`, peer.style)}`;
	return { status: 207, headers: { "content-type": "application/xml; charset=utf-8" }, body: xml };
}

function fileReply(path: string, { files }: WebdavPeer): PeerReply {
	const content = files.get(path);
	return content === undefined ? { status: 404 } : { status: 200, headers: { "content-type": "application/octet-stream" }, body: content };
}

function responseOf(path: string, { files, refused, hrefOrigin, hasEtags }: WebdavPeer): string {
	const content = files.get(path);
	// Each segment is encoded, but not the characters that encodeURIComponent leaves and others encode: RFC 3986, 2.3.
	const href = `${hrefOrigin}${root}${path
		.split("/")
		.map((segment) => encodeURIComponent(segment).replaceAll("!", "%21"))
		.join("/")}`;
	const refusal = refused.get(path);
	if (refusal !== undefined) {
		// RFC 4918, 14.22 and 14.24: a response has properties in propstat, each with a status, or a status alone.
		const status = `<D:status>HTTP/1.1 ${refusal.status}</D:status>`;
		const said = refusal.of === "response" ? status : `<D:propstat><D:prop><D:resourcetype/><D:getetag/></D:prop>${status}</D:propstat>`;
		return `<D:response><D:href>${href}</D:href>${said}</D:response>`;
	}
	const etag = content === undefined ? "of-a-folder" : createHash("md5").update(content).digest("hex");
	const facts =
		content === undefined
			? "<D:resourcetype><D:collection/></D:resourcetype>"
			: `<D:resourcetype/><D:getcontentlength>${Buffer.byteLength(content)}</D:getcontentlength><O:owner-display-name>Ada &amp; Bo</O:owner-display-name>`;
	const stamps = `<D:getlastmodified>Sun, 01 Mar 2026 10:00:00 GMT</D:getlastmodified>${hasEtags ? `<D:getetag>&quot;${etag}&quot;</D:getetag>` : ""}`;
	const absent = "<D:propstat><D:prop><O:permissions/><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>";
	const prop = `<D:propstat><D:prop>${facts}${stamps}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>`;
	return `<D:response><D:href>${href}</D:href>${prop}${content === undefined ? absent : absent.replace("<D:getcontentlength/>", "")}</D:response>`;
}

/** The same elements with the prefixes of other servers. */
function styled(xml: string, style: WebdavPeer["style"]): string {
	const named =
		style === "default"
			? xml.replace(/(<\/?)D:/g, "$1")
			: style === "lp"
				? xml.replace(/(<\/?)D:(?=get|resource)/g, "$1lp1:")
				: xml.replace(/(<\/?)D:/g, "$1d:");
	const spaces = `xmlns${style === "default" ? "" : style === "lp" ? ":D" : ":d"}="DAV:" xmlns:lp1="DAV:" xmlns:O="http://owncloud.org/ns"`;
	return named.replace(/multistatus/, `multistatus ${spaces}`);
}
