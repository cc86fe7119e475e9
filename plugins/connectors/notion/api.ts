/** Notion's REST API through the guarded fetch: three requests a second, pages by cursors, and refusals without secrets. */

import { type Fetched, fail, type Host, limits, type ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { tokenFor, withToken } from "../bearer-fetch.ts";
import { fetchAtHome } from "../fetch-at-home.ts";
import { jsonOf } from "../json-of.ts";
import { type KeptPages, unkept } from "../kept-pages.ts";
import { neverTwice } from "../never-twice.ts";
import { type NotionConfig, provider } from "./config.ts";

export interface NotionApi {
	/** Null for what is not there, or not shared with the integration: Notion answers both alike. */
	readonly get: <Schema extends z.ZodType>(path: string, schema: Schema, step: Step) => Promise<z.infer<Schema> | null>;
	/**
	 * The items of a list, page by page; null instead of the first page if the list is not there. With a body it is asked for by POST.
	 * @param cut called if Notion says that it leaves some out, of a database with more than 10,000 rows:
	 * https://developers.notion.com/guides/data-apis/query-large-data-sources
	 */
	readonly list: <Schema extends z.ZodType>(
		path: string,
		body: object | null,
		schema: Schema,
		step: Step,
		kept?: Pick<KeptPages, "page">,
		cut?: () => void,
	) => AsyncGenerator<readonly z.infer<Schema>[] | null>;
}

/** The version that is asked for: https://developers.notion.com/reference/versioning */
export const version = "2025-09-03";
/** https://developers.notion.com/reference/request-limits: three requests a second on average. */
const pauseMs = 334;
const perPage = 100;
/** A hundred blocks with two thousand characters in each of a hundred pieces of text. */
const answerBytesMax = 32 * 1024 * 1024;
const pagesMax = 2_000;
const statusSchema = z.object({ type: z.string() }).optional();
const returnedStatuses = [400, 401, 403, 404, 409];

export function openNotion({ endpoint, token }: Pick<NotionConfig, "endpoint" | "token">, host: Host): NotionApi {
	const { world } = host;
	const base = endpoint.replace(/\/+$/, "");
	const { hostname } = new URL(base);
	let lastMs: number | null = null;

	async function request(path: string, body: object | null, step: Step): Promise<Fetched | null> {
		const sinceMs = lastMs === null ? pauseMs : world.elapsedMs() - lastMs;
		if (sinceMs < pauseMs) await world.sleep(pauseMs - sinceMs, step.signal);
		step.signal.throwIfAborted();
		lastMs = world.elapsedMs();
		const headers = { "notion-version": version, ...(body !== null && { "content-type": "application/json" }) };
		const options = {
			signal: step.signal,
			timeoutMs: limits.fetchTimeoutMs,
			bytesMax: answerBytesMax,
			accept: "application/json",
			headers,
			answers: returnedStatuses,
		};
		const sent = body === null ? options : { ...options, body: new TextEncoder().encode(JSON.stringify(body)) };
		const fetched = await withToken(tokenFor(token, step, provider), async (authorization) => {
			const answer = await fetchAtHome(`${base}/v1/${path}`, { ...sent, headers: { ...headers, ...authorization } }, host);
			if (answer === null) throw fail("CONNECTION_INVALID", provider, "endpoint", "it leads to another host, or in a circle");
			return answer;
		});
		if (fetched.status === 404) return null;
		if (fetched.status >= 400) throw refusal(fetched, hostname);
		return fetched;
	}

	function parsed<Schema extends z.ZodType>({ bytes }: Fetched, schema: Schema): z.infer<Schema> {
		const result = schema.safeParse(jsonOf(bytes));
		if (result.success) return result.data;
		throw fail("ADDRESS_CHANGED", hostname, `its response has no valid ${result.error.issues[0]?.path.join(".") || "JSON"}`);
	}

	return {
		get: async (path, schema, step) => {
			const fetched = await request(path, null, step);
			return fetched === null ? null : parsed(fetched, schema);
		},
		async *list(path, body, schema, step, kept = unkept, cut = () => undefined) {
			const pageSchema = z.object({ results: z.array(schema), has_more: z.boolean(), next_cursor: z.string().nullable(), request_status: statusSchema });
			let cursor: string | null = null;
			const demandNew = neverTwice(hostname);
			for (let page = 0; page < pagesMax; page++) {
				demandNew(cursor ?? "");
				const at: object = { page_size: perPage, ...(cursor !== null && { start_cursor: cursor }) };
				const query = new URLSearchParams(Object.entries(at).map(([name, value]) => [name, String(value)]));
				const answer: z.infer<typeof pageSchema> | null = await kept.page(`${path}?${query}`, async () => {
					const fetched = await request(body === null ? `${path}?${query}` : path, body === null ? null : { ...body, ...at }, step);
					return fetched === null ? null : parsed(fetched, pageSchema);
				});
				if (answer === null) {
					if (page === 0) yield null;
					return;
				}
				const { results, has_more, next_cursor, request_status } = answer;
				if (request_status?.type === "incomplete") cut();
				if (has_more && next_cursor === null) throw fail("ADDRESS_CHANGED", hostname, "its list goes on and does not say where");
				yield results;
				if (!has_more) return;
				cursor = next_cursor;
			}
		},
	};
}

/** https://developers.notion.com/reference/status-codes */
function refusal({ status, bytes }: Fetched, hostname: string): ServiceError {
	const said = z.object({ message: z.string() }).safeParse(jsonOf(bytes)).data?.message.slice(0, 200) ?? "it gives no reason";
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, said);
	if (status === 403) return fail("CONNECTION_FORBIDDEN", provider, said);
	// A conflict of two writes, which passes.
	if (status === 409) return fail("ADDRESS_FAILED", hostname, `it answered with status 409: ${said}`);
	return fail("ADDRESS_REFUSED", hostname, status).because(new Error(said));
}
