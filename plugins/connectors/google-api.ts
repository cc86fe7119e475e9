/** A REST API of Google through the guarded fetch: tokens that are renewed, pauses that are asked for, and refusals without secrets. */

import { type Fetched, fail, type Host, limits, refusalWords, type ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { type TokenOf, withPauses, withToken } from "./bearer-fetch.ts";
import { jsonOf } from "./json-of.ts";
import type { KeptPages } from "./kept-pages.ts";

/** A list is a parameter that is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Each method returns null for what is not there, or not for this account. */
export interface GoogleApi {
	/** @param path below the base URL */
	readonly json: <Schema extends z.ZodType>(path: string, query: Query, schema: Schema) => Promise<z.infer<Schema> | null>;
	readonly bytes: (path: string, query: Query) => Promise<Fetched | null>;
}

/** The largest mail as base64, with some JSON around it. A page of 1,000 files with a hundred permissions each is smaller. */
const jsonBytesMax = Math.ceil((limits.fileBytesMax * 4) / 3) + 1024 * 1024;
const absent: ReadonlySet<number> = new Set([404, 410]);
/** Redirects are answers, so that no token and no document takes a way beside Google's own host. */
const returnedStatuses = [301, 302, 303, 307, 308, 400, 401, 403, ...absent];
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

export function openGoogle({ provider, base }: GoogleService, tokenOf: TokenOf, host: Host, step: Step): GoogleApi {
	const { hostname } = new URL(base);

	async function request(path: string, query: Query, accept: string, bytesMax: number): Promise<Fetched | null> {
		const url = new URL(`${base}${path}`);
		for (const [name, value] of Object.entries(query)) for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
		return withPauses(() => requestOnce(url.href, accept, bytesMax), host, step);
	}

	async function requestOnce(url: string, accept: string, bytesMax: number): Promise<Fetched | null> {
		const options = { signal: step.signal, timeoutMs: limits.fetchTimeoutMs, bytesMax, accept, answers: returnedStatuses };
		const fetched = await withToken(tokenOf, (headers) => host.fetch(url, { ...options, headers }));
		if (absent.has(fetched.status)) return null;
		if (fetched.status < 300) return fetched;
		throw refusal(fetched, provider, hostname);
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

/** A list that is not there is no empty one, of which everything would be gone. @throws ServiceError `ADDRESS_CHANGED` */
export function demandList<Page>(page: Page | null, provider: string, name: string): Page {
	if (page === null) throw fail("ADDRESS_CHANGED", provider, `it says that there is no list of ${name}`);
	return page;
}

/** The same for a listing, whose answers are kept. */
export function keepingAnswers(api: GoogleApi, pages: KeptPages): GoogleApi {
	return { ...api, json: (path, query, schema) => pages.page(`${path} ${JSON.stringify(query)}`, () => api.json(path, query, schema)) };
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
