/**
 * A small Notion: search, pages, data sources and their rows, blocks within blocks, users, cursors and the trash, in version 2025-09-03 of the API.
 * After https://developers.notion.com/reference (read in November 2026); the page is named beside each odd case.
 */

import { createHash } from "node:crypto";
import { type LocalPeer, type PeerReply, type PeerRequest, startLocalPeer } from "./local-peer.ts";
import { createOAuthPeer, type OAuthPeer } from "./oauth-peer.ts";

export interface PeerBlock {
	readonly id: string;
	readonly type: string;
	readonly data: Readonly<Record<string, unknown>>;
	readonly children: readonly PeerBlock[];
}

export interface PeerPage {
	title: string;
	parent: Readonly<Record<string, unknown>>;
	properties: Record<string, unknown>;
	blocks: readonly PeerBlock[];
	edited: string;
	isTrashed: boolean;
	/** Search has not indexed it: https://developers.notion.com/reference/search-optimizations-and-limitations. */
	isUnindexed: boolean;
	publicUrl: string | null;
}

export interface PeerDataSource {
	readonly title: string;
	readonly database: string;
	readonly databaseParent: Readonly<Record<string, unknown>>;
	/** As of a page. */
	readonly isUnindexed?: boolean;
}

export interface NotionPeer extends LocalPeer {
	readonly token: string;
	/** Of a public integration: https://developers.notion.com/guides/get-started/authorization. */
	readonly oauth: OAuthPeer;
	readonly pages: Map<string, PeerPage>;
	readonly dataSources: Map<string, PeerDataSource>;
	/** Names by id; an integration without access to users gets 403: https://developers.notion.com/reference/capabilities. */
	users: Map<string, string> | null;
	/** The most rows that a query tells of. */
	rowsMax: number;
}

