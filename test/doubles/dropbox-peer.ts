/**
 * A small Dropbox: sign-in, and of the API v2 folders with cursors, downloads, exports, sharing and path roots, after
 * https://www.dropbox.com/developers/documentation/http/documentation and https://developers.dropbox.com/oauth-guide (read in November 2026).
 * The page of an odd case stands beside it.
 */

import { createHash } from "node:crypto";
import { type LocalPeer, type PeerReply, type PeerRequest, startLocalPeer } from "./local-peer.ts";
import { createOAuthPeer, type OAuthPeer } from "./oauth-peer.ts";

export interface PeerEntry {
	/** As it is shown, from the root of the team on. */
	path: string;
	kind: "file" | "folder" | "paper" | "symlink";
	/** The bytes of a file; of a document of Paper its exports by format, the default first. */
	content: string | Uint8Array | Readonly<Record<string, string>>;
	modified: string;
	/** The shared folder in which it lies. */
	sharedFolder?: string;
	rev: number;
}

export interface DropboxPeer extends LocalPeer {
	readonly oauth: OAuthPeer;
	readonly entries: Map<string, PeerEntry>;
	/** Members of shared folders: addresses, the owner first. */
	readonly members: Map<string, readonly string[]>;
	/** Visibilities of links by path. */
	readonly links: Map<string, string>;
	readonly account: { readonly id: string; email: string; name: string };
	/** The namespace of the team's root, and where the folder of the account lies in it; an empty path without a team. */
	root: { namespace: string; home: string };
	pageMax: number;
	readonly put: (id: string, entry: Partial<PeerEntry>) => void;
	/** Moves or renames; a folder with all in it. */
	readonly move: (id: string, path: string) => void;
	/** Deletes; a folder with all in it, of which only the folder is told. */
	readonly remove: (id: string) => void;
	/** Makes the cursors that were given out until now invalid. */
	readonly forgetCursors: () => void;
}

interface State {
	changes: number;
	/** Of the cursors that are still known. */
	generation: number;
	/** Numbers of the last changes, by path in lower case, in their order. */
	readonly log: Map<string, number>;
}

