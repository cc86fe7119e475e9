/**
 * A small Google: sign-in, and Drive's files, shared drives, exports and change logs, as
 * https://developers.google.com/workspace/drive/api/reference/rest/v3 and https://developers.google.com/identity/protocols/oauth2/web-server
 * describe them (read in November 2026).
 */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { LocalPeer } from "./local-peer.ts";
import { createOAuthPeer, type OAuthPeer } from "./oauth-peer.ts";

const native = "application/vnd.google-apps.";
export const folderType = `${native}folder`;
export const docType = `${native}document`;

export interface PeerFile {
	name: string;
	mimeType: string;
	parents: string[];
	/** The shared drive in which it lies. */
	driveId?: string;
	/** The bytes of a file; of a native document its exports by media type. */
	content: string | Uint8Array | Readonly<Record<string, string | Uint8Array>>;
	modifiedTime: string;
	trashed?: boolean;
	owners?: { displayName: string; emailAddress: string }[];
	permissions?: { type: string; emailAddress?: string; domain?: string }[];
	target?: string;
	canDownload?: boolean;
}

interface Trouble {
	/** A part of the path with its query. */
	path: string;
	status: number;
	/** Such as `userRateLimitExceeded`. */
	reason?: string;
	headers?: Record<string, string>;
	/** How often; always without it. */
	times?: number;
}

export interface GooglePeer {
	readonly host: string;
	readonly endpoint: string;
	readonly oauth: OAuthPeer;
	readonly files: Map<string, PeerFile>;
	/** Names by id. */
	readonly drives: Map<string, string>;
	/** The account that signs in. */
	account: { permissionId: string; emailAddress: string; displayName: string };
	/** Paths with their queries, as they came. */
	readonly asked: string[];
	readonly troubles: Trouble[];
	/** Answers instead of Google where it returns a reply. */
	trouble: LocalPeer["trouble"];
	/** The largest page. Drive may return fewer than were asked for. */
	pageMax: number;
	/**
	 * Files that lists leave out, and say so: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list, `incompleteSearch`.
	 */
	readonly unsearched: Set<string>;
	/** Larger exports are refused. */
	exportMax: number;
	isStalled: boolean;
	/** Adds or changes a file, which is then in a change log. */
	readonly put: (id: string, file: Partial<PeerFile>) => void;
	/** Deletes it for good; a folder with all in it, which is not told one by one. */
	readonly remove: (id: string) => void;
	/** Moves it to the bin; what lies in a folder is then in the bin too, without changes of its own. */
	readonly trash: (id: string) => void;
	/** Makes page tokens that were given out until now invalid. */
	readonly forgetTokens: () => void;
	readonly close: () => void;
}

export const peerRoot = "root-of-the-account";

