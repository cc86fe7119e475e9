/** A REST API of Google through the guarded fetch: tokens that are renewed, pauses that are asked for, and refusals without secrets. */

import { type Fetched, fail, type Host, limits, refusalWords, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";

/** A list is a parameter that is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Each method returns null for what is not there, or not for this account. */
export interface GoogleApi {
	/** @param path below the base URL */
	readonly json: <Schema extends z.ZodType>(path: string, query: Query, schema: Schema) => Promise<z.infer<Schema> | null>;
	readonly bytes: (path: string, query: Query) => Promise<Fetched | null>;
}

/** A page of 1,000 files with a hundred permissions each. */
const jsonBytesMax = 64 * 1024 * 1024;
const absent: ReadonlySet<number> = new Set([404, 410]);
/** Redirects are answers, so that no token and no document takes a way beside Google's own host. */
const returnedStatuses = [301, 302, 303, 307, 308, 400, 401, 403, ...absent];
/** https://developers.google.com/workspace/drive/api/guides/limits, and the same for Gmail: wait a second, then twice as long each time. */
const triesMax = 5;
const firstPauseMs = 1_000;
/** A longer pause is not waited for here: the sync goes on after it. */
const pauseMaxMs = 60_000;

/** https://developers.google.com/workspace/drive/api/guides/handle-errors and https://developers.google.com/workspace/gmail/api/guides/handle-errors */
const rateReasons: ReadonlySet<string> = new Set(["rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "RATE_LIMIT_EXCEEDED"]);
const clientReasons: ReadonlySet<string> = new Set(["accessNotConfigured", "SERVICE_DISABLED"]);
const scopeReasons: ReadonlySet<string> = new Set(["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "authError", "domainPolicy"]);

export interface GoogleService {
	/** The connector's name. */
	readonly provider: string;
	/** The URL below which all paths of the API lie. */
	readonly base: string;
}

/** @param tokenOf as `Step.accessToken` */
export function openGoogle({ provider, base }: GoogleService, tokenOf: (refused?: string) => Promise<string>, host: Host, step: Step): GoogleApi {
	const { hostname } = new URL(base);

	async function request(path: string, query: Query, accept: string, bytesMax: number): Promise<Fetched | null> {
		const url = new URL(`${base}${path}`);
		for (const [name, value] of Object.entries(query)) for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
		for (let tries = 1; ; tries++) {
			try {
				return await requestOnce(url.href, accept, bytesMax);
			} catch (thrown) {
				if (!(thrown instanceof ServiceError) || thrown.code !== "ADDRESS_FAILED") throw thrown;
				const pauseMs = Math.max(thrown.earliestRetryMs, firstPauseMs * 2 ** (tries - 1) * (1 + host.world.random()));
				if (pauseMs > pauseMaxMs) throw thrown.after(pauseMs);
				if (tries >= triesMax) throw thrown;
				await host.world.sleep(pauseMs, step.signal);
				step.signal.throwIfAborted();
			}
		}
	}

	async function requestOnce(url: string, accept: string, bytesMax: number): Promise<Fetched | null> {
		let token = await tokenOf();
		let fetched = await send(token);
		if (fetched.status === 401) {
			token = await tokenOf(token);
			fetched = await send(token);
		}
		if (absent.has(fetched.status)) return null;
		if (fetched.status < 300) return fetched;
		throw refusal(fetched, provider, hostname);

		function send(bearer: string) {
			const headers = { authorization: `Bearer ${bearer}` };
			return host.fetch(url, { signal: step.signal, timeoutMs: limits.fetchTimeoutMs, bytesMax, accept, headers, answers: returnedStatuses });
		}
	}

	return {
		json: async (path, query, schema) => {
			const fetched = await request(path, query, "application/json", jsonBytesMax);
			if (fetched === null) return null;
			const result = schema.safeParse(jsonOf(fetched.bytes));
			if (result.success) return result.data;
			throw fail("ADDRESS_CHANGED", hostname, `its response has no valid ${result.error.issues[0]?.path.join(".") || "JSON"}`);
		},
		bytes: (path, query) => request(path, query, "*/*", limits.fileBytesMax),
	};
}

const errorSchema = z.object({
	error: z.object({
		message: z.string().default(""),
		errors: z.array(z.object({ reason: z.string() })).default([]),
		details: z.array(z.object({ reason: z.string().optional() })).default([]),
	}),
});

/** The second argument of `ITEM_REFUSED` is Google's reason where it is this one, else its words. */
export const exportTooLarge = "exportSizeLimitExceeded";

function refusal({ status, headers, bytes }: Fetched, provider: string, hostname: string): ServiceError {
	const { data } = errorSchema.safeParse(jsonOf(bytes));
	const reasons = [...(data?.error.details ?? []), ...(data?.error.errors ?? [])].flatMap(({ reason }) => reason ?? []);
	const said = refusalWords(data?.error.message || `it answered with status ${status}`);
	const has = (known: ReadonlySet<string>) => reasons.some((reason) => known.has(reason));
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, said);
	if (status === 400) return fail("ADDRESS_REFUSED", hostname, status);
	if (status !== 403) return fail("ADDRESS_CHANGED", hostname, `it leads elsewhere, with status ${status}`);
	if (has(rateReasons)) {
		const seconds = Number(headers.get("retry-after") ?? 0);
		return fail("ADDRESS_FAILED", hostname, `it answered with status 429: ${said}`).notBefore(
			Number.isFinite(seconds) ? Math.min(seconds * 1_000, limits.fetchPauseMaxMs) : 0,
		);
	}
	if (has(clientReasons)) return fail("CONNECTION_CLIENT_REFUSED", provider, said);
	if (has(scopeReasons)) return fail("CONNECTION_FORBIDDEN", provider, said);
	return fail("ITEM_REFUSED", "it", reasons.includes(exportTooLarge) ? exportTooLarge : said);
}

function jsonOf(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return undefined;
	}
}