export async function startDropboxPeer(entries: Readonly<Record<string, Partial<PeerEntry>>> = {}): Promise<DropboxPeer> {
	const state: State = { changes: 0, generation: 1, log: new Map() };
	const local = await startLocalPeer((request) => answer(request, peer, state));
	const log = (path: string) => {
		state.log.delete(path.toLowerCase());
		state.log.set(path.toLowerCase(), ++state.changes);
	};
	const own = {
		oauth: createOAuthPeer({
			...{ authorize: "/oauth2/authorize", token: "/oauth2/token" },
			isOffline: (query) => query.get("token_access_type") === "offline",
			// https://developers.dropbox.com/oauth-guide#using-pkce
			isPublic: true,
		}),
		entries: new Map<string, PeerEntry>(),
		...{ members: new Map<string, readonly string[]>(), links: new Map<string, string>() },
		account: { id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc", email: "ada@example.com", name: "Ada" },
		...{ root: { namespace: "3235641", home: "" }, pageMax: 2_000 },
		put: (id: string, entry: Partial<PeerEntry>) => {
			const before = peer.entries.get(id) ?? { ...{ path: `/${id}`, kind: "file", content: "" }, modified: "2026-03-01T10:00:00Z", rev: 0 };
			peer.entries.set(id, { ...before, ...entry, rev: before.rev + 1 } as PeerEntry);
			log(peer.entries.get(id)?.path ?? "");
		},
		move: (id: string, path: string) => {
			const from = peer.entries.get(id)?.path ?? "";
			const moved = [...peer.entries].filter(([, entry]) => entry.path === from || entry.path.startsWith(`${from}/`));
			for (const entry of moved) state.log.delete(entry[1].path.toLowerCase());
			log(from);
			for (const [, entry] of moved) {
				entry.path = `${path}${entry.path.slice(from.length)}`;
				log(entry.path);
			}
		},
		remove: (id: string) => {
			const from = peer.entries.get(id)?.path ?? "";
			for (const [other, { path }] of [...peer.entries]) {
				if (path !== from && !path.startsWith(`${from}/`)) continue;
				peer.entries.delete(other);
				state.log.delete(path.toLowerCase());
			}
			log(from);
		},
		forgetCursors: () => void state.generation++,
	};
	const peer: DropboxPeer = Object.assign(local, own);
	for (const [id, entry] of Object.entries(entries)) peer.put(id, entry);
	return peer;
}

function answer(request: PeerRequest, peer: DropboxPeer, state: State): PeerReply {
	const url = new URL(request.path, peer.origin);
	const signIn = peer.oauth.answer(request.method, url, request.body);
	if (signIn !== null) return { ...json(signIn.body, signIn.status), headers: { "content-type": "application/json", ...signIn.headers } };
	const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
	if (!peer.oauth.isAccepted(token)) return refused(401, "expired_access_token");
	if (request.method !== "POST") return { status: 400, headers: { "content-type": "text/plain" }, body: "Unexpected method" };
	const route = url.pathname.replace(/^\/2\//, "");
	// https://www.dropbox.com/developers/documentation/http/documentation#auth-token-revoke ends the refresh token too.
	if (route === "auth/token/revoke") {
		peer.oauth.end(token);
		return { status: 200, headers: { "content-type": "application/json" }, body: "null" };
	}
	const home = homeOf(request, peer);
	if (home === null) return refused(422, "invalid_root", { invalid_root: { ".tag": "team", root_namespace_id: peer.root.namespace } });
	if (route === "files/download" || route === "files/export") return contentReply(route, request, home, peer);
	return routeReply(route, JSON.parse(request.body || "null") ?? {}, home, peer, state);
}

/** Where paths begin. https://developers.dropbox.com/dbx-team-files-guide: at the account's own folder without the header. */
function homeOf({ headers }: PeerRequest, { root }: DropboxPeer): string | null {
	const given = headers["dropbox-api-path-root"];
	if (given === undefined) return root.home;
	return (JSON.parse(String(given)) as { readonly root?: string }).root === root.namespace ? "" : null;
}

type Argument = Readonly<Record<string, unknown>>;

function routeReply(route: string, argument: Argument, home: string, peer: DropboxPeer, state: State): PeerReply {
	if (route === "users/get_current_account") {
		const { id, email, name } = peer.account;
		const { namespace, home: path } = peer.root;
		return json({ account_id: id, email, name: { display_name: name }, root_info: { ".tag": path === "" ? "user" : "team", root_namespace_id: namespace } });
	}
	if (route === "users/get_account") return json({ account_id: argument["account_id"], name: { display_name: "Ben" } });
	if (route === "files/list_folder") return listReply(argument, home, peer, state);
	if (route === "files/list_folder/continue") return continueReply(String(argument["cursor"]), home, peer, state);
	if (route === "files/get_metadata") {
		const entry = peer.entries.get(String(argument["path"]));
		return entry === undefined ? refused(409, "path/not_found") : json(shown(String(argument["path"]), entry, home));
	}
	if (route === "sharing/list_shared_links")
		return json({
			links: [...peer.links].map(([path, visibility]) => ({
				path_lower: path.toLowerCase(),
				link_permissions: { resolved_visibility: { ".tag": visibility } },
			})),
			has_more: false,
		});
	if (route === "sharing/list_folder_members") {
		const members = peer.members.get(String(argument["shared_folder_id"]));
		if (members === undefined) return refused(409, "access_error/invalid_id");
		return json({ users: members.map((email, i) => ({ access_type: { ".tag": i === 0 ? "owner" : "viewer" }, user: { email } })), groups: [], invitees: [] });
	}
	return { status: 404, headers: { "content-type": "text/plain" }, body: "Unknown route" };
}

interface PeerCursor {
	readonly folder: string;
	readonly at: number;
	readonly generation: number;
	readonly isRecursive: boolean;
	/** Deleted entries are told only after the first listing. */
	readonly isFirst: boolean;
}

function listReply(argument: Argument, home: string, peer: DropboxPeer, state: State): PeerReply {
	const folder = String(argument["path"]);
	if (folder === "/")
		return { status: 400, headers: { "content-type": "text/plain" }, body: 'path: Specify the root folder as an empty string rather than as "/".' };
	return pageReply(
		{ folder, at: 0, generation: state.generation, isRecursive: argument["recursive"] === true, isFirst: true },
		Number(argument["limit"] ?? 500),
		home,
		peer,
		state,
	);
}

function continueReply(cursor: string, home: string, peer: DropboxPeer, state: State): PeerReply {
	const parsed = JSON.parse(Buffer.from(cursor, "base64url").toString()) as PeerCursor;
	if (parsed.generation !== state.generation) return refused(409, "reset");
	return pageReply(parsed, peer.pageMax, home, peer, state);
}

function pageReply(cursor: PeerCursor, limit: number, home: string, peer: DropboxPeer, state: State): PeerReply {
	const place = placeOf(cursor.folder, home, peer);
	if (place === null) return refused(409, "path/not_found");
	const size = Math.min(limit, peer.pageMax);
	const changed = [...state.log].filter(([path, at]) => at > cursor.at && isIn(path, place.toLowerCase(), cursor.isRecursive)).slice(0, size + 1);
	const page = changed.slice(0, size);
	const byPath = new Map([...peer.entries].map(([id, entry]) => [entry.path.toLowerCase(), [id, entry] as const]));
	const entries = page.flatMap(([path]) => {
		const [id, entry] = byPath.get(path) ?? [];
		if (id !== undefined && entry !== undefined) return [shown(id, entry, home)];
		const below = path.slice(home.length);
		return cursor.isFirst ? [] : [{ ".tag": "deleted", name: below.split("/").at(-1), path_lower: below, path_display: below }];
	});
	const hasMore = changed.length > page.length;
	const next = { ...cursor, at: hasMore ? (page.at(-1)?.[1] ?? 0) : Math.max(state.changes, 1), isFirst: cursor.isFirst && hasMore };
	return json({ entries, cursor: Buffer.from(JSON.stringify(next)).toString("base64url"), has_more: hasMore });
}

/** The path of a folder that is named by its id or its path; null if there is none. */
function placeOf(folder: string, home: string, { entries }: DropboxPeer): string | null {
	if (folder === "") return home;
	if (folder.startsWith("id:")) return entries.get(folder)?.path ?? null;
	const path = `${home}${folder}`;
	return [...entries.values()].some((entry) => entry.kind === "folder" && entry.path.toLowerCase() === path.toLowerCase()) ? path : null;
}

function isIn(path: string, folder: string, isRecursive: boolean): boolean {
	return path.startsWith(`${folder}/`) && (isRecursive || !path.slice(folder.length + 1).includes("/"));
}

function shown(id: string, { path, kind, content, modified, sharedFolder, rev }: PeerEntry, home: string): object {
	const below = path.slice(home.length);
	const common = { id, name: below.split("/").at(-1), path_lower: below.toLowerCase(), path_display: below };
	if (kind === "folder") return { ".tag": "folder", ...common };
	const isPaper = kind === "paper";
	const bytes = isPaper ? "" : (content as string | Uint8Array);
	return {
		...{ ".tag": "file", ...common, client_modified: modified, server_modified: modified, rev: String(rev).padStart(9, "0"), is_downloadable: !isPaper },
		...{ size: Buffer.byteLength(bytes) },
		// A document of Paper has no bytes of its own: https://www.dropbox.com/developers/documentation/http/documentation#files-export.
		...(isPaper
			? { export_info: { export_as: Object.keys(content)[0], export_options: Object.keys(content) } }
			: { content_hash: createHash("sha256").update(bytes).digest("hex") }),
		...(kind === "symlink" && { symlink_info: { target: "/elsewhere" } }),
		...(sharedFolder !== undefined && { sharing_info: { read_only: false, parent_shared_folder_id: sharedFolder, modified_by: "dbid:of-ben" } }),
	};
}

/** https://www.dropbox.com/developers/documentation/http/documentation#formats: arguments and results of content routes are headers, in ASCII. */
function contentReply(route: string, { headers }: PeerRequest, home: string, { entries }: DropboxPeer): PeerReply {
	const argument = JSON.parse(String(headers["dropbox-api-arg"])) as Argument;
	const id = String(argument["path"]);
	const entry = entries.get(id);
	if (entry === undefined) return refused(409, "path/not_found");
	if (entry.kind === "folder") return refused(409, "path/not_file");
	const isExport = route === "files/export";
	if (isExport !== (entry.kind === "paper")) return refused(409, isExport ? "non_exportable" : "unsupported_file");
	const metadata = shown(id, entry, home);
	if (!isExport) return bytesReply(entry.content as string | Uint8Array, metadata);
	const formats = entry.content as Readonly<Record<string, string>>;
	const format = String(argument["export_format"] ?? Object.keys(formats)[0]);
	const exported = formats[format];
	if (exported === undefined) return refused(409, "invalid_export_format");
	const name = `${entry.path
		.split("/")
		.at(-1)
		?.replace(/\.paper$/, "")}.${format === "markdown" ? "md" : format}`;
	return bytesReply(exported, { export_metadata: { name, size: Buffer.byteLength(exported) }, file_metadata: metadata });
}

function bytesReply(body: string | Uint8Array, result: object): PeerReply {
	const ascii = JSON.stringify(result).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
	return { status: 200, headers: { "content-type": "application/octet-stream", "dropbox-api-result": ascii }, body };
}

function json(body: unknown, status = 200): PeerReply {
	return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** https://www.dropbox.com/developers/documentation/http/documentation#error-handling */
export function refused(status: number, summary: string, more: object = {}): PeerReply {
	const [tag] = summary.split("/");
	return json({ error_summary: `${summary}/..`, error: { ".tag": tag, ...more } }, status);
}
