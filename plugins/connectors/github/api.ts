/** GitHub's REST and GraphQL APIs through the guarded fetch: pages, redirects within its host, and refusals without secrets. */

import { type Fetched, fail, type Host, type Json, limits, refusalWords, type ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { tokenFor, withToken } from "../bearer-fetch.ts";
import { jsonOf } from "../json-of.ts";
import { neverTwice } from "../never-twice.ts";
import { patiently } from "../patient-fetch.ts";
import { type GithubConfig, provider } from "./config.ts";

export interface Answer<Value> {
	readonly value: Value;
	/** By which GitHub knows it again; null if it gives none. */
	readonly etag: string | null;
	/** The address of the next page of a list; null on the last one. */
	readonly next: string | null;
}

/** Every method returns null for what is not there, or not for this token: GitHub answers both alike. */
export interface GithubApi {
	/**
	 * @param path below the endpoint, with its query, or the address of a next page
	 * @param etag of an earlier answer. `unchanged` if GitHub says that it is still the same
	 * @returns `gone` for what GitHub says to be there no more, such as issues that are switched off
	 */
	readonly ask: <Schema extends z.ZodType>(
		path: string,
		schema: Schema,
		step: Step,
		etag?: string | null,
	) => Promise<Answer<z.infer<Schema>> | "unchanged" | "gone" | null>;
	readonly json: <Schema extends z.ZodType>(path: string, schema: Schema, step: Step) => Promise<z.infer<Schema> | null>;
	/** All items of a list. */
	readonly items: <Schema extends z.ZodType>(path: string, schema: Schema, step: Step) => Promise<readonly z.infer<Schema>[] | null>;
	/** @param schema what the query asks for */
	readonly graphql: <Schema extends z.ZodType>(
		query: string,
		variables: Readonly<Record<string, Json>>,
		schema: Schema,
		step: Step,
	) => Promise<z.infer<Schema> | null>;
	readonly raw: (path: string, bytesMax: number, step: Step) => Promise<Uint8Array | null>;
}

/** The version of the API that is asked for: https://docs.github.com/en/rest/about-the-rest-api/api-versions */
const version = "2022-11-28";
/** Enough for a hundred issues of GitHub's 65,536 characters, and for a tree of its 100,000 entries. */
const jsonBytesMax = 64 * 1024 * 1024;
const json = "application/vnd.github+json";
/** GraphQL answers with status 200 whatever went wrong: https://docs.github.com/en/graphql/overview/rate-limits-and-node-limits-for-the-graphql-api */
const answerSchema = z.object({ data: z.unknown(), errors: z.array(z.object({ type: z.string().optional(), message: z.string() })).optional() });
export const pagesMax = 1_000;
const redirectsMax = 3;
const redirects: ReadonlySet<number> = new Set([301, 302, 307, 308]);
const gone = 410;
/** Nothing there, an empty repository, issues that are switched off. */
const absent: ReadonlySet<number> = new Set([404, 409, gone]);
const notModified = 304;
/** For legal reasons, of one repository: https://developer.github.com/changes/2016-03-17-the-451-status-code-is-now-supported/ */
const blocked = 451;
const returnedStatuses = [...redirects, ...absent, notModified, blocked, 401, 403, 429];
/** GitHub asks for at least a minute where it names no time. */
const pauseMinMs = 60_000;

interface Sent {
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Uint8Array;
}

export function openGithub(config: Pick<GithubConfig, "token" | "endpoint">, host: Host): GithubApi {
	const base = config.endpoint.replace(/\/+$/, "");
	const { origin, hostname } = new URL(base);

	const request: typeof requestOnce = (...call) => patiently(() => requestOnce(...call), call[3].signal, host.world);

	async function requestOnce(url: string, accept: string, bytesMax: number, step: Step, sent: Sent = {}): Promise<Fetched> {
		let at = url;
		for (let hops = 0; hops <= redirectsMax; hops++) {
			const address = at;
			const fetched = await withToken(tokenFor(config.token, step, provider), (authorization) => {
				const headers = { ...sent.headers, ...authorization, "x-github-api-version": version };
				const options = { signal: step.signal, timeoutMs: limits.fetchTimeoutMs, bytesMax, accept, headers, answers: returnedStatuses };
				return host.fetch(address, sent.body === undefined ? options : { ...options, body: sent.body });
			});
			if (!redirects.has(fetched.status)) return answerOf(fetched);
			const next = URL.parse(fetched.headers.get("location") ?? "", at);
			if (next?.origin !== origin) throw fail("CONNECTION_INVALID", provider, "endpoint", "it leads to another host");
			at = next.href;
		}
		throw fail("CONNECTION_INVALID", provider, "endpoint", "it leads round in a circle");
	}

	function answerOf(fetched: Fetched): Fetched {
		if (fetched.status < 300 || fetched.status === notModified || absent.has(fetched.status)) return fetched;
		throw refusal(fetched, hostname, host.world.now());
	}

	function parsed<Schema extends z.ZodType>({ bytes }: Fetched, schema: Schema): z.infer<Schema> {
		return checked(jsonOf(bytes), schema);
	}

	function checked<Schema extends z.ZodType>(value: unknown, schema: Schema): z.infer<Schema> {
		const result = schema.safeParse(value);
		if (result.success) return result.data;
		throw fail("ADDRESS_CHANGED", hostname, `its response has no valid ${result.error.issues[0]?.path.join(".") || "JSON"}`);
	}

	const get = (path: string, step: Step, etag: string | null = null) => {
		const url = path.startsWith("/") ? `${base}${path}` : path;
		return request(url, json, jsonBytesMax, step, etag === null ? {} : { headers: { "if-none-match": etag } });
	};

	const ask: GithubApi["ask"] = async (path, schema, step, etag = null) => {
		const fetched = await get(path, step, etag);
		if (fetched.status === gone) return "gone";
		if (absent.has(fetched.status)) return null;
		if (fetched.status === notModified && etag !== null) return "unchanged";
		return { value: parsed(fetched, schema), etag: fetched.headers.get("etag") ?? null, next: nextOf(fetched, origin) };
	};

	return {
		ask,
		json: async (path, schema, step) => {
			const fetched = await get(path, step);
			return absent.has(fetched.status) ? null : parsed(fetched, schema);
		},
		items: async (path, schema, step) => {
			const items: z.infer<typeof schema>[] = [];
			let url: string | null = path;
			const demandNew = neverTwice(hostname);
			for (let page = 0; url !== null && page < pagesMax; page++) {
				step.signal.throwIfAborted();
				demandNew(url);
				const at: string = url;
				const answer = await ask(at, z.array(schema), step);
				if ((answer === null || answer === "gone") && page === 0) return null;
				// A list that ends in the middle would look like one of which the rest is gone.
				if (answer === null || typeof answer === "string") throw fail("ITEM_REFUSED", "it", `page ${page + 1} of a list is not there`);
				items.push(...answer.value);
				url = answer.next;
			}
			return items;
		},
		graphql: (query, variables, schema, step) => {
			const body = new TextEncoder().encode(JSON.stringify({ query, variables }));
			const ask = async () => {
				const fetched = await requestOnce(graphqlUrl(base), json, jsonBytesMax, step, { body, headers: { "content-type": "application/json" } });
				if (absent.has(fetched.status)) return null;
				const { data, errors = [] } = parsed(fetched, answerSchema);
				const has = (type: string) => errors.some((error) => error.type === type);
				if (has("RATE_LIMITED")) throw refusal({ ...fetched, status: 429 }, hostname, host.world.now());
				if (has("NOT_FOUND")) return null;
				const said = refusalWords(errors.map(({ message }) => message).join("; "));
				if (has("FORBIDDEN") || has("INSUFFICIENT_SCOPES")) throw fail("CONNECTION_FORBIDDEN", provider, said);
				if (errors.length > 0) throw fail("ITEM_REFUSED", "it", said);
				return checked(data, schema);
			};
			return patiently(ask, step.signal, host.world);
		},
		raw: async (path, bytesMax, step) => {
			const { status, bytes } = await request(`${base}${path}`, "application/vnd.github.raw+json", bytesMax, step);
			return absent.has(status) ? null : bytes;
		},
	};
}

/** On GitHub Enterprise `/api/v3` and `/api/graphql` lie beside each other: https://docs.github.com/en/graphql/guides/forming-calls-with-graphql */
function graphqlUrl(base: string): string {
	return `${base.replace(/\/v3$/, "")}/graphql`;
}

/** The next page of the `link` header, RFC 8288; null on the last page. @throws ServiceError if it is on another host, to which no token is sent */
function nextOf({ headers, address }: Fetched, origin: string): string | null {
	const next = (headers.get("link") ?? "").match(/<([^>]+)>\s*;[^,]*\brel="?next"?/)?.[1];
	if (next === undefined) return null;
	const url = URL.parse(next, address);
	if (url?.origin !== origin) throw fail("CONNECTION_INVALID", provider, "endpoint", "its lists go on at another host");
	return url.href;
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function refusal({ status, headers, bytes }: Fetched, hostname: string, now: Date): ServiceError {
	const said = messageOf(bytes);
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, said);
	if (status === blocked) return fail("ITEM_REFUSED", "it", said);
	const [after, left, reset] = ["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) => headers.get(name));
	if (status !== 429 && after === undefined && left !== "0" && !/rate limit/i.test(said)) return fail("CONNECTION_FORBIDDEN", provider, said);
	const askedMs = after !== undefined ? Number(after) * 1_000 : left === "0" ? Number(reset) * 1_000 - now.getTime() : 0;
	const pauseMs = Math.min(Math.max(Number.isFinite(askedMs) ? askedMs : 0, after === undefined ? pauseMinMs : 0), limits.fetchPauseMaxMs);
	return fail("ADDRESS_FAILED", hostname, `it answered with status 429: ${said}`).notBefore(pauseMs);
}

function messageOf(bytes: Uint8Array): string {
	const result = z.object({ message: z.string() }).safeParse(jsonOf(bytes));
	return result.success ? result.data.message.slice(0, 200) : "it gives no reason";
}
