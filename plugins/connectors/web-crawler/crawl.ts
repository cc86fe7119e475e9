/**
 * One crawl of a site: every known page is visited again, and new ones are found through links and sitemaps.
 *
 * The cursor lists a URL before it is visited. So a page that was put right before a crash is in the stored cursor:
 * the next crawl visits it again, and removes it if it is no longer a document.
 */

import type { Change } from "cairn-memory";
import { itemKey } from "../item-key.ts";
import { warnOfLimit } from "../known-items.ts";
import { pathFilter } from "../path-filter.ts";
import { crawlableUrl } from "./crawlable-url.ts";
import { cursorOf, discover, type Frontier, type Page } from "./frontier.ts";
import { type CrawlContext, judge, type Verdict } from "./judge.ts";
import { readSitemaps } from "./read-sitemaps.ts";
import { createVisitor } from "./visit.ts";

/** The crawl fails after this many failures in a row. */
const failuresMax = 5;
/** A crawl stops after six hours; the next sync visits the remaining pages. */
const crawlMsMax = 6 * 60 * 60_000;
/** The cursor is stored after this many unchanged pages in a row. */
const checkpointPages = 25;
export type Crawl = Pick<CrawlContext, "config" | "host" | "frontier" | "step"> & { readonly pauseMs: number };

export async function* crawl(options: Crawl): AsyncGenerator<Change> {
	const { config, host, frontier, step } = options;
	const start = new URL(config.startUrl);
	const context: CrawlContext = { ...options, start, visitor: createVisitor(host, options.pauseMs), isWanted: pathFilter(config) };
	const runningCursor = () => cursorOf(frontier, true);
	const startedMs = host.world.elapsedMs();
	if (!frontier.isResumed) {
		await seed(context);
		yield { kind: "checkpoint", cursor: runningCursor };
	}
	let failures = 0;
	let unchangedPages = 0;
	let isPartial = false;
	for (let next = 0; next < frontier.queue.length; next += 1) {
		step.signal.throwIfAborted();
		if (host.world.elapsedMs() - startedMs > crawlMsMax) {
			step.warn("CRAWL_TOO_LONG", `${frontier.queue.length - next} pages are left for the next sync`);
			yield { kind: "checkpoint", cursor: runningCursor };
			return;
		}
		const url = frontier.queue[next] ?? "";
		const page = frontier.pages.get(url);
		if (page === undefined) continue;
		if (!hasRoom(page, context)) {
			isPartial = true;
			const change = applyVerdict(url, page, { kind: "none" }, frontier, runningCursor);
			if (change !== null) yield change;
			continue;
		}
		step.progress({ done: next, total: frontier.queue.length, unit: "page" });
		const queued = frontier.queue.length;
		const verdict = await judge(url, page, context);
		failures = verdict.kind === "failed" ? failures + 1 : 0;
		if (verdict.kind === "failed" && (failures >= failuresMax || url === start.href)) throw verdict.error;
		if (frontier.queue.length > queued) yield { kind: "checkpoint", cursor: runningCursor };
		page.isWaiting = false;
		const change = applyVerdict(url, page, verdict, frontier, runningCursor);
		unchangedPages = change === null ? unchangedPages + 1 : 0;
		if (change !== null) yield change;
		else if (unchangedPages % checkpointPages === 0) yield { kind: "checkpoint", cursor: runningCursor };
	}
	if (isPartial) warnOfLimit(step, config.pagesMax);
	yield { kind: "checkpoint", cursor: () => cursorOf(frontier, false) };
}

/** Whether the page fits the limit of documents. Existing documents stay; a page that may have been put is removed if it does not fit. */
function hasRoom(page: Page, { config, frontier }: CrawlContext): boolean {
	return page.stored === null ? frontier.documents < config.pagesMax : frontier.documents <= config.pagesMax;
}

/** Adds the pages in the sitemaps. */
async function seed({ config, start, visitor, host, frontier, isWanted, step }: CrawlContext): Promise<void> {
	if (!config.sitemap || config.depth === 0) return;
	for await (const link of readSitemaps(start, visitor, host, step)) {
		const url = crawlableUrl(link, start);
		if (url !== null && isWanted(new URL(url).pathname)) discover(url, 1, frontier, config.pagesMax);
	}
}

/** Records the verdict on a page. @returns the change to the documents, if any. */
function applyVerdict(url: string, page: Page, verdict: Verdict, frontier: Frontier, cursor: Change["cursor"]): Change | null {
	const key = itemKey(url);
	if (verdict.kind === "document") {
		const { bytes, fileName, claimedMediaType, charset } = verdict.fetched;
		if (page.stored === null) frontier.documents += 1;
		page.stored = verdict.version;
		const content = { kind: "file", bytes, fileName, claimedMediaType: claimedMediaType ?? "text/html", charset, address: url } as const;
		return { kind: "put", item: { key, content, title: null, metadata: { url }, containerTag: null }, cursor };
	}
	if (verdict.kind === "same") page.stored = verdict.version;
	if (verdict.kind !== "none" || (page.stored === null && !page.maybePut)) return null;
	if (page.stored !== null) frontier.documents -= 1;
	page.stored = null;
	return { kind: "remove", key, cursor };
}
