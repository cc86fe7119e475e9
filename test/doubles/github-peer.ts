/**
 * A small GitHub: its REST API of repositories, trees, blobs, issues and comments with tokens, pages, renamed repositories, cut trees and
 * rate limits, as https://docs.github.com/en/rest describes them (version 2022-11-28, read in November 2026). What is as its tag says
 * counts towards no limit: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { discussionsReply, type PeerDiscussion } from "./github-discussions.ts";
import type { LocalPeer } from "./local-peer.ts";
import { createOAuthPeer, type OAuthPeer } from "./oauth-peer.ts";

interface Reply {
	readonly status: number;
	/** JSON, unless it is a blob. */
	readonly body: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	readonly blob?: string | Uint8Array;
}

export interface PeerIssue {
	number: number;
	title: string;
	body: string | null;
	state: "open" | "closed";
	updatedAt: string;
	labels: string[];
	/** Null for an account that was deleted. */
	user: string | null;
	comments: { user: string; body: string }[];
	isPullRequest?: boolean;
}

export interface PeerRepository {
	/** Texts by path, or bytes. */
	files: Map<string, string | Uint8Array>;
	issues: PeerIssue[];
	isPrivate: boolean;
	discussions: PeerDiscussion[];
	/** Pages of discussions come without their cursors, which GraphQL's types allow. */
	hidesCursors?: boolean;
	/** Answers 410 for its issues. */
	hasIssues: boolean;
	/** Paths of symbolic links; their text is where they lead. */
	links: Set<string>;
}

export interface GithubPeer {
	readonly host: string;
	readonly endpoint: string;
	readonly token: string;
	/** Of an app. */
	readonly oauth: OAuthPeer;
	readonly account: { readonly id: number; readonly login: string };
	readonly repositories: Map<string, PeerRepository>;
	/** Old names that lead to new ones. */
	readonly renamed: Map<string, string>;
	/** Method-free paths with their queries, as they came. */
	readonly asked: string[];
	/** How many of them counted towards the limit of an hour. */
	spent: number;
	/** A status and headers instead of the answer, by a part of the path; `once` is used up. */
	readonly troubles: { path: string; status: number; headers?: Record<string, string>; message?: string; once?: boolean }[];
	/** Answers instead of GitHub where it returns a reply. */
	trouble: LocalPeer["trouble"];
	/** An error of GraphQL, which comes with status 200. */
	graphqlError: { type: string; message: string } | null;
	/** More entries than this are cut from a recursive tree. */
	treeMax: number;
	isStalled: boolean;
	readonly close: () => void;
}

export function peerRepository(files: Readonly<Record<string, string | Uint8Array>> = {}, issues: readonly PeerIssue[] = []): PeerRepository {
	return { files: new Map(Object.entries(files)), issues: [...issues], discussions: [], isPrivate: false, hasIssues: true, links: new Set() };
}

export function peerIssue(number: number, more: Partial<PeerIssue> = {}): PeerIssue {
	const plain = { title: `Issue ${number}`, body: `Body of ${number}.`, state: "open", labels: [], user: "ada", comments: [] } as const;
	return { number, updatedAt: "2026-03-01T10:00:00Z", ...structuredClone(plain), ...more } as PeerIssue;
}

