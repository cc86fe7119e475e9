/** Visits a page, decides whether it is a new document, unchanged, or no document, and adds its links to the frontier. */

import { createHash } from "node:crypto";
import { type Fetched, fail, type Host, type MediaType, ServiceError, type Step } from "cairn-memory";
import { failedLongMs } from "../retry-failed.ts";
import { type CrawlConfig, provider } from "./config.ts";
import { crawlableUrl } from "./crawlable-url.ts";
import { discover, type Frontier, type Page, type PageVersion, versionOf } from "./frontier.ts";
import type { PageFacts, PageInput } from "./page-engine.ts";
import { forbiddenError, robotName, type Visitor, withoutQuery } from "./visit.ts";

/** Limits of the sandbox; it parses a page of ten megabytes in seconds. */
const engineLimits = { timeoutMs: 30_000, memoryMb: 512, outputBytesMax: 16 * 1024 * 1024 } as const;

const htmlTypes: ReadonlySet<MediaType> = new Set(["text/html", "application/xhtml+xml"]);
const otherDocumentTypes = /^(application\/pdf|text\/(plain|markdown|csv)|application\/msword|application\/vnd\.openxmlformats-officedocument\..+)$/;

export interface CrawlContext {
	readonly config: CrawlConfig;
	readonly host: Host;
	readonly frontier: Frontier;
	readonly step: Step;
	readonly start: URL;
	/** When the crawl began, in milliseconds since 1970. A long crawl is no long failure. */
	readonly startedAt: number;
	readonly visitor: Visitor;
	readonly isWanted: (path: string) => boolean;
}

/** The result of a visit. */
export type Verdict =
	/** A new document, or a new version of one. */
	| { readonly kind: "document"; readonly version: PageVersion; readonly fetched: Fetched }
	/** It is no document. One that is stored is removed. */
	| { readonly kind: "none" }
	/** The stored document stays, because the page has not changed or could not be read. */
	| { readonly kind: "as-before" }
	/** It has the same content as before, perhaps with new validators. */
	| { readonly kind: "same"; readonly version: PageVersion }
	| { readonly kind: "failed"; readonly error: ServiceError };

export async function judge(url: string, page: Page, context: CrawlContext): Promise<Verdict> {
	const { visitor, frontier, step, start, isWanted } = context;
	const isDocument = isWanted(new URL(url).pathname);
	if (!isDocument && page.depth > 0) return { kind: "none" };
	if (!(await visitor.isAllowed(url, step))) {
		if (url === start.href) step.warn("CRAWL_FORBIDDEN", forbiddenError(url).message);
		return { kind: "none" };
	}
	const visit = await visitor.visit(url, page.stored, step);
	switch (visit.kind) {
		case "page":
			return judgePage(visit.fetched, url, page, isDocument, context);
		case "unchanged":
			return { kind: "as-before" };
		case "gone":
			frontier.gone.add(url);
			return { kind: "none" };
		case "moved":
			// A page to sign in, or one for a time of maintenance, takes nobody's place: only a page that is stored does.
			if (isTaken(follow(visit.to, url, page, context), visit, page, context)) return { kind: "none" };
			step.warn("PAGE_FAILED", `${withoutQuery(url)} leads for now to a page that is not read (of ${new URL(visit.to).origin}); its document stays`);
			return { kind: "as-before" };
		case "refused":
			step.warn("PAGE_FAILED", visit.error.message);
			return { kind: "as-before" };
		case "failed":
			return visit;
	}
}

/** Whether a redirect removes the document of its page. One for now does so only if its target is a document already. */
function isTaken(isFollowed: boolean, { to, isForNow }: { readonly to: string; readonly isForNow: boolean }, page: Page, context: CrawlContext): boolean {
	if (!isForNow || page.stored === null) return true;
	const target = crawlableUrl(to, context.start);
	return isFollowed && target !== null && (context.frontier.pages.get(target)?.stored ?? null) !== null;
}

