/** Tries the start of a crawl once, when the connection is made. */

import { fail, type Host, type Step } from "cairn-memory";
import { pageAddress } from "./address.ts";
import { type CrawlConfig, provider } from "./config.ts";
import { leadsAway } from "./judge.ts";
import { createVisitor, forbidden } from "./visit.ts";

const hopsMax = 5;

/** Checks that the start page opens and allows robots. @throws ServiceError with the reason when not. */
export async function checkStart(config: CrawlConfig, host: Host, pauseMs: number, step: Step): Promise<void> {
	const visitor = createVisitor(host, pauseMs);
	let address = pageAddress(config.startUrl, new URL(config.startUrl)) ?? config.startUrl;
	for (let hop = 0; hop < hopsMax; hop += 1) {
		if (!(await visitor.isAllowed(address, step))) throw forbidden(address);
		const visit = await visitor.visit(address, null, step);
		if (visit.kind === "page" || visit.kind === "unchanged") return;
		if (visit.kind === "gone") throw fail("CONNECTION_SOURCE_MISSING", provider, `${address} answers that there is no such page`);
		if (visit.kind !== "moved") throw visit.error;
		const next = pageAddress(visit.to, new URL(config.startUrl));
		if (next === null) throw leadsAway(visit.to);
		address = next;
	}
	throw fail("CONNECTION_INVALID", provider, "startUrl", `it redirects more than ${hopsMax} times`);
}
