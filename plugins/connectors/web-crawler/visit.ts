/** Fetches pages politely: one request at a time, with pauses, under our user agent, and never what robots.txt forbids. */

import { type Fetched, fail, type Host, limits, ServiceError, type Step } from "cairn-memory";
import robotsParser from "robots-parser";
import { provider } from "./config.ts";

export const robotName = "CairnBot";

/** The version of a page when it was last read. */
export interface Known {
	readonly etag: string | null;
	readonly modified: string | null;
}

export type Visit =
	| { readonly kind: "page"; readonly fetched: Fetched }
	| { readonly kind: "unchanged" }
	| { readonly kind: "moved"; readonly to: string }
	| { readonly kind: "gone" }
	/** It exists but is not available: 403 and the like, or too large. */
	| { readonly kind: "refused"; readonly error: ServiceError }
	/** A transient failure. */
	| { readonly kind: "failed"; readonly error: ServiceError };

export interface Visitor {
	readonly visit: (address: string, known: Known | null, step: Step) => Promise<Visit>;
	readonly isAllowed: (address: string, step: Step) => Promise<boolean>;
	/** The sitemaps named in robots.txt. */
	readonly sitemaps: (address: string, step: Step) => Promise<readonly string[]>;
}

const userAgent = `${robotName}/1.0 (+reads pages for a Cairn server whose owner connected this site)`;
const accept = "text/html,application/xhtml+xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1";
const answers = [301, 302, 303, 304, 307, 308, 404, 410, 429, 503];
/** With longer pauses a large site would never be finished. */
const pauseMsMax = 30_000;
const retryMsMax = 120_000;
/** Crawlers read at least 500 KiB of it (RFC 9309). */
const robotsBytesMax = 512 * 1024;

type Robots = ReturnType<typeof robotsParser>;

export function createVisitor(host: Host, pauseMs: number): Visitor {
	const robots = new Map<string, Robots>();
	let pause = pauseMs;
	let lastAt: number | null = null;

	async function ask(address: string, headers: Readonly<Record<string, string>>, bytesMax: number, step: Step): Promise<Fetched> {
		const waited = lastAt === null ? pause : host.world.elapsedMs() - lastAt;
		if (waited < pause) await host.world.sleep(pause - waited, step.signal);
		step.signal.throwIfAborted();
		try {
			const timeoutMs = limits.fetchTimeoutMs;
			return await host.fetch(address, { signal: step.signal, bytesMax, timeoutMs, accept, answers, headers: { "user-agent": userAgent, ...headers } });
		} finally {
			lastAt = host.world.elapsedMs();
		}
	}

	async function robotsOf(address: string, step: Step): Promise<Robots> {
		const { origin } = new URL(address);
		const known = robots.get(origin);
		if (known !== undefined) return known;
		const read = robotsParser(`${origin}/robots.txt`, await rulesText(`${origin}/robots.txt`, step));
		robots.set(origin, read);
		pause = Math.min(Math.max(pause, (read.getCrawlDelay(robotName) ?? 0) * 1_000), pauseMsMax);
		return read;
	}

	/** A client error on robots.txt means no rules; a server error means that the site must not be crawled (RFC 9309, 2.3.1). */
	async function rulesText(address: string, step: Step): Promise<string> {
		let next = address;
		for (let hop = 0; hop < 5; hop += 1) {
			const { status, headers, bytes } = await ask(next, {}, robotsBytesMax, step).catch((thrown: unknown) => refusedRules(thrown));
			if (status === 429 || status === 503) throw fail("ADDRESS_FAILED", shown(address), `it answered with status ${status}`);
			const to = URL.parse(headers.get("location") ?? "", next)?.href;
			if (status < 300 || status >= 400) return status < 300 ? new TextDecoder().decode(bytes) : "";
			if (to === undefined) return "";
			next = to;
		}
		return "";
	}

	return {
		async visit(address, known, step) {
			const conditions = {
				...(known?.etag != null && { "if-none-match": known.etag }),
				...(known?.modified != null && { "if-modified-since": known.modified }),
			};
			try {
				const first = await ask(address, conditions, limits.fetchedBytesMax, step);
				const waitMs = retryAfterMs(first);
				if (waitMs === null) return visitOf(first, address);
				await host.world.sleep(waitMs, step.signal);
				return visitOf(await ask(address, conditions, limits.fetchedBytesMax, step), address);
			} catch (thrown) {
				step.signal.throwIfAborted();
				if (!(thrown instanceof ServiceError)) throw thrown;
				return { kind: thrown.mayPass ? "failed" : "refused", error: thrown };
			}
		},
		isAllowed: async (address, step) => (await robotsOf(address, step)).isAllowed(address, robotName) !== false,
		sitemaps: async (address, step) => (await robotsOf(address, step)).getSitemaps(),
	};
}

function refusedRules(thrown: unknown): Pick<Fetched, "status" | "headers" | "bytes"> {
	if (!(thrown instanceof ServiceError) || thrown.code !== "ADDRESS_REFUSED") throw thrown;
	return { status: 404, headers: new Map(), bytes: new Uint8Array() };
}

/** How long a busy site asks to wait, up to a maximum; null when it is not busy. */
function retryAfterMs({ status, headers }: Fetched): number | null {
	if (status !== 429 && status !== 503) return null;
	const seconds = Number(headers.get("retry-after") ?? Number.NaN);
	return Math.min(Number.isFinite(seconds) ? Math.max(seconds, 1) * 1_000 : pauseMsMax, retryMsMax);
}

function visitOf(fetched: Fetched, address: string): Visit {
	const { status, headers } = fetched;
	if (status === 304) return { kind: "unchanged" };
	if (status === 404 || status === 410) return { kind: "gone" };
	if (status === 429 || status === 503) return { kind: "failed", error: fail("ADDRESS_FAILED", shown(address), `it answered with status ${status}`) };
	if (status < 300) return { kind: "page", fetched };
	const to = URL.parse(headers.get("location") ?? "", address)?.href;
	return to === undefined ? { kind: "refused", error: fail("ADDRESS_REFUSED", shown(address), status) } : { kind: "moved", to };
}

export function forbidden(startUrl: string) {
	return fail("CONNECTION_FORBIDDEN", provider, `robots.txt does not allow ${robotName} to read ${shown(startUrl)}`);
}

/** Without its query, which may contain secrets. */
function shown(address: string): string {
	const { origin, pathname } = new URL(address);
	return origin + pathname;
}
