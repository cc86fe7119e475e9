/**
 * One crawl of a site: every known page is visited again, new ones are found by links and sitemaps.
 *
 * A checkpoint names an address before it is visited. So a page that was put right before a crash is in the stored cursor:
 * the next crawl visits it again, and removes it if it is no document any more.
 */

import type { Change } from "cairn-memory";
import { itemKey } from "../item-key.ts";
import { pageAddress } from "./address.ts";
import { pathFilter } from "./config.ts";
import { cursorOf, discover, type Frontier, type Page } from "./frontier.ts";
import { judge, type Round, type Verdict } from "./judge.ts";
import { readSitemaps } from "./read-sitemaps.ts";
import { createVisitor } from "./visit.ts";

/** When so many pages fail in a row, the whole crawl fails. */
const failuresMax = 5;
/** A job of a whole working day; the rest comes with the next sync. */
const roundMsMax = 6 * 60 * 60_000;
/** While nothing changes, the cursor is stored after so many pages. */
const quietPagesMax = 25;
export type Crawl = Pick<Round, "config" | "host" | "frontier" | "step"> & { readonly pauseMs: number };

export async function* crawl(given: Crawl): AsyncGenerator<Change> {
	const { config, host, frontier, step } = given;
	const start = new URL(config.startUrl);
	const round: Round = { ...given, start, visitor: createVisitor(host, given.pauseMs), isWanted: pathFilter(config) };
	const running = () => cursorOf(frontier, true);
	const began = host.world.elapsedMs();
	if (!frontier.isResumed) {
		await seed(round);
		yield { kind: "checkpoint", cursor: running };
	}
	let failures = 0;
	let quiet = 0;
	for (let next = 0; next < frontier.queue.length; next += 1) {
		step.signal.throwIfAborted();
		if (host.world.elapsedMs() - began > roundMsMax) {
			step.warn("CRAWL_TOO_LONG", `${frontier.queue.length - next} pages are left for the next sync`);
			yield { kind: "checkpoint", cursor: running };
			return;
		}
		const address = frontier.queue[next] ?? "";
		const page = frontier.pages.get(address);
		if (page === undefined) continue;
		if (!hasRoom(page, round)) {
			const change = settle(address, page, { kind: "none" }, frontier, running);
			if (change !== null) yield change;
			continue;
		}
		step.progress({ done: next, total: frontier.queue.length, unit: "page" });
		const known = frontier.queue.length;
		const verdict = await judge(address, page, round);
		failures = verdict.kind === "failed" ? failures + 1 : 0;
		if (verdict.kind === "failed" && (failures >= failuresMax || address === start.href)) throw verdict.error;
		if (frontier.queue.length > known) yield { kind: "checkpoint", cursor: running };
		page.isWaiting = false;
		const change = settle(address, page, verdict, frontier, running);
		quiet = change === null ? quiet + 1 : 0;
		if (change !== null) yield change;
		else if (quiet % quietPagesMax === 0) yield { kind: "checkpoint", cursor: running };
	}
	yield { kind: "checkpoint", cursor: () => cursorOf(frontier, false) };
}

/** Whether the page fits the limit. Existing documents keep their places; one that may have been put is removed when it does not fit. */
function hasRoom(page: Page, { config, frontier }: Round): boolean {
	return page.mark === null ? frontier.documents < config.pagesMax : frontier.documents <= config.pagesMax;
}

async function seed({ config, start, visitor, host, frontier, isWanted, step }: Round): Promise<void> {
	if (!config.sitemap || config.depth === 0) return;
	for await (const link of readSitemaps(start, visitor, host, step)) {
		const address = pageAddress(link, start);
		if (address !== null && isWanted(new URL(address).pathname)) discover(address, 1, frontier, config.pagesMax);
	}
}

function settle(address: string, page: Page, verdict: Verdict, frontier: Frontier, cursor: Change["cursor"]): Change | null {
	const key = itemKey(address);
	if (verdict.kind === "document") {
		const { bytes, fileName, claimedMediaType, charset } = verdict.fetched;
		if (page.mark === null) frontier.documents += 1;
		page.mark = verdict.mark;
		const content = { kind: "file", bytes, fileName, claimedMediaType: claimedMediaType ?? "text/html", charset, address } as const;
		return { kind: "put", item: { key, content, title: null, metadata: { url: address }, containerTag: null }, cursor };
	}
	if (verdict.kind === "same") page.mark = verdict.mark;
	if (verdict.kind !== "none" || (page.mark === null && !page.maybePut)) return null;
	if (page.mark !== null) frontier.documents -= 1;
	page.mark = null;
	return { kind: "remove", key, cursor };
}