/** The same id for the same name. */
export function notionId(name: string): string {
	return createHash("md5")
		.update(name)
		.digest("hex")
		.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export const rich = (text: string, annotations: object = {}, href: string | null = null) => ({
	type: "text",
	plain_text: text,
	href,
	annotations,
	text: { content: text },
});

let blocks = 0;
export function block(type: string, data: string | Readonly<Record<string, unknown>>, children: readonly PeerBlock[] = []): PeerBlock {
	return { id: notionId(`block ${blocks++}`), type, data: typeof data === "string" ? { rich_text: [rich(data)] } : data, children };
}

export const workspace = { type: "workspace", workspace: true };

export function peerPage(title: string, words: string, more: Partial<PeerPage> = {}): PeerPage {
	const plain = { parent: workspace, properties: {}, edited: "2026-03-01T10:00:00.000Z", isTrashed: false, isUnindexed: false, publicUrl: null };
	return { title, blocks: [block("paragraph", words)], ...plain, ...more };
}

export async function startNotionPeer(pages: Readonly<Record<string, PeerPage>> = {}): Promise<NotionPeer> {
	const local = await startLocalPeer((request) => answer(request, peer));
	const own = {
		token: "ntn_of-the-peer-000000",
		// Refresh tokens are replaced: https://developers.notion.com/reference/refresh-a-token.
		oauth: Object.assign(
			createOAuthPeer({
				...{ authorize: "/v1/oauth/authorize", token: "/v1/oauth/token", revoke: "/v1/oauth/revoke", isNotion: true, tellsExpiry: false },
				isOffline: () => true,
				more: { bot_id: notionId("bot"), workspace_id: notionId("workspace"), workspace_icon: null, duplicated_template_id: null },
			}),
			{ rotates: true },
		),
		pages: new Map(Object.entries(pages).map(([name, page]) => [notionId(name), page])),
		dataSources: new Map<string, PeerDataSource>(),
		users: new Map([[notionId("ada"), "Ada"]]),
		rowsMax: 10_000,
	};
	const peer: NotionPeer = Object.assign(local, own);
	return peer;
}

/** https://developers.notion.com/reference/get-self */
const botJson = {
	owner: { type: "user", user: { object: "user", id: notionId("ada"), type: "person", person: { email: "ada@example.com" } } },
	...{ workspace_id: notionId("workspace"), workspace_name: "Harbour" },
};

const problem = (status: number, code: string, message: string): PeerReply => reply(status, { object: "error", status, code, message });

function answer({ method, path, headers, body }: PeerRequest, peer: NotionPeer): PeerReply {
	const signIn = peer.oauth.answer(method, new URL(path, peer.origin), body, headers.authorization);
	if (signIn !== null) return { status: signIn.status, headers: { "content-type": "application/json", ...signIn.headers }, body: JSON.stringify(signIn.body) };
	const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
	if (token !== peer.token && !peer.oauth.isAccepted(token)) return problem(401, "unauthorized", "API token is invalid.");
	// https://developers.notion.com/reference/versioning
	if (headers["notion-version"] !== "2025-09-03") return problem(400, "missing_version", "Notion-Version header should be set.");
	const { pathname, searchParams } = new URL(path, peer.origin);
	const [, version, kind, id = "", part] = pathname.split("/");
	if (version !== "v1") return problem(400, "invalid_request_url", "Invalid request URL.");
	const given = method === "POST" ? (JSON.parse(body) as Record<string, unknown>) : Object.fromEntries(searchParams);
	if (method === "POST" && kind === "search") return page(found(peer), given);
	if (method === "POST" && kind === "data_sources" && part === "query") return rows(id, given, peer);
	if (method !== "GET") return problem(405, "invalid_request", "This method is not supported.");
	if (kind === "users" && id === "me") return reply(200, { object: "user", id: notionId("bot"), type: "bot", bot: botJson });
	if (kind === "users") {
		if (peer.users === null) return problem(403, "restricted_resource", "Insufficient permissions for this endpoint.");
		const name = peer.users.get(id);
		return name === undefined ? notFound : reply(200, { object: "user", id, type: "person", name });
	}
	const known = peer.pages.get(id);
	if (kind === "pages") return known === undefined ? notFound : reply(200, pageJson(id, known));
	const parent = blockOf(id, peer)?.block;
	const children = kind === "blocks" && part === "children" ? (known?.blocks ?? parent?.children) : undefined;
	// https://developers.notion.com/reference/block: what the API does not know is `unsupported`, and may have children all the same. That these are
	// refused, and a list that has a block of Notion's AI as a whole, is not documented; programs that read them are told so.
	const refused = parent?.type === "unsupported" ? parent : children?.find(({ type }) => type === "ai_block");
	if (children !== undefined && refused !== undefined) return problem(400, "validation_error", `Block type ${refused.type} is not supported via the API.`);
	if (children !== undefined)
		return page(
			children.map((one) => blockJson(one)),
			given,
		);
	const inside = kind === "blocks" && part === undefined ? blockOf(id, peer) : null;
	return inside === null ? notFound : reply(200, { ...blockJson(inside.block), parent: inside.parent });
}

/** https://developers.notion.com/reference/status-codes: alike for what is not there and what is not shared. */
const notFound = problem(404, "object_not_found", "Could not find it. Make sure the relevant pages and databases are shared with your integration.");

function found({ pages, dataSources }: NotionPeer): readonly unknown[] {
	const shown = [...pages]
		.filter(([, { isTrashed, isUnindexed }]) => !isTrashed && !isUnindexed)
		.map(
			([id, one]) =>
				() =>
					pageJson(id, one),
		);
	const indexed = [...dataSources].filter(([, { isUnindexed }]) => isUnindexed !== true);
	const sources = indexed.map(([id, { title, database, databaseParent }]) => ({
		...{ object: "data_source", id, title: [rich(title)], archived: false, in_trash: false, last_edited_time: "2026-03-01T10:00:00.000Z" },
		...{ parent: { type: "database_id", database_id: database }, database_parent: databaseParent, url: `https://notion.example/${database}`, properties: {} },
	}));
	return [...sources, ...shown];
}

/** https://developers.notion.com/guides/data-apis/query-large-data-sources: ten thousand at most, and after them `has_more` is false. */
function rows(id: string, given: Record<string, unknown>, { pages, dataSources, rowsMax }: NotionPeer): PeerReply {
	if (!dataSources.has(id)) return notFound;
	const own = [...pages].filter(([, { parent, isTrashed }]) => parent["data_source_id"] === id && !isTrashed);
	const isCut = own.length > rowsMax;
	return page(
		own.slice(0, rowsMax).map(([one, row]) => pageJson(one, row)),
		given,
		isCut ? { request_status: { type: "incomplete", incomplete_reason: "query_result_limit_reached" } } : {},
	);
}

function pageJson(id: string, { title, parent, properties, edited, isTrashed, publicUrl }: PeerPage) {
	const titled = { Name: { id: "title", type: "title", title: title === "" ? [] : [rich(title)] } };
	return {
		...{ object: "page", id, created_time: "2026-01-01T09:00:00.000Z", last_edited_time: edited, created_by: { object: "user", id: notionId("ada") } },
		...{ archived: isTrashed, in_trash: isTrashed, parent, properties: { ...titled, ...properties }, public_url: publicUrl },
		url: `https://www.notion.so/${id.replaceAll("-", "")}`,
	};
}

const blockJson = ({ id, type, data, children }: PeerBlock) => ({
	...{ object: "block", id, type, has_children: children.length > 0, archived: false, in_trash: false },
	[type]: data,
});

/** Pages and databases are blocks as well, data sources are none: https://developers.notion.com/reference/block#child-page and `#child-database`. */
function blockOf(id: string, { pages, dataSources }: NotionPeer): { readonly block: PeerBlock; readonly parent: object } | null {
	const own = pages.get(id);
	if (own !== undefined) return { block: { id, type: "child_page", data: { title: own.title }, children: own.blocks }, parent: own.parent };
	for (const { title, database, databaseParent } of dataSources.values())
		if (database === id) return { block: { id, type: "child_database", data: { title }, children: [] }, parent: databaseParent };
	for (const [page, { blocks: top }] of pages) {
		const waiting = top.map((one) => ({ block: one, parent: { type: "page_id", page_id: page } as object }));
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			const { block: own } = next;
			if (own.id === id) return next;
			waiting.push(...own.children.map((one) => ({ block: one, parent: { type: "block_id", block_id: own.id } })));
		}
	}
	return null;
}

/** https://developers.notion.com/reference/intro#pagination: a hundred at most, and a cursor that says nothing. Functions are called for what they show. */
function page(all: readonly unknown[], given: Record<string, unknown>, more: object = {}): PeerReply {
	const size = Number(given["page_size"] ?? 100);
	if (!(size >= 1 && size <= 100)) return problem(400, "validation_error", "page_size should be at most 100.");
	const cursor = given["start_cursor"];
	const from = typeof cursor === "string" ? Number(Buffer.from(cursor, "base64url").toString().replace("at ", "")) : 0;
	const next = from + size < all.length ? Buffer.from(`at ${from + size}`).toString("base64url") : null;
	return reply(200, {
		...more,
		object: "list",
		results: all.slice(from, from + size).map((one) => (typeof one === "function" ? one() : one)),
		has_more: next !== null,
		next_cursor: next,
	});
}

function reply(status: number, body: unknown): PeerReply {
	return { status, headers: { "content-type": "application/json; charset=utf-8" }, body: JSON.stringify(body) };
}
