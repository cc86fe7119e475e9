/** Reads the page URLs from a site's sitemaps: those named in robots.txt, `/sitemap.xml`, and the sitemaps they refer to. */

import type { Host, Step } from "cairn-memory";
import { isSameSite } from "./crawlable-url.ts";
import type { Sitemap } from "./sitemap-engine.ts";
import type { Visitor } from "./visit.ts";

/** A sitemap has up to fifty thousand URLs. */
const sitemapsMax = 50;
const engineLimits = { timeoutMs: 30_000, memoryMb: 512, outputBytesMax: 64 * 1024 * 1024 } as const;

export async function* readSitemaps(start: URL, visitor: Visitor, host: Host, step: Step): AsyncGenerator<string> {
	const queue = [...(await visitor.sitemaps(start.href, step)), `${start.origin}/sitemap.xml`];
	const visited = new Set<string>();
	for (let next = 0; next < queue.length && visited.size < sitemapsMax; next += 1) {
		const url = URL.parse(queue[next] ?? "", start)?.href ?? "";
		if (url === "" || visited.has(url) || url.endsWith(".gz") || !isSameSite(new URL(url), start)) continue;
		visited.add(url);
		const { pages, sitemaps } = await readOne(url, visitor, host, step);
		queue.push(...sitemaps.slice(0, sitemapsMax));
		yield* pages;
	}
}

/** Sitemaps are optional: a missing or broken one is ignored. */
async function readOne(url: string, visitor: Visitor, host: Host, step: Step): Promise<Sitemap> {
	const nothing: Sitemap = { pages: [], sitemaps: [] };
	if (!(await visitor.isAllowed(url, step))) return nothing;
	const visit = await visitor.visit(url, null, step);
	if (visit.kind !== "page") return nothing;
	const type = visit.fetched.claimedMediaType ?? "text/xml";
	if (!type.includes("xml") && type !== "text/plain") return nothing;
	try {
		const call = { engine: new URL("./sitemap-engine.ts", import.meta.url), input: visit.fetched.bytes, signal: step.signal, ...engineLimits };
		return await host.sandbox.run<Uint8Array, Sitemap>(call);
	} catch (thrown) {
		step.signal.throwIfAborted();
		step.warn("SITEMAP_UNREADABLE", `${url} could not be read: ${thrown instanceof Error ? thrown.message : thrown}`);
		return nothing;
	}
}
