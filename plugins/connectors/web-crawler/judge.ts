/** Decides whether a page is a document, none, or unchanged, and adds its links to the frontier. */

import { createHash } from "node:crypto";
import { type Fetched, fail, type Host, type MediaType, ServiceError, type Step } from "cairn-memory";
import { pageAddress } from "./address.ts";
import { type CrawlConfig, provider } from "./config.ts";
import { discover, type Frontier, type Mark, markOf, type Page } from "./frontier.ts";
import type { PageFacts, PageInput } from "./page-engine.ts";
import { forbidden, robotName, type Visitor } from "./visit.ts";

/** A page of ten megabytes is parsed in seconds. */
const engineBounds = { timeoutMs: 30_000, memoryMb: 512, outputBytesMax: 16 * 1024 * 1024 } as const;

const htmlTypes: ReadonlySet<MediaType> = new Set(["text/html", "application/xhtml+xml"]);
const otherTypes = /^(application\/pdf|text\/(plain|markdown|csv)|application\/msword|application\/vnd\.openxmlformats-officedocument\..+)$/;

export interface Round {
	readonly config: CrawlConfig;
	readonly host: Host;
	readonly frontier: Frontier;
	readonly step: Step;
	readonly start: URL;
	readonly visitor: Visitor;
	readonly isWanted: (path: string) => boolean;
}

/** The result of a visit: a document, none, or unchanged. */
export type Verdict =
	| { readonly kind: "document"; readonly mark: Mark; readonly fetched: Fetched }
	| { readonly kind: "none" }
	| { readonly kind: "as-before" }
	| { readonly kind: "same"; readonly mark: Mark }
	| { readonly kind: "failed"; readonly error: ServiceError };

export async function judge(address: string, page: Page, round: Round): Promise<Verdict> {
	const { visitor, frontier, step, start, isWanted } = round;
	const isDocument = isWanted(new URL(address).pathname);
	if (!isDocument && page.depth > 0) return { kind: "none" };
	if (!(await visitor.isAllowed(address, step))) {
		if (address === start.href) step.warn("CRAWL_FORBIDDEN", forbidden(address).message);
		return { kind: "none" };
	}
	const visit = await visitor.visit(address, page.mark, step);
	switch (visit.kind) {
		case "page":
			return judgePage(visit.fetched, address, page, isDocument, round);
		case "unchanged":
			return { kind: "as-before" };
		case "gone":
			frontier.gone.add(address);
			return { kind: "none" };
		case "moved":
			follow(visit.to, address, page, round);
			return { kind: "none" };
		default:
			step.warn("PAGE_FAILED", visit.error.message);
			return visit.kind === "failed" ? visit : { kind: "as-before" };
	}
}

/** @returns whether the canonical page is another, known one. */
function follow(to: string, address: string, page: Page, round: Round): boolean {
	const meant = pageAddress(to, round.start);
	if (meant === null && address === round.start.href) throw leadsAway(to);
	if (meant === null || meant === address || (page.depth > 0 && !round.isWanted(new URL(meant).pathname))) return false;
	const known = round.frontier.pages.get(meant);
	// Where two pages name each other as canonical, the first one visited is dropped.
	if (known !== undefined && !known.isWaiting && known.mark === null) return false;
	return discover(meant, page.depth, round.frontier, round.config.pagesMax);
}

async function judgePage(fetched: Fetched, address: string, page: Page, isDocument: boolean, round: Round): Promise<Verdict> {
	const says = robotsHeader(fetched.headers.get("x-robots-tag") ?? "");
	const type = fetched.claimedMediaType;
	if (type !== null && !htmlTypes.has(type)) {
		if (!otherTypes.test(type) || !says.isIndexed || !isDocument || fetched.bytes.byteLength === 0) return { kind: "none" };
		const hash = createHash("sha256").update(fetched.bytes).digest("base64url").slice(0, 22);
		return compared(markOf(hash, fetched.headers), page, fetched);
	}
	const facts = await factsOf(fetched, address, round);
	if (facts instanceof ServiceError) return facts.mayPass ? { kind: "failed", error: facts } : { kind: "none" };
	if (facts.isFollowed && says.isFollowed && page.depth < round.config.depth) discoverLinks(facts.links, page.depth + 1, round);
	const isOther = facts.canonical !== null && pageAddress(facts.canonical, round.start) !== null && follow(facts.canonical, address, page, round);
	if (isOther || !facts.isIndexed || !says.isIndexed || !isDocument) return { kind: "none" };
	return compared(markOf(facts.hash, fetched.headers), page, fetched);
}

function compared(mark: Mark, page: Page, fetched: Fetched): Verdict {
	return page.mark?.hash === mark.hash ? { kind: "same", mark } : { kind: "document", mark, fetched };
}

function discoverLinks(links: readonly string[], depth: number, { start, isWanted, frontier, config }: Round): void {
	for (const link of links) {
		const address = pageAddress(link, start);
		if (address !== null && isWanted(new URL(address).pathname)) discover(address, depth, frontier, config.pagesMax);
	}
}

/** The facts of a page, or the error when it cannot be parsed: such a page is skipped, as its extraction would fail too. */
async function factsOf({ bytes, charset }: Fetched, address: string, { host, step }: Round): Promise<PageFacts | ServiceError> {
	const input: PageInput = { bytes, charset, address };
	try {
		return await host.sandbox.run<PageInput, PageFacts>({ engine: new URL("./page-engine.ts", import.meta.url), input, signal: step.signal, ...engineBounds });
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (!(thrown instanceof ServiceError)) throw thrown;
		step.warn("PAGE_UNREADABLE", thrown.message);
		return thrown;
	}
}

/** `noindex, nofollow`, or `cairnbot: noindex`; directives for other robots are ignored. */
function robotsHeader(value: string): Pick<PageFacts, "isIndexed" | "isFollowed"> {
	const said = value
		.toLowerCase()
		.split(",")
		.map((part) => part.trim().split(/\s*:\s*/));
	const words = said.flatMap((part) => (part.length === 1 || part[0] === robotName.toLowerCase() ? [part.at(-1)] : []));
	return { isIndexed: !words.includes("noindex") && !words.includes("none"), isFollowed: !words.includes("nofollow") && !words.includes("none") };
}

export function leadsAway(to: string): ServiceError {
	return fail("CONNECTION_INVALID", provider, "startUrl", `it leads away to ${URL.parse(to)?.origin ?? "no address"}; connect that site instead`);
}
