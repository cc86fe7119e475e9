/**
 * A small Microsoft: sign-in, and of Graph v1.0 drives, sites, delta queries, downloads and permissions, after
 * https://learn.microsoft.com/graph/api/resources/onedrive and https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 * (read in November 2026). The page of an odd case stands beside it.
 */

import { type LocalPeer, type PeerReply, type PeerRequest, startLocalPeer } from "./local-peer.ts";
import { createOAuthPeer, type OAuthPeer } from "./oauth-peer.ts";

export interface PeerItem {
	name: string;
	kind: "file" | "folder" | "notebook" | "shortcut";
	/** The id of a folder. */
	parent: string;
	/** Made when it is asked for, in a drive of very many files. */
	content: string | Uint8Array | (() => string);
	modified: string;
	/** As https://learn.microsoft.com/graph/api/resources/permission; without it the item is not shared. */
	permissions?: readonly object[];
	hasMalware?: boolean;
	/** What it says to have; the length of its content without it. */
	size?: number;
	/** Counts changes. */
	version: number;
}

export interface PeerDrive {
	readonly name: string;
	readonly items: Map<string, PeerItem>;
	/** Numbers of the last changes, by item, in their order. Deleted items stay in it. */
	readonly log: Map<string, number>;
}

export interface GraphPeer extends LocalPeer {
	readonly oauth: OAuthPeer;
	readonly drives: Map<string, PeerDrive>;
	/** Names and drives of sites, by id. */
	readonly sites: Map<string, { readonly name: string; readonly drives: readonly string[] }>;
	/** Drives that answer 403. */
	readonly forbidden: Set<string>;
	account: { id: string; displayName: string; mail: string | null; userPrincipalName: string };
	/** The largest page of a delta query. */
	pageMax: number;
	/** Whether a deleted folder is told with all that was in it. */
	tellsDescendants: boolean;
	/** Whether the newest is told first, and folders after what is in them: no order is documented. */
	tellsBackwards: boolean;
	/** Whether the first folder of a drive is told among its items. */
	tellsRoot: boolean;
	/** Whether items are shown with their download addresses. */
	showsDownloads: boolean;
	/** Where downloads lie, if not here. */
	downloadOrigin: string | null;
	/** Adds or changes an item. */
	readonly put: (id: string, item?: Partial<PeerItem>, drive?: string) => void;
	/** Deletes an item with all in it. */
	readonly remove: (id: string, drive?: string) => void;
	/** Makes the links of delta queries that were given out until now invalid. */
	readonly forgetTokens: () => void;
	/** Makes the download addresses that were given out until now invalid. */
	readonly expireDownloads: () => void;
}

export const ownDrive = "b!drive-of-ada";
export const rootOf = (drive: string) => `root-of-${drive.replace("b!", "")}`;

export async function startGraphPeer(items: Readonly<Record<string, Partial<PeerItem>>> = {}): Promise<GraphPeer> {
	const state = { changes: 0, generation: 1, downloads: 1 };
	const local = await startLocalPeer((request) => answer(request, peer, state));
	const driveOf = (drive: string) => {
		const known = peer.drives.get(drive) ?? { name: drive === ownDrive ? "OneDrive" : drive, items: new Map(), log: new Map() };
		peer.drives.set(drive, known);
		return known;
	};
	const log = (id: string, { log }: PeerDrive) => {
		log.delete(id);
		log.set(id, ++state.changes);
	};
	const own = {
		oauth: createOAuthPeer({
			...{ authorize: "/common/oauth2/v2.0/authorize", token: "/common/oauth2/v2.0/token" },
			// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code
			...{ device: { path: "/common/oauth2/v2.0/devicecode", page: "https://microsoft.example/devicelogin" }, deniedError: "authorization_declined" },
			// https://learn.microsoft.com/entra/identity-platform/scopes-oidc#offline_access: it gives a refresh token and is not told among the scopes.
			isOffline: (query) => (query.get("scope") ?? "").split(" ").includes("offline_access"),
			granted: (scope) =>
				scope
					.split(" ")
					.filter((each) => each !== "offline_access")
					.map((each) => `https://graph.microsoft.com/${each}`)
					.join(" "),
		}),
		...{ drives: new Map<string, PeerDrive>(), sites: new Map(), forbidden: new Set<string>() },
		account: { id: "48d31887-5fad-4d73-a9f5-3c356e68a038", displayName: "Ada", mail: "ada@example.com", userPrincipalName: "ada@example.com" },
		...{ pageMax: 200, tellsDescendants: false, tellsBackwards: false, tellsRoot: true, showsDownloads: true, downloadOrigin: null },
		put: (id: string, item: Partial<PeerItem> = {}, drive = ownDrive) => {
			const to = driveOf(drive);
			const before = to.items.get(id) ?? { ...{ name: id, kind: "file", parent: rootOf(drive), content: "" }, modified: "2026-03-01T10:00:00Z", version: 0 };
			to.items.set(id, { ...before, ...item, version: before.version + 1 } as PeerItem);
			log(id, to);
		},
		remove: (id: string, drive = ownDrive) => {
			const from = driveOf(drive);
			const inside = below(id, from);
			for (const each of [id, ...inside]) from.items.delete(each);
			log(id, from);
			for (const each of inside) peer.tellsDescendants ? log(each, from) : from.log.delete(each);
		},
		forgetTokens: () => void state.generation++,
		expireDownloads: () => void state.downloads++,
	};
	const peer: GraphPeer = Object.assign(local, own);
	driveOf(ownDrive);
	for (const [id, item] of Object.entries(items)) peer.put(id, item);
	return peer;
}

