/** A hub of models as the real one answers: an API of revisions and trees, small files itself, large ones by a redirect to another server. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelHub {
	readonly address: string;
	/** `host:port` of both servers. */
	readonly hosts: readonly string[];
	/** Path and range of every download, in their order. */
	readonly downloads: readonly string[];
	/** How it misbehaves from now on. */
	misbehave: Misbehaviour;
	/** Another commit with other content. */
	readonly change: (path: string, content: Uint8Array | string) => void;
	readonly stop: () => Promise<void>;
}

export interface Misbehaviour {
	/** Ends every large download after so many bytes. */
	readonly cutAfter?: number;
	/** Only so many times. */
	readonly cuts?: number;
	readonly ignoresRanges?: boolean;
	/** Sends other bytes than it has told. */
	readonly forges?: boolean;
	/** Tells another tree for the same commit. */
	readonly rewritesHistory?: boolean;
	readonly status?: number;
	readonly noise?: string;
}

interface Body {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly body: Uint8Array;
	/** After so many bytes the connection is gone. */
	readonly cutAfter: number | null;
}

const largeFrom = 1_000;
const branch = "main";

export async function startModelHub(repository: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<ModelHub> {
	const content = new Map(Object.entries(files).map(([path, value]) => [path, bytesOf(value)]));
	const commits = new Map<string, ReadonlyMap<string, Uint8Array>>();
	const downloads: string[] = [];
	let cuts = 0;
	const commit = () => {
		const sha = sha1(JSON.stringify([...content].map(([path, bytes]) => [path, sha256(bytes)])));
		commits.set(sha, new Map(content));
		return sha;
	};
	let head = commit();
	const hub: { misbehave: Misbehaviour } = { misbehave: {} };

	// Not Bun's server: only here can a connection be cut in the middle of a body whose length was told.
	const store = createServer((request, response) => {
		const [, sha = "", ...rest] = (request.url ?? "").split("/");
		const path = decodeURIComponent(rest.join("/"));
		const { status, headers, body, cutAfter } = bodyOf(commits.get(sha)?.get(path), request.headers.range ?? null, path);
		response.writeHead(status, headers);
		if (cutAfter === null) response.end(body);
		else response.write(body.slice(0, cutAfter), () => setTimeout(() => response.socket?.end(), 20));
	});
	store.listen(0, "127.0.0.1");
	await once(store, "listening");
	const { port: storePort } = store.address() as AddressInfo;

	function bodyOf(bytes: Uint8Array | undefined, range: string | null, path: string): Body {
		if (bytes === undefined) return { status: 404, headers: {}, body: bytesOf("Entry not found"), cutAfter: null };
		const { cutAfter = null, ignoresRanges = false, forges = false } = hub.misbehave;
		downloads.push(`${path} ${range ?? "whole"}`);
		const from = ignoresRanges || range === null ? 0 : Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
		if (from >= bytes.length) return { status: 416, headers: { "content-range": `bytes */${bytes.length}` }, body: new Uint8Array(), cutAfter: null };
		const sent = forges ? bytes.slice(from).map((byte) => byte ^ 1) : bytes.slice(from);
		const headers: Record<string, string> = { "content-length": String(sent.length), etag: `"${sha256(bytes)}"` };
		if (from > 0) headers["content-range"] = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
		const isCut = cutAfter !== null && sent.length > cutAfter && cuts++ < (hub.misbehave.cuts ?? Number.POSITIVE_INFINITY);
		return { status: from > 0 ? 206 : 200, headers, body: sent, cutAfter: isCut ? cutAfter : null };
	}

	const front = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request) => {
			const url = new URL(request.url);
			if (hub.misbehave.status !== undefined) return new Response("no", { status: hub.misbehave.status });
			if (hub.misbehave.noise !== undefined) return new Response(hub.misbehave.noise);
			if (url.pathname === `/api/models/${repository}/revision/${branch}`) return Response.json({ id: repository, sha: head });
			const tree = new RegExp(`^/api/models/${repository}/tree/([0-9a-f]{40})$`).exec(url.pathname)?.[1];
			if (tree !== undefined && commits.has(tree)) return pageOf(tree, url);
			const [, sha = "", path = ""] = new RegExp(`^/${repository}/resolve/([^/]+)/(.+)$`).exec(url.pathname) ?? [];
			const bytes = commits.get(sha)?.get(decodeURIComponent(path));
			if (bytes === undefined) return new Response("Entry not found", { status: 404 });
			if (bytes.length < largeFrom) {
				const { status, headers, body } = bodyOf(bytes, request.headers.get("range"), path);
				return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
			}
			return new Response(null, { status: 302, headers: { location: `http://127.0.0.1:${storePort}/${sha}/${path}` } });
		},
	});

	/** Three files a page, so that the next one has to be asked for. */
	function pageOf(sha: string, url: URL): Response {
		const all = [...(commits.get(sha) ?? [])].map(([path, bytes]) => entryOf(path, bytes));
		const shown =
			hub.misbehave.rewritesHistory === true
				? all.map((entry) => ("lfs" in entry ? { ...entry, lfs: { ...entry.lfs, oid: sha256(bytesOf("other")) } } : entry))
				: all;
		const from = Number(url.searchParams.get("cursor") ?? 0);
		const next = from + 3 < all.length ? { link: `<${url.origin}${url.pathname}?recursive=true&cursor=${from + 3}>; rel="next"` } : {};
		return Response.json(shown.slice(from, from + 3), { headers: next });
	}

	return {
		address: `http://127.0.0.1:${front.port}`,
		hosts: [`127.0.0.1:${front.port}`, `127.0.0.1:${storePort}`],
		downloads,
		get misbehave() {
			return hub.misbehave;
		},
		set misbehave(value) {
			cuts = 0;
			hub.misbehave = value;
		},
		change: (path, value) => {
			content.set(path, bytesOf(value));
			head = commit();
		},
		stop: async () => {
			store.closeAllConnections();
			store.close();
			await front.stop(true);
		},
	};
}

function entryOf(path: string, bytes: Uint8Array) {
	const entry = { type: "file", oid: sha1(Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes])), size: bytes.length, path };
	return bytes.length < largeFrom ? entry : { ...entry, lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 130 } };
}

function bytesOf(value: Uint8Array | string): Uint8Array {
	return typeof value === "string" ? new TextEncoder().encode(value) : value;
}

function sha256(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

function sha1(value: string | Uint8Array): string {
	return createHash("sha1").update(value).digest("hex");
}
