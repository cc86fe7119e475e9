/** Visits the start page of a crawl once, when the connection is created. */

import { fail, type Host, type Step } from "cairn-memory";
import { type CrawlConfig, provider } from "./config.ts";
import { crawlableUrl } from "./crawlable-url.ts";
import { otherSiteError } from "./judge.ts";
import { createVisitor, forbiddenError } from "./visit.ts";

const hopsMax = 5;

/** Checks that the start page can be fetched and that robots.txt allows it. @throws ServiceError with the reason if not. */
export async function checkStart(config: CrawlConfig, host: Host, pauseMs: number, step: Step): Promise<void> {
	const visitor = createVisitor(host, pauseMs);
	let url = crawlableUrl(config.startUrl, new URL(config.startUrl)) ?? config.startUrl;
	for (let hop = 0; hop < hopsMax; hop += 1) {
		if (!(await visitor.isAllowed(url, step))) throw forbiddenError(url);
		const visit = await visitor.visit(url, null, step);
		if (visit.kind === "page" || visit.kind === "unchanged") return;
		if (visit.kind === "gone") throw fail("CONNECTION_SOURCE_MISSING", provider, `${url} does not exist: the server answered with status 404 or 410`);
		if (visit.kind !== "moved") throw visit.error;
		const next = crawlableUrl(visit.to, new URL(config.startUrl));
		if (next === null) throw otherSiteError(visit.to);
		url = next;
	}
	throw fail("CONNECTION_INVALID", provider, "startUrl", `it redirects more than ${hopsMax} times`);
}
