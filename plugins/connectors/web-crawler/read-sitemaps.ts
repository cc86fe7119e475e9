/** The addresses in a site's sitemaps: those named in robots.txt and the usual one, with the sitemaps they refer to. */

import type { Host, Step } from "cairn-memory";
import { isSameSite } from "./address.ts";
import type { Sitemap } from "./sitemap-engine.ts";
import type { Visitor } from "./visit.ts";

/** Fifty times fifty thousand addresses. */
const sitemapsMax = 50;
const engineBounds = { timeoutMs: 30_000, memoryMb: 512, outputBytesMax: 64 * 1024 * 1024 } as const;

export async function* readSitemaps(start: URL, visitor: Visitor, host: Host, step: Step): AsyncGenerator<string> {
	const queue = [...(await visitor.sitemaps(start.href, step)), `${start.origin}/sitemap.xml`];
	const asked = new Set<string>();
	for (let next = 0; next < queue.length && asked.size < sitemapsMax; next += 1) {
		const address = URL.parse(queue[next] ?? "", start)?.href ?? "";
		if (address === "" || asked.has(address) || address.endsWith(".gz") || !isSameSite(new URL(address), start)) continue;
		asked.add(address);
		const { pages, sitemaps } = await readOne(address, visitor, host, step);
		queue.push(...sitemaps.slice(0, sitemapsMax));
		yield* pages;
	}
}

/** Sitemaps are optional: a missing or broken one is ignored. */
async function readOne(address: string, visitor: Visitor, host: Host, step: Step): Promise<Sitemap> {
	const nothing: Sitemap = { pages: [], sitemaps: [] };
	if (!(await visitor.isAllowed(address, step))) return nothing;
	const visit = await visitor.visit(address, null, step);
	if (visit.kind !== "page") return nothing;
	const type = visit.fetched.claimedMediaType ?? "text/xml";
	if (!type.includes("xml") && type !== "text/plain") return nothing;
	try {
		const call = { engine: new URL("./sitemap-engine.ts", import.meta.url), input: visit.fetched.bytes, signal: step.signal, ...engineBounds };
		return await host.sandbox.run<Uint8Array, Sitemap>(call);
	} catch (thrown) {
		step.signal.throwIfAborted();
		step.warn("SITEMAP_UNREADABLE", `${address} could not be read: ${thrown instanceof Error ? thrown.message : thrown}`);
		return nothing;
	}
}
