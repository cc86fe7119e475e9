/**
 * One crawl of a site: every known page is visited again, and new ones are found through links and sitemaps.
 *
 * The cursor lists a URL before it is visited. So a page that was put right before a crash is in the stored cursor:
 * the next crawl visits it again, and removes it if it is no longer a document.
 */

import type { Change, ServiceError } from "cairn-memory";
import { itemKey } from "../item-key.ts";
import { warnOfLimit } from "../known-items.ts";
import { pathFilter } from "../path-filter.ts";
import { failedLongMs, retryPausesMs, tryAgainLater } from "../retry-failed.ts";
import { crawlableUrl } from "./crawlable-url.ts";
import { cursorOf, discover, type Frontier, type Page } from "./frontier.ts";
import { type CrawlContext, judge, type Verdict } from "./judge.ts";
import { readSitemaps } from "./read-sitemaps.ts";
import { createVisitor } from "./visit.ts";

/** A crawl fails after this many failures in a row. If the last is of a page that has failed for long, it passes over all that have failed instead. */
const failuresMax = 5;
/** A crawl stops after six hours; the next sync visits the remaining pages. */
const crawlMsMax = 6 * 60 * 60_000;
/** A site that asks for a longer pause before a page is visited again is asked too early; the crawl that comes next waits for longer. */
const retryPauseMsMax = 120_000;
/** The cursor is stored after this many unchanged pages in a row. */
const checkpointPages = 25;
export type Crawl = Pick<CrawlContext, "config" | "host" | "frontier" | "step"> & { readonly pauseMs: number };

/** What a crawl keeps beside the frontier. */
interface Progress {
	/** Where in the queue it is. */
	next: number;
	/** Whether pages were left out because there is no room. */
	isPartial: boolean;
	/** Why pages could not be read. */
	readonly failures: Map<string, ServiceError>;
	readonly startedMs: number;
}

export async function* crawl(options: Crawl): AsyncGenerator<Change> {
	const { config, host, frontier, step } = options;
	const start = new URL(config.startUrl);
	const { world } = host;
	const startedAt = world.now().getTime();
	const context: CrawlContext = { ...options, start, startedAt, visitor: createVisitor(host, options.pauseMs), isWanted: pathFilter(config) };
	const progress: Progress = { next: 0, isPartial: false, failures: new Map(), startedMs: world.elapsedMs() };
	if (!frontier.isResumed) await seed(context);
	yield { kind: "checkpoint", cursor: () => cursorOf(frontier, frontier.isWhole) };
	yield* visitQueue(context, progress, false);
	for (const pauseMs of retryPausesMs) {
		const again = [...frontier.failed].filter(([url, since]) => progress.failures.has(url) && context.startedAt - since < failedLongMs).map(([url]) => url);
		if (again.length === 0 || isLate(context, progress)) break;
		const longestMs = again.reduce((longest, url) => Math.max(longest, progress.failures.get(url)?.earliestRetryMs ?? 0), pauseMs);
		await world.sleep(Math.min(longestMs, retryPauseMsMax), step.signal);
		frontier.queue.push(...again);
		yield* visitQueue(context, progress, true);
	}
	for (const { message } of progress.failures.values()) step.warn("PAGE_FAILED", message);
	const left = frontier.queue.length - progress.next;
	if (left > 0) {
		step.warn("CRAWL_TOO_LONG", `${left} pages are left for the next sync`);
		// The site is left in peace for as long.
		tryAgainLater(step, world.elapsedMs() - progress.startedMs);
	} else tryFailedLater(context, progress);
	if (progress.isPartial) warnOfLimit(step, config.pagesMax);
	yield { kind: "checkpoint", cursor: () => cursorOf(frontier, frontier.isWhole && left > 0) };
}

function isLate({ host }: CrawlContext, { startedMs }: Progress): boolean {
	return host.world.elapsedMs() - startedMs > crawlMsMax;
}

/** What could not be read is visited again by a crawl of these pages alone. */
function tryFailedLater({ frontier, step, startedAt }: CrawlContext, { failures }: Progress): void {
	if (failures.size > 0) tryAgainLater(step, Math.min(...[...failures.keys()].map((url) => startedAt - (frontier.failed.get(url) ?? startedAt))));
}

/**
 * Visits the pages of the queue from where it is, and those that they link to.
 * @param isRetry whether the pages there have failed in this crawl: if they still do, nothing new is told by that
 */
async function* visitQueue(context: CrawlContext, progress: Progress, isRetry: boolean): AsyncGenerator<Change> {
	const { frontier, step, start } = context;
	const { queue, pages, failed } = frontier;
	const cursor = () => cursorOf(frontier, frontier.isWhole);
	let [inRow, unchangedPages] = [0, 0];
	let hasGivenUp = false;
	for (; progress.next < queue.length && !isLate(context, progress); progress.next += 1) {
		step.signal.throwIfAborted();
		const url = queue[progress.next] ?? "";
		const page = pages.get(url);
		if (page === undefined || (hasGivenUp && failed.has(url))) continue;
		step.progress({ done: progress.next, total: queue.length, unit: "page" });
		const queued = queue.length;
		const isLeftOut = !hasRoom(page, context);
		progress.isPartial ||= isLeftOut;
		const verdict: Verdict = isLeftOut ? { kind: "none" } : await judge(url, page, context);
		const failedSince = failed.get(url) ?? context.host.world.now().getTime();
		failed.delete(url);
		progress.failures.delete(url);
		inRow = verdict.kind === "failed" ? inRow + 1 : 0;
		if (verdict.kind === "failed") {
			if (url === start.href) throw verdict.error;
			failed.set(url, failedSince);
			progress.failures.set(url, verdict.error);
		}
		if (verdict.kind === "failed" && inRow >= failuresMax) {
			page.isWaiting = false;
			yield { kind: "checkpoint", cursor };
			if (!isRetry && context.startedAt - failedSince < failedLongMs) throw verdict.error;
			// Links that were found in this crawl stand behind them.
			[hasGivenUp, inRow] = [true, 0];
			continue;
		}
		if (queue.length > queued) yield { kind: "checkpoint", cursor };
		// Only now: a kill right after that checkpoint would lose the page.
		page.isWaiting = false;
		const change = applyVerdict(url, page, verdict, frontier, cursor);
		unchangedPages = change === null ? unchangedPages + 1 : 0;
		if (change !== null) yield change;
		else if (unchangedPages % checkpointPages === 0) yield { kind: "checkpoint", cursor };
	}
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