function below(id: string, drive: PeerDrive): string[] {
	return [...drive.items].filter(([, { parent }]) => parent === id).flatMap(([child]) => [child, ...below(child, drive)]);
}

interface State {
	readonly changes: number;
	/** Of the tokens that are still known. */
	readonly generation: number;
	readonly downloads: number;
}

function answer(request: PeerRequest, peer: GraphPeer, state: State): PeerReply {
	const url = new URL(request.path, peer.origin);
	const signIn = peer.oauth.answer(request.method, url, request.body);
	if (signIn !== null) return { status: signIn.status, headers: { "content-type": "application/json", ...signIn.headers }, body: JSON.stringify(signIn.body) };
	if (url.pathname.startsWith("/download/")) return downloadReply(url, request, peer, state);
	const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
	if (!peer.oauth.isAccepted(token)) return refusal(401, "InvalidAuthenticationToken", "Access token has expired or is not yet valid.");
	const [, version, kind = "", id = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
	if (version !== "v1.0") return refusal(400, "invalidRequest", "Invalid version");
	if (kind === "me") return id === "drive" ? json({ id: ownDrive, name: "OneDrive", driveType: "business" }) : json(peer.account);
	if (kind === "sites") return sitesReply(id, rest[0], url, peer);
	if (kind !== "drives") return refusal(404, "itemNotFound", "The resource could not be found.");
	return driveReply(id, rest, url, peer, state);
}

/** https://learn.microsoft.com/graph/api/site-search and https://learn.microsoft.com/graph/api/drive-list */
function sitesReply(id: string, act: string | undefined, url: URL, { sites, drives }: GraphPeer): PeerReply {
	if (id === "" && url.searchParams.has("search"))
		return json({
			value: [...sites].map(([site, { name }]) => ({ id: site, name, displayName: name, webUrl: `https://contoso.sharepoint.example/sites/${name}` })),
		});
	const site = sites.get(id);
	if (site === undefined || act !== "drives") return refusal(404, "itemNotFound", "Requested site could not be found");
	return json({ value: site.drives.map((drive) => ({ id: drive, name: drives.get(drive)?.name })) });
}

function driveReply(id: string, rest: readonly string[], url: URL, peer: GraphPeer, state: State): PeerReply {
	const drive = peer.drives.get(id);
	if (peer.forbidden.has(id)) return refusal(403, "accessDenied", "Access denied");
	if (drive === undefined) return refusal(404, "itemNotFound", "Item not found");
	const [place, second, third] = rest;
	if (place === "root" && second === "delta") return deltaReply(id, drive, url, peer, state);
	const item = place === "root" ? rootOf(id) : (second ?? "");
	const act = place === "root" ? second : third;
	if (act === "children")
		return json({ value: [...drive.items].filter(([, { parent }]) => parent === item).map(([child]) => shown(id, child, drive, peer, state)) });
	if (item === rootOf(id)) return json(shownRoot(id));
	const found = drive.items.get(item);
	if (found === undefined) return refusal(404, "itemNotFound", "Item does not exist");
	// https://learn.microsoft.com/graph/api/driveitem-list-permissions
	if (act === "permissions") return json({ value: found.permissions ?? [] });
	// https://learn.microsoft.com/graph/api/driveitem-get-content
	if (act === "content") return { status: 302, headers: { location: downloadAddress(id, item, peer, state) } };
	return json(shown(id, item, drive, peer, state));
}

/**
 * https://learn.microsoft.com/graph/api/driveitem-delta: the latest state of each item that changed, with the folders above it, perhaps more
 * than once; a link that is too old answers 410 with the link of a new beginning.
 */
function deltaReply(id: string, drive: PeerDrive, url: URL, peer: GraphPeer, state: State): PeerReply {
	const [generation = 0, since = 0] = (url.searchParams.get("token") ?? "").split("-").map(Number);
	const link = (to: number) => `${peer.origin}${url.pathname}?token=${state.generation}-${to}`;
	if (!Number.isInteger(since)) return refusal(400, "invalidRequest", "The provided token is malformed");
	if (generation !== 0 && generation !== state.generation)
		return { ...refusal(410, "resyncChangesApplyDifferences", "Resync required."), headers: { location: link(0), "content-type": "application/json" } };
	const isFirst = since === 0;
	const changed = [...drive.log].filter(([, at]) => at > since).slice(0, peer.pageMax + 1);
	const page = changed.slice(0, peer.pageMax);
	const value = page.flatMap(([item]) => [
		...(isFirst ? [] : above(item, drive).map((folder) => deltaShown(id, folder, drive, peer, state))),
		...(isFirst && !drive.items.has(item) ? [] : [deltaShown(id, item, drive, peer, state)]),
	]);
	if (peer.tellsBackwards) value.reverse();
	const root = peer.tellsRoot ? [shownRoot(id)] : [];
	const next =
		changed.length > page.length ? { "@odata.nextLink": link(page.at(-1)?.[1] ?? 0) } : { "@odata.deltaLink": link(Math.max(state.changes, since, 1)) };
	return json({ value: isFirst || value.length > 0 ? [...root, ...value] : [], ...next });
}

function shownRoot(drive: string): object {
	return { id: rootOf(drive), name: "root", root: {}, folder: {}, parentReference: { driveId: drive } };
}

function above(id: string, { items }: PeerDrive): readonly string[] {
	const parent = items.get(id)?.parent ?? "";
	return items.has(parent) ? [...above(parent, { items } as PeerDrive), parent] : [];
}

function deltaShown(driveId: string, id: string, drive: PeerDrive, peer: GraphPeer, state: State): object {
	const item = drive.items.get(id);
	// In the remarks of that page: `cTag` and `name` are left out of deleted items of a business drive, `cTag` of the others.
	if (item === undefined) return { id, deleted: { state: "deleted" }, parentReference: { driveId } };
	const { cTag: _tag, "@microsoft.graph.downloadUrl": _address, webUrl: _url, ...rest } = shown(driveId, id, drive, peer, state);
	return rest;
}

function shown(driveId: string, id: string, { items }: PeerDrive, peer: GraphPeer, state: State) {
	const { name, kind, parent, content, modified, permissions, hasMalware, size, version } = items.get(id) as PeerItem;
	const user = { user: { displayName: "Ada", email: "ada@example.com" } };
	const facets = {
		file: { file: { mimeType: "text/plain" }, size: size ?? Buffer.byteLength(bytesOf(content)), cTag: `"c:{${id}},${version}"` },
		folder: { folder: { childCount: 0 }, size: 0 },
		notebook: { package: { type: "oneNote" }, size: 10 },
		shortcut: { remoteItem: { id: "elsewhere", folder: {} } },
	};
	return {
		...{ id, name, eTag: `"{${id}},${version}"`, parentReference: { id: parent, driveId }, createdBy: user, lastModifiedBy: user },
		...{ createdDateTime: "2026-01-01T09:00:00Z", lastModifiedDateTime: modified, webUrl: `https://onedrive.example/${driveId}/${id}` },
		...({ cTag: undefined, ...facets[kind] } as { readonly cTag: string | undefined }),
		...(permissions !== undefined && { shared: { scope: "users" } }),
		...(hasMalware === true && { malware: {} }),
		"@microsoft.graph.downloadUrl": kind === "file" && peer.showsDownloads ? downloadAddress(driveId, id, peer, state) : undefined,
	};
}

function downloadAddress(drive: string, id: string, { downloadOrigin, origin }: GraphPeer, { downloads }: State): string {
	return `${downloadOrigin ?? origin}/download/${encodeURIComponent(drive)}/${encodeURIComponent(id)}?tempauth=${downloads}`;
}

/** Addresses that carry their permission: valid for a while, and refused with a header of another. */
function downloadReply(url: URL, { headers }: PeerRequest, { drives }: GraphPeer, { downloads }: State): PeerReply {
	if (headers.authorization !== undefined || url.searchParams.get("tempauth") !== String(downloads)) return { status: 401, body: "" };
	const [, , drive = "", id = ""] = url.pathname.split("/").map(decodeURIComponent);
	const item = drives.get(drive)?.items.get(id);
	return item === undefined ? { status: 404 } : { status: 200, headers: { "content-type": "text/plain" }, body: bytesOf(item.content) };
}

export function bytesOf(content: PeerItem["content"]): string | Uint8Array {
	return typeof content === "function" ? content() : content;
}

function json(body: unknown): PeerReply {
	return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** https://learn.microsoft.com/graph/errors */
export function refusal(status: number, code: string, message: string): PeerReply {
	return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ error: { code, message } }) };
}
