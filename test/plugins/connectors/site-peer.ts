/** A small website on this machine: pages with ETags, robots.txt, sitemaps, redirects, errors, and a list of who asked for what. */

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { faults } from "../../doubles/local-peer.ts";

export interface SitePage {
	readonly body?: string | Uint8Array;
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** Says nothing that a later visit could ask about. */
	readonly isForgetful?: boolean;
}

export interface SitePeer {
	readonly host: string;
	readonly origin: string;
	/** By path and query. A text is the body of an HTML page. */
	readonly pages: Map<string, SitePage | string>;
	/** Paths in the order in which they were asked for, with the status they got. */
	readonly asked: { readonly path: string; readonly status: number; readonly agent: string }[];
	/** Answers instead of the site where it returns a reply. */
	trouble: ReturnType<typeof faults> | null;
	isStalled: boolean;
	readonly close: () => void;
}

export const html = (body: string, head = ""): string => `<!doctype html><html><head><title>Site</title>${head}</head><body>${body}</body></html>`;
export const link = (href: string, more = ""): string => `<a href="${href}" ${more}>${href}</a>`;

export async function startSitePeer(pages: Readonly<Record<string, SitePage | string>>): Promise<SitePeer> {
	const server = createServer((request, response) => answer(request, response, peer));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	const peer: SitePeer = { host, origin: `http://${host}`, pages: new Map(Object.entries(pages)), asked: [], trouble: null, isStalled: false, close };
	return peer;
}

function answer(request: IncomingMessage, response: ServerResponse, peer: SitePeer): void {
	if (peer.isStalled) return;
	const path = request.url ?? "";
	const found = peer.trouble?.({ path }, peer.asked.length + 1) ?? peer.pages.get(path);
	const page: SitePage = typeof found === "string" ? { body: html(found) } : (found ?? { status: 404, body: "no such page" });
	const body = page.body ?? "";
	const etag = `"${createHash("md5").update(body).digest("hex")}"`;
	const isSame = page.isForgetful !== true && request.headers["if-none-match"] === etag;
	const status = isSame ? 304 : (page.status ?? 200);
	peer.asked.push({ path, status, agent: request.headers["user-agent"] ?? "" });
	const type = path === "/robots.txt" ? "text/plain" : path.endsWith(".xml") ? "application/xml" : "text/html; charset=utf-8";
	response.writeHead(status, { "content-type": type, ...(page.isForgetful !== true && status === 200 && { etag }), ...page.headers });
	response.end(isSame ? "" : body);
}