export async function startGithubPeer(repositories: Readonly<Record<string, PeerRepository>> = {}): Promise<GithubPeer> {
	const server = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		peer.asked.push(request.url ?? "");
		const body = Buffer.concat(pieces).toString();
		const { method = "", url: path = "", headers } = request;
		const trouble = peer.trouble?.({ method, path, headers, body }, peer.asked.length) ?? null;
		if (peer.isStalled) return;
		if (trouble === null) return send(response, tagged(request, answerTo(request, body, peer), peer));
		response.writeHead(trouble.status, trouble.headers);
		response.end(trouble.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	const peer: GithubPeer = {
		host,
		endpoint: `http://${host}`,
		token: "github_pat_11TOKENOFTHEPEER",
		// Refresh tokens are replaced: https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
		oauth: Object.assign(
			createOAuthPeer({
				...{ authorize: "/login/oauth/authorize", token: "/login/oauth/access_token", errorStatus: 200 },
				device: { path: "/login/device/code", page: "https://github.example/login/device" },
				isOffline: () => true,
				// Apps have permissions, and name no scopes.
				granted: () => "",
			}),
			{ rotates: true },
		),
		account: { id: 583_231, login: "ada" },
		repositories: new Map(Object.entries(repositories)),
		renamed: new Map(),
		asked: [],
		spent: 0,
		troubles: [],
		trouble: null,
		graphqlError: null,
		treeMax: 100_000,
		isStalled: false,
		close,
	};
	return peer;
}

export function blobSha(content: string | Uint8Array): string {
	const bytes = Buffer.from(content);
	return createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}

/** Tags differ by token, as https://github.com/github/docs/issues/34689 tells. */
function tagged({ method, headers }: IncomingMessage, answer: Reply, peer: GithubPeer): Reply {
	const etag = `W/"${createHash("sha256")
		.update(`${headers.authorization} ${JSON.stringify(answer.body)}`)
		.digest("hex")}"`;
	const isSame = method === "GET" && answer.status === 200 && headers["if-none-match"] === etag;
	if (!isSame) peer.spent += 1;
	if (isSame) return { status: 304, body: null, headers: { etag } };
	return method === "GET" && answer.status === 200 ? { ...answer, headers: { ...answer.headers, etag } } : answer;
}

function answerTo(request: IncomingMessage, body: string, peer: GithubPeer): Reply {
	const { pathname: asked, searchParams: query } = new URL(request.url ?? "", peer.endpoint);
	// As GitHub Enterprise has its addresses: https://docs.github.com/en/enterprise-server/rest/quickstart
	const pathname = asked.replace(/^\/api\/(?:v3\/)?/, "/");
	const trouble = peer.troubles.find(({ path }) => (request.url ?? "").includes(path));
	if (trouble !== undefined) {
		if (trouble.once === true) peer.troubles.splice(peer.troubles.indexOf(trouble), 1);
		return reply(trouble.status, { message: trouble.message ?? "Troubled" }, trouble.headers);
	}
	const { method = "", headers } = request;
	const signIn = peer.oauth.answer(method, new URL(request.url ?? "", peer.endpoint), body);
	if (signIn !== null) return signIn;
	const ofApp = `/applications/${peer.oauth.clientId}/`;
	if (method === "DELETE" && [`${ofApp}grant`, `${ofApp}token`].includes(pathname))
		return endReply(pathname.endsWith("grant"), body, headers.authorization, peer.oauth);
	const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
	if (token !== peer.token && !peer.oauth.isAccepted(token)) return reply(401, { message: "Bad credentials" });
	if (request.headers["x-github-api-version"] !== "2022-11-28") return reply(400, { message: "Unknown API version" });
	if (!request.headers["user-agent"]) return reply(403, { message: "Request forbidden by administrative rules: no User-Agent" });
	if (pathname === "/rate_limit") return reply(200, { resources: { core: { limit: 5_000, remaining: 4_999 } } });
	if (pathname === "/graphql") return request.method === "POST" ? reply(200, discussionsReply(body, peer)) : reply(404, { message: "Not Found" });
	if (pathname === "/user") return reply(200, peer.account);
	if (pathname === "/user/repos") {
		const all = [...peer.repositories].map(([name, one]) => shown(name, one, peer));
		return reply(200, ...page(all, request, query, peer));
	}
	const [, , owner = "", name = "", part = "", ...rest] = pathname.split("/").map(decodeURIComponent);
	const full = `${owner}/${name}`;
	const moved = peer.renamed.get(full);
	if (moved !== undefined) return reply(301, { message: "Moved Permanently" }, { location: (request.url ?? "").replace(full, moved) });
	const repository = peer.repositories.get(full);
	if (!pathname.startsWith("/repos/") || repository === undefined) return reply(404, { message: "Not Found" });
	if (part === "") return reply(200, shown(full, repository, peer));
	if (part === "git" && rest[0] === "trees") return treeReply(rest[1] ?? "", query.has("recursive"), repository, peer);
	if (part === "git" && rest[0] === "blobs") return blobReply(request, rest[1] ?? "", repository);
	if (part === "issues") return issuesReply(request, rest, query, repository, `${peer.endpoint}/web/${full}`, peer);
	return reply(404, { message: "Not Found" });
}

/**
 * https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-authorization: "Deleting an application's grant will also delete all
 * OAuth tokens associated with the application for the user." https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token
 */
function endReply(isGrant: boolean, body: string, authorization: string | undefined, oauth: OAuthPeer): Reply {
	const { access_token: token } = JSON.parse(body) as { readonly access_token: string };
	if (authorization !== `Basic ${Buffer.from(`${oauth.clientId}:${oauth.clientSecret}`).toString("base64")}`) return reply(404, { message: "Not Found" });
	if (!oauth.isAccepted(token)) return reply(422, { message: "Validation Failed" });
	if (isGrant) oauth.revokeAll();
	else oauth.end(token);
	return reply(204, null);
}

const shown = (name: string, { isPrivate }: PeerRepository, { endpoint }: GithubPeer) => ({
	...{ id: name.length, name: name.split("/")[1], full_name: name, description: null, private: isPrivate, default_branch: "main" },
	...{ html_url: `${endpoint}/web/${name}`, updated_at: "2026-03-01T10:00:00Z" },
});

/** Folders are named by their path instead of a hash. */
function treeReply(sha: string, isRecursive: boolean, { files, links }: PeerRepository, { treeMax }: GithubPeer): Reply {
	if (files.size === 0) return reply(409, { message: "Git Repository is empty." });
	const prefix = sha === "main" ? "" : Buffer.from(sha, "hex").toString();
	const below = [...files].filter(([path]) => path.startsWith(prefix)).map(([path, content]) => [path.slice(prefix.length), content] as const);
	const folders = new Set(below.flatMap(([path]) => (path.includes("/") ? [path.slice(0, path.indexOf("/"))] : [])));
	const tree = [
		...[...folders].map((path) => ({ path, mode: "040000", type: "tree", sha: Buffer.from(`${prefix}${path}/`).toString("hex") })),
		...below
			.filter(([path]) => isRecursive || !path.includes("/"))
			.map(([path, content]) => {
				const mode = links.has(`${prefix}${path}`) ? "120000" : "100644";
				return { path, mode, type: "blob", sha: blobSha(content), size: Buffer.byteLength(content) };
			}),
	];
	// Of all that is below, as in git, also where the answer is cut.
	const hash = createHash("sha1").update(JSON.stringify(below.map(([path, content]) => [path, blobSha(content)])));
	return reply(200, { sha: hash.digest("hex"), tree: tree.slice(0, treeMax), truncated: isRecursive && tree.length > treeMax });
}

function blobReply(request: IncomingMessage, sha: string, { files }: PeerRepository): Reply {
	const content = [...files.values()].find((one) => blobSha(one) === sha);
	if (content === undefined) return reply(404, { message: "Not Found" });
	if (request.headers.accept !== "application/vnd.github.raw+json") return reply(200, { content: Buffer.from(content).toString("base64"), encoding: "base64" });
	return { status: 200, body: null, blob: content };
}

function issuesReply(
	request: IncomingMessage,
	rest: readonly string[],
	query: URLSearchParams,
	repository: PeerRepository,
	url: string,
	peer: GithubPeer,
): Reply {
	if (!repository.hasIssues) return reply(410, { message: "Issues are disabled for this repo" });
	const issue = repository.issues.find(({ number }) => number === Number(rest[0]));
	if (rest.length === 0)
		return reply(
			200,
			...page(
				repository.issues.map((one) => issueJson(one, url)),
				request,
				query,
				peer,
			),
		);
	if (issue === undefined) return reply(404, { message: "Not Found" });
	if (rest[1] === undefined) return reply(200, issueJson(issue, url));
	const comments = issue.comments.map(({ user, body }) => ({ user: { login: user }, body, created_at: "2026-02-02T08:00:00Z" }));
	return reply(200, ...page(comments, request, query, peer));
}

const issueJson = ({ number, title, body, state, updatedAt, labels, user, comments, isPullRequest }: PeerIssue, url: string) => ({
	...{ number, title, body, state, updated_at: updatedAt, created_at: "2026-01-01T09:00:00Z", comments: comments.length },
	...{ labels: labels.map((name) => ({ name })), user: user === null ? null : { login: user }, html_url: `${url}/issues/${number}` },
	...(isPullRequest === true && { pull_request: {} }),
});

/** One page, with the `link` header that leads to the next. */
function page(all: readonly unknown[], request: IncomingMessage, query: URLSearchParams, { endpoint }: GithubPeer): [unknown, Record<string, string>] {
	const [perPage, number] = [Math.min(Number(query.get("per_page") ?? 30), 100), Number(query.get("page") ?? 1)];
	const next = new URL(request.url ?? "", endpoint);
	next.searchParams.set("page", String(number + 1));
	const hasNext = number * perPage < all.length;
	return [all.slice((number - 1) * perPage, number * perPage), hasNext ? { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` } : {}];
}

function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
	return { status, body, headers };
}

function send(response: ServerResponse, { status, body, headers, blob }: Reply): void {
	const type = blob === undefined ? "application/json" : "application/vnd.github.raw+json";
	response.writeHead(status, { "content-type": `${type}; charset=utf-8`, ...headers });
	response.end(status === 304 || status === 204 ? undefined : (blob ?? JSON.stringify(body)));
}