export async function startGooglePeer(files: Readonly<Record<string, Partial<PeerFile>>> = {}): Promise<GooglePeer> {
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on("data", (piece: Buffer) => pieces.push(piece));
		request.on("end", () => {
			peer.asked.push(request.url ?? "");
			if (peer.isStalled) return;
			const body = Buffer.concat(pieces).toString();
			const { method = "", url: path = "", headers } = request;
			const trouble = peer.trouble?.({ method, path, headers, body }, peer.asked.length) ?? null;
			if (trouble === null) return send(response, answerTo(request, body, peer, logs));
			response.writeHead(trouble.status, trouble.headers);
			response.end(trouble.body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const logs = new ChangeLogs();
	const peer: GooglePeer = {
		host,
		endpoint: `http://${host}`,
		oauth: createOAuthPeer({
			...{ authorize: "/o/oauth2/v2/auth", token: "/token", revoke: "/revoke" },
			isOffline: (query) => query.get("access_type") === "offline" && query.get("prompt") === "consent",
		}),
		files: new Map(),
		drives: new Map(),
		account: { permissionId: "10297845", emailAddress: "ada@example.com", displayName: "Ada" },
		asked: [],
		troubles: [],
		trouble: null,
		pageMax: 1_000,
		unsearched: new Set(),
		exportMax: 10 * 1024 * 1024,
		isStalled: false,
		put: (id, file) => {
			const before = peer.files.get(id) ?? peerFile();
			const after = { ...before, ...file };
			peer.files.set(id, after);
			// https://developers.google.com/workspace/drive/api/guides/about-changelogs: a file that moves to a shared drive is gone from the account's own log.
			if (before.driveId !== after.driveId) logs.add(id, before.driveId);
			logs.add(id, after.driveId);
		},
		remove: (id) => {
			logs.add(id, peer.files.get(id)?.driveId);
			for (const each of [id, ...below(id, peer)]) peer.files.delete(each);
		},
		trash: (id) => {
			for (const each of [id, ...below(id, peer)]) peer.files.set(each, { ...(peer.files.get(each) ?? peerFile()), trashed: true });
			logs.add(id, peer.files.get(id)?.driveId);
		},
		forgetTokens: () => logs.forget(),
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
	for (const [id, file] of Object.entries(files)) peer.put(id, file);
	return peer;
}

function peerFile(): PeerFile {
	const owners = [{ displayName: "Ada", emailAddress: "ada@example.com" }];
	return { name: "untitled", mimeType: "text/plain", parents: [peerRoot], content: "", modifiedTime: "2026-03-01T10:00:00.000Z", owners };
}

function below(id: string, { files }: GooglePeer): string[] {
	return [...files].filter(([, { parents }]) => parents.includes(id)).flatMap(([child]) => [child, ...below(child, { files } as GooglePeer)]);
}

/** Each log has an item once, at its last change. */
class ChangeLogs {
	readonly #logs = new Map<string, Map<string, number>>();
	#at = 1;
	#oldest = 1;

	add(id: string, drive = ""): void {
		const log = this.#logs.get(drive) ?? new Map<string, number>();
		log.delete(id);
		log.set(id, this.#at++);
		this.#logs.set(drive, log);
	}

	forget(): void {
		this.#oldest = ++this.#at;
	}

	get now(): string {
		return String(this.#at);
	}

	/** Null for a token that was not given out. */
	since(token: string, drive: string): readonly (readonly [string, number])[] | null {
		const from = Number(token);
		if (!Number.isInteger(from) || from < this.#oldest || from > this.#at) return null;
		return [...(this.#logs.get(drive) ?? [])].filter(([, at]) => at >= from);
	}
}

interface Reply {
	readonly status: number;
	readonly body: unknown;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly bytes?: { readonly content: string | Uint8Array; readonly type: string };
}

function answerTo(request: IncomingMessage, body: string, peer: GooglePeer, logs: ChangeLogs): Reply {
	const url = new URL(request.url ?? "", peer.endpoint);
	const trouble = peer.troubles.find(({ path }) => (request.url ?? "").includes(path));
	if (trouble !== undefined) {
		if (trouble.times !== undefined && --trouble.times === 0) peer.troubles.splice(peer.troubles.indexOf(trouble), 1);
		return refusal(trouble.status, trouble.reason ?? "backendError", "Troubled", trouble.headers);
	}
	const signIn = peer.oauth.answer(request.method ?? "", url, body);
	if (signIn !== null) return signIn;
	const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
	if (!peer.oauth.isAccepted(token)) return refusal(401, "authError", "Request had invalid authentication credentials.");
	return driveReply(url, peer, logs);
}

function driveReply({ pathname, searchParams: query }: URL, peer: GooglePeer, logs: ChangeLogs): Reply {
	const path = pathname.replace(/^\/drive\/v3/, "");
	const [, kind = "", id = "", act = ""] = path.split("/").map(decodeURIComponent);
	if (path === "/about")
		return query.has("fields") ? ok(query, { user: peer.account }) : refusal(400, "required", "The 'fields' parameter is required for this method.");
	if (path === "/drives") return drivesReply(query, peer);
	if (path === "/changes/startPageToken") return startReply(query, peer, logs);
	if (path === "/changes") return changesReply(query, peer, logs);
	if (path === "/files") return listReply(query, peer);
	if (kind !== "files") return refusal(404, "notFound", "Not Found");
	if (id === "root" || id === peerRoot) return ok(query, { id: peerRoot, name: "My Drive", mimeType: folderType });
	if (peer.drives.has(id)) return ok(query, { id, name: peer.drives.get(id), mimeType: folderType, driveId: id });
	const file = peer.files.get(id);
	// https://developers.google.com/workspace/drive/api/guides/enable-shareddrives: without supportsAllDrives there are no shared drives.
	const isHidden = file?.driveId !== undefined && query.get("supportsAllDrives") !== "true" && act !== "export";
	if (file === undefined || isHidden) return refusal(404, "notFound", `File not found: ${id}.`);
	if (act === "export") return exportReply(file, query.get("mimeType") ?? "", peer);
	return query.get("alt") === "media" ? mediaReply(file) : ok(query, shown(id, file));
}

function startReply(query: URLSearchParams, { drives }: GooglePeer, logs: ChangeLogs): Reply {
	const driveId = query.get("driveId");
	return driveId !== null && !drives.has(driveId) ? refusal(404, "notFound", `Shared drive not found: ${driveId}`) : ok(query, { startPageToken: logs.now });
}

function mediaReply(file: PeerFile): Reply {
	if (file.mimeType.startsWith(native)) return refusal(403, "fileNotDownloadable", "Only files with binary content can be directly downloaded. Use Export.");
	if (file.canDownload === false) return refusal(403, "cannotDownloadFile", "This file cannot be downloaded by the user.");
	return { status: 200, body: null, bytes: { content: file.content as string | Uint8Array, type: file.mimeType } };
}

function exportReply({ mimeType, content }: PeerFile, type: string, { exportMax }: GooglePeer): Reply {
	if (!mimeType.startsWith(native)) return refusal(403, "fileNotExportable", "Export only supports Docs Editors files.");
	const exported = (content as Readonly<Record<string, string | Uint8Array>>)[type];
	if (exported === undefined) return refusal(400, "badRequest", "The requested conversion is not supported.");
	// https://developers.google.com/workspace/drive/api/reference/rest/v3/files/export: the exported content is limited to 10 MB.
	if (Buffer.byteLength(exported) > exportMax) return refusal(403, "exportSizeLimitExceeded", "This file is too large to be exported.");
	return { status: 200, body: null, bytes: { content: exported, type } };
}

function listReply(query: URLSearchParams, peer: GooglePeer): Reply {
	const [corpora, driveId] = [query.get("corpora") ?? "user", query.get("driveId")];
	const seesAll = query.get("includeItemsFromAllDrives") === "true" && query.get("supportsAllDrives") === "true";
	if (corpora === "drive" && (driveId === null || !seesAll)) return refusal(403, "teamDrivesParentLimit", "includeItemsFromAllDrives must be set.");
	if (driveId !== null && !peer.drives.has(driveId)) return refusal(404, "notFound", `Shared drive not found: ${driveId}`);
	const matches = matcherOf(query.get("q") ?? "");
	if (matches === null) return refusal(400, "invalid", "Invalid Value");
	const isSearched = (id: string) => !peer.unsearched.has(id);
	const isOfCorpus = ({ driveId: at }: PeerFile) => (corpora === "drive" ? at === driveId : at === undefined);
	const all = [...peer.files].filter(([id, file]) => isSearched(id) && isOfCorpus(file) && matches(file));
	const [size, from] = [Math.min(Number(query.get("pageSize") ?? 100), peer.pageMax), Number(query.get("pageToken") ?? 0)];
	const next = from + size < all.length ? { nextPageToken: String(from + size) } : {};
	return ok(query, { files: all.slice(from, from + size).map(([id, file]) => shown(id, file)), incompleteSearch: peer.unsearched.size > 0, ...next });
}

/** The few terms of https://developers.google.com/workspace/drive/api/guides/search-files that are asked for here; null for others. */
function matcherOf(q: string): ((file: PeerFile) => boolean) | null {
	const terms = q.split(" and ").map((term) => {
		if (term === "trashed = false") return (file: PeerFile) => file.trashed !== true;
		const type = /^mimeType = '([^']+)'$/.exec(term)?.[1];
		if (type !== undefined) return (file: PeerFile) => file.mimeType === type;
		const parents = term
			.replace(/^\(|\)$/g, "")
			.split(" or ")
			.map((one) => /^'([^']+)' in parents$/.exec(one)?.[1]);
		return parents.every((parent) => parent !== undefined) ? (file: PeerFile) => file.parents.some((parent) => parents.includes(parent)) : null;
	});
	return terms.every((term) => term !== null) ? (file) => terms.every((term) => term(file)) : null;
}

function drivesReply(query: URLSearchParams, { drives, pageMax }: GooglePeer): Reply {
	const [size, from] = [Math.min(Number(query.get("pageSize") ?? 10), pageMax), Number(query.get("pageToken") ?? 0)];
	const all = [...drives].map(([id, name]) => ({ id, name }));
	return ok(query, { drives: all.slice(from, from + size), ...(from + size < all.length && { nextPageToken: String(from + size) }) });
}

function changesReply(query: URLSearchParams, peer: GooglePeer, logs: ChangeLogs): Reply {
	const drive = query.get("driveId") ?? "";
	if (drive !== "" && !peer.drives.has(drive)) return refusal(404, "notFound", `Shared drive not found: ${drive}`);
	const since = logs.since(query.get("pageToken") ?? "", drive);
	if (since === null) return refusal(400, "invalid", "Invalid Value");
	const page = since.slice(0, Math.min(Number(query.get("pageSize") ?? 100), peer.pageMax));
	const changes = page.map(([id]) => {
		const file = peer.files.get(id);
		const isElsewhere = file !== undefined && (file.driveId ?? "") !== drive;
		const isShown = file !== undefined && (!isElsewhere || query.get("includeCorpusRemovals") === "true");
		return { changeType: "file", fileId: id, removed: file === undefined || isElsewhere, ...(isShown && { file: shown(id, file) }) };
	});
	const next = page.length < since.length ? { nextPageToken: String(since[page.length]?.[1]) } : { newStartPageToken: logs.now };
	return ok(query, { changes, ...next });
}

function shown(id: string, file: PeerFile) {
	const { name, mimeType, trashed = false, parents, driveId, content, modifiedTime, owners, permissions, target, canDownload = true } = file;
	const isNative = mimeType.startsWith(native);
	const bytes = Buffer.from(isNative ? "" : (content as string | Uint8Array));
	return {
		...{ kind: "drive#file", id, name, mimeType, trashed, parents, modifiedTime, createdTime: "2026-01-01T09:00:00.000Z", capabilities: { canDownload } },
		webViewLink: `https://drive.example/file/d/${id}/view`,
		...(isNative ? {} : { size: String(bytes.byteLength), md5Checksum: createHash("md5").update(bytes).digest("hex") }),
		// Neither owners nor permissions are told of what lies in shared drives.
		...(driveId === undefined ? { owners, permissions } : { driveId }),
		lastModifyingUser: owners?.[0],
		...(target !== undefined && { shortcutDetails: { targetId: target } }),
	};
}

function ok(query: URLSearchParams, body: object): Reply {
	return { status: 200, body: selected(body, query.get("fields")) };
}

/** Partial responses: https://developers.google.com/workspace/drive/api/guides/fields-parameter. Without `fields` a file has three of them. */
function selected(value: unknown, fields: string | null): unknown {
	if (fields === null) return withDefaults(value);
	const wanted = [...fields.matchAll(/(\w+)(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?/g)];
	const pick = (one: unknown): unknown => {
		if (Array.isArray(one)) return one.map(pick);
		if (typeof one !== "object" || one === null) return one;
		const record = one as Readonly<Record<string, unknown>>;
		return Object.fromEntries(
			wanted.flatMap(([, name = "", inner]) =>
				record[name] === undefined ? [] : [[name, inner === undefined ? record[name] : selected(record[name], inner)]],
			),
		);
	};
	return pick(value);
}

function withDefaults(value: unknown): unknown {
	const file = value as Readonly<Record<string, unknown>>;
	return file["kind"] === "drive#file" ? { kind: file["kind"], id: file["id"], name: file["name"], mimeType: file["mimeType"] } : value;
}

/** https://developers.google.com/workspace/drive/api/guides/handle-errors */
function refusal(status: number, reason: string, message: string, headers?: Readonly<Record<string, string>>): Reply {
	return { status, body: { error: { code: status, message, errors: [{ domain: "global", reason, message }] } }, headers };
}

function send(response: ServerResponse, { status, body, headers = {}, bytes }: Reply): void {
	response.writeHead(status, { "content-type": bytes?.type ?? "application/json; charset=UTF-8", ...headers });
	response.end(bytes === undefined ? JSON.stringify(body) : bytes.content);
}
