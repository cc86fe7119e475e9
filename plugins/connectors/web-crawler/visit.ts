/** Fetches pages one at a time, with pauses, under Cairn's user agent, and checks robots.txt. */

import { askedPauseMs, type Fetched, fail, type Host, limits, ServiceError, type Step } from "cairn-memory";
import robotsParser from "robots-parser";
import { provider } from "./config.ts";

export const robotName = "CairnBot";

/** The HTTP validators of a page when it was last read. */
export interface Validators {
	readonly etag: string | null;
	/** The `Last-Modified` header. */
	readonly modified: string | null;
}

export type Visit =
	| { readonly kind: "page"; readonly fetched: Fetched }
	| { readonly kind: "unchanged" }
	/** `isForNow` if the site says that the page will be where it was (RFC 9110, section 15.4). */
	| { readonly kind: "moved"; readonly to: string; readonly isForNow: boolean }
	| { readonly kind: "gone" }
	/** The page exists but cannot be read: status 403 and the like, or too large. */
	| { readonly kind: "refused"; readonly error: ServiceError }
	/** The failure may be temporary. */
	| { readonly kind: "failed"; readonly error: ServiceError };

export interface Visitor {
	readonly visit: (url: string, validators: Validators | null, step: Step) => Promise<Visit>;
	readonly isAllowed: (url: string, step: Step) => Promise<boolean>;
	/** The sitemaps named in robots.txt. */
	readonly sitemaps: (url: string, step: Step) => Promise<readonly string[]>;
}

const userAgent = `${robotName}/1.0 (+reads pages for a Cairn server whose owner connected this site)`;
const accept = "text/html,application/xhtml+xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1";
/** Status codes that are returned instead of thrown. */
const returnedStatuses = [301, 302, 303, 304, 307, 308, 404, 410, 429, 503];
const temporaryRedirects: ReadonlySet<number> = new Set([302, 303, 307]);
/** With longer pauses a crawl of a large site would never end. */
const pauseMsMax = 30_000;
const retryMsMax = 120_000;
/** Also where the site asks for no more. */
const pauseMsMin = 1_000;
/** RFC 9309 requires crawlers to read at least 500 KiB of a robots.txt. */
const robotsBytesMax = 512 * 1024;

type Robots = ReturnType<typeof robotsParser>;

export function createVisitor(host: Host, pauseMs: number): Visitor {
	const robots = new Map<string, Robots>();
	let pause = pauseMs;
	let lastAt: number | null = null;

	async function request(url: string, headers: Readonly<Record<string, string>>, bytesMax: number, step: Step): Promise<Fetched> {
		const sinceLastMs = lastAt === null ? pause : host.world.elapsedMs() - lastAt;
		if (sinceLastMs < pause) await host.world.sleep(pause - sinceLastMs, step.signal);
		step.signal.throwIfAborted();
		try {
			const timeoutMs = limits.fetchTimeoutMs;
			return await host.fetch(url, {
				signal: step.signal,
				bytesMax,
				timeoutMs,
				accept,
				answers: returnedStatuses,
				headers: { "user-agent": userAgent, ...headers },
			});
		} finally {
			lastAt = host.world.elapsedMs();
		}
	}

	async function robotsOf(url: string, step: Step): Promise<Robots> {
		const { origin } = new URL(url);
		const known = robots.get(origin);
		if (known !== undefined) return known;
		const rules = robotsParser(`${origin}/robots.txt`, await robotsText(`${origin}/robots.txt`, step));
		robots.set(origin, rules);
		pause = Math.min(Math.max(pause, (rules.getCrawlDelay(robotName) ?? 0) * 1_000), pauseMsMax);
		return rules;
	}

	/** A client error on robots.txt means no rules; a server error means that the site must not be crawled (RFC 9309, 2.3.1). */
	async function robotsText(url: string, step: Step): Promise<string> {
		let next = url;
		for (let hop = 0; hop < 5; hop += 1) {
			const { status, headers, bytes } = await request(next, {}, robotsBytesMax, step).catch((thrown: unknown) => missingRobots(thrown));
			if (isBusy({ status })) throw fail("ADDRESS_FAILED", withoutQuery(url), `it answered with status ${status}`);
			const to = URL.parse(headers.get("location") ?? "", next)?.href;
			if (status < 300 || status >= 400) return status < 300 ? new TextDecoder().decode(bytes) : "";
			if (to === undefined) return "";
			next = to;
		}
		return "";
	}

	return {
		async visit(url, validators, step) {
			const conditions = {
				...(validators?.etag != null && { "if-none-match": validators.etag }),
				...(validators?.modified != null && { "if-modified-since": validators.modified }),
			};
			try {
				const first = await request(url, conditions, limits.fetchedBytesMax, step);
				if (!isBusy(first)) return visitResult(first, url);
				const askedMs = askedPauseMs(first.headers.get("retry-after") ?? null, host.world.now()) ?? pauseMsMax;
				await host.world.sleep(Math.min(Math.max(askedMs, pauseMsMin), retryMsMax), step.signal);
				step.signal.throwIfAborted();
				return visitResult(await request(url, conditions, limits.fetchedBytesMax, step), url);
			} catch (thrown) {
				step.signal.throwIfAborted();
				if (!(thrown instanceof ServiceError)) throw thrown;
				return { kind: thrown.mayPass ? "failed" : "refused", error: thrown };
			}
		},
		isAllowed: async (url, step) => (await robotsOf(url, step)).isAllowed(url, robotName) !== false,
		sitemaps: async (url, step) => (await robotsOf(url, step)).getSitemaps(),
	};
}

/** Treats a refused robots.txt as a missing one. */
function missingRobots(thrown: unknown): Pick<Fetched, "status" | "headers" | "bytes"> {
	if (!(thrown instanceof ServiceError) || thrown.code !== "ADDRESS_REFUSED") throw thrown;
	return { status: 404, headers: new Map(), bytes: new Uint8Array() };
}

function isBusy({ status }: Pick<Fetched, "status">): boolean {
	return status === 429 || status === 503;
}

function visitResult(fetched: Fetched, url: string): Visit {
	const { status, headers } = fetched;
	if (status === 304) return { kind: "unchanged" };
	if (status === 404 || status === 410) return { kind: "gone" };
	if (isBusy(fetched)) return { kind: "failed", error: fail("ADDRESS_FAILED", withoutQuery(url), `it answered with status ${status}`) };
	if (status < 300) return { kind: "page", fetched };
	const to = URL.parse(headers.get("location") ?? "", url)?.href;
	return to === undefined
		? { kind: "refused", error: fail("ADDRESS_REFUSED", withoutQuery(url), status) }
		: { kind: "moved", to, isForNow: temporaryRedirects.has(status) };
}

export function forbiddenError(startUrl: string) {
	return fail("CONNECTION_FORBIDDEN", provider, `robots.txt does not allow ${robotName} to read ${withoutQuery(startUrl)}`);
}

/** The URL for messages, without its query, which may contain secrets. */
export function withoutQuery(url: string): string {
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}