/** Adds the target of a redirect or canonical link to the frontier. @returns whether the target is stored instead of the page. */
function follow(targetUrl: string, url: string, page: Page, context: CrawlContext): boolean {
	const target = crawlableUrl(targetUrl, context.start);
	if (target === null && url === context.start.href) throw otherSiteError(targetUrl);
	if (target === null || target === url || (page.depth > 0 && !context.isWanted(new URL(target).pathname))) return false;
	const { pages, failed } = context.frontier;
	const known = pages.get(target);
	const failedSince = failed.get(target);
	// It is visited again, and would be a second document.
	const isTriedAgain = failedSince !== undefined && context.startedAt - failedSince < failedLongMs;
	// If two pages name each other as canonical, the second one visited is stored.
	if (known !== undefined && !known.isWaiting && !isTriedAgain && known.stored === null) return false;
	return discover(target, page.depth, context.frontier, context.config.pagesMax);
}

async function judgePage(fetched: Fetched, url: string, page: Page, isDocument: boolean, context: CrawlContext): Promise<Verdict> {
	const headerRobots = robotsHeader(fetched.headers.get("x-robots-tag") ?? "");
	const type = fetched.claimedMediaType;
	if (type !== null && !htmlTypes.has(type)) {
		if (!otherDocumentTypes.test(type) || !headerRobots.isIndexed || !isDocument || fetched.bytes.byteLength === 0) return { kind: "none" };
		const hash = createHash("sha256").update(fetched.bytes).digest("base64url").slice(0, 22);
		return verdictByHash(versionOf(hash, fetched.headers), page, fetched);
	}
	const facts = await factsOf(fetched, url, context);
	if (facts instanceof ServiceError) return facts.mayPass ? { kind: "failed", error: facts } : { kind: "none" };
	if (facts.isFollowed && headerRobots.isFollowed && page.depth < context.config.depth) discoverLinks(facts.links, page.depth + 1, context);
	const isOther = facts.canonical !== null && crawlableUrl(facts.canonical, context.start) !== null && follow(facts.canonical, url, page, context);
	if (isOther || !facts.isIndexed || !headerRobots.isIndexed || !isDocument) return { kind: "none" };
	return verdictByHash(versionOf(facts.hash, fetched.headers), page, fetched);
}

function verdictByHash(version: PageVersion, page: Page, fetched: Fetched): Verdict {
	return page.stored?.hash === version.hash ? { kind: "same", version } : { kind: "document", version, fetched };
}

function discoverLinks(links: readonly string[], depth: number, { start, isWanted, frontier, config }: CrawlContext): void {
	for (const link of links) {
		const url = crawlableUrl(link, start);
		if (url !== null && isWanted(new URL(url).pathname)) discover(url, depth, frontier, config.pagesMax);
	}
}

/** What the engine reads from a page, or the error if it cannot be parsed. Such a page is skipped, because its extraction would fail too. */
async function factsOf({ bytes, charset }: Fetched, url: string, { host, step }: CrawlContext): Promise<PageFacts | ServiceError> {
	const input: PageInput = { bytes, charset, url };
	try {
		return await host.sandbox.run<PageInput, PageFacts>({ engine: new URL("./page-engine.ts", import.meta.url), input, signal: step.signal, ...engineLimits });
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (!(thrown instanceof ServiceError)) throw thrown;
		if (!thrown.mayPass) step.warn("PAGE_UNREADABLE", thrown.message);
		return thrown;
	}
}

/** Parses an `X-Robots-Tag` header: `noindex, nofollow`, or `cairnbot: noindex`. Directives for other robots are ignored. */
function robotsHeader(value: string): Pick<PageFacts, "isIndexed" | "isFollowed"> {
	const parts = value
		.toLowerCase()
		.split(",")
		.map((part) => part.trim().split(/\s*:\s*/));
	const directives = parts.flatMap((part) => (part.length === 1 || part[0] === robotName.toLowerCase() ? [part.at(-1)] : []));
	return {
		isIndexed: !directives.includes("noindex") && !directives.includes("none"),
		isFollowed: !directives.includes("nofollow") && !directives.includes("none"),
	};
}

export function otherSiteError(targetUrl: string): ServiceError {
	return fail(
		"CONNECTION_INVALID",
		provider,
		"startUrl",
		`it redirects to another site (${URL.parse(targetUrl)?.origin ?? "an invalid URL"}); connect that site instead`,
	);
}
