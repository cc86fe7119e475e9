/** Dropbox's API version 2 through the guarded fetch. https://www.dropbox.com/developers/documentation/http/documentation */

import { type Fetched, fail, type Host, limits, refusalWords, type ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { type TokenOf, withPauses, withToken } from "../bearer-fetch.ts";
import { jsonOf } from "../json-of.ts";
import { provider } from "./config.ts";

/** What a route refused, by its tags: `path/not_found`, `reset`. */
export interface Refused {
	readonly refused: string;
}

export interface Downloaded {
	readonly fetched: Fetched;
	/** What Dropbox tells of the file beside its bytes. */
	readonly result: unknown;
}

export interface DropboxApi {
	/** @param route such as `files/list_folder`; @param argument null for a route that takes none */
	readonly call: <Schema extends z.ZodType>(route: string, argument: object | null, schema: Schema) => Promise<z.infer<Schema> | Refused>;
	/** @param route such as `files/download` */
	readonly download: (route: string, argument: object) => Promise<Downloaded | Refused>;
}

export function isRefused(answer: unknown): answer is Refused {
	return typeof answer === "object" && answer !== null && "refused" in answer;
}

/** A page of 2,000 entries. */
const jsonBytesMax = 32 * 1024 * 1024;
/** Enough for fifty megabytes at two megabits per second. */
const fileTimeoutMs = 200_000;
/** 409 is a refusal of the route itself, 422 that of a path root. Redirects are answers, so that nothing takes a way beside Dropbox's hosts. */
const returnedStatuses = [301, 302, 303, 307, 308, 400, 401, 403, 404, 409, 422];

export interface DropboxHosts {
	readonly api: string;
	readonly content: string;
}

/** @param root the namespace that paths begin at; null for the folder of the account */
export function openDropbox(hosts: DropboxHosts, root: string | null, tokenOf: TokenOf, host: Host, step: Step): DropboxApi {
	const pathRoot = root === null ? {} : { "dropbox-api-path-root": JSON.stringify({ ".tag": "root", root }) };

	function request(url: string, more: Readonly<Record<string, string>>, body: string, bounds: { readonly bytesMax: number; readonly timeoutMs: number }) {
		const { hostname } = new URL(url);
		const options = { signal: step.signal, ...bounds, body: new TextEncoder().encode(body), answers: returnedStatuses };
		return withPauses(
			async () => {
				const fetched = await withToken(tokenOf, (headers) => host.fetch(url, { ...options, headers: { ...headers, ...pathRoot, ...more } }));
				if (fetched.status < 300 || fetched.status === 409) return fetched;
				throw refusal(fetched, hostname);
			},
			host,
			step,
		);
	}

	return {
		call: async (route, argument, schema) => {
			const url = `${hosts.api}/2/${route}`;
			// A route without arguments takes the JSON null.
			const bounds = { bytesMax: jsonBytesMax, timeoutMs: limits.fetchTimeoutMs };
			const fetched = await request(url, { "content-type": "application/json", accept: "application/json" }, JSON.stringify(argument), bounds);
			if (fetched.status === 409) return refused(fetched);
			const result = schema.safeParse(fetched.bytes.byteLength === 0 ? null : jsonOf(fetched.bytes));
			if (result.success) return result.data;
			throw fail("ADDRESS_CHANGED", new URL(url).hostname, `its response has no valid ${result.error.issues[0]?.path.join(".") || "JSON"}`);
		},
		download: async (route, argument) => {
			const headers = { "dropbox-api-arg": JSON.stringify(argument), "content-type": "application/octet-stream" };
			const fetched = await request(`${hosts.content}/2/${route}`, headers, "", { bytesMax: limits.fileBytesMax, timeoutMs: fileTimeoutMs });
			if (fetched.status === 409) return refused(fetched);
			return { fetched, result: jsonOf(new TextEncoder().encode(fetched.headers.get("dropbox-api-result") ?? "")) };
		},
	};
}

const errorSchema = z.object({ error_summary: z.string().default(""), error: z.object({ ".tag": z.string().default("") }).default({ ".tag": "" }) });

/** `error_summary` ends with dots, so that nobody compares it as a whole. */
function summaryOf(bytes: Uint8Array): string {
	const { data } = errorSchema.safeParse(jsonOf(bytes));
	return (data?.error_summary || data?.error[".tag"] || "").replace(/[/.]+$/, "");
}

function refused({ bytes }: Fetched): Refused {
	return { refused: summaryOf(bytes) };
}

/** https://www.dropbox.com/developers/documentation/http/documentation#error-handling. A refusal of 400 is plain text. */
function refusal({ status, bytes }: Fetched, hostname: string): ServiceError {
	const said = refusalWords(summaryOf(bytes) || `it answered with status ${status}`);
	if (status === 401) return fail(said.startsWith("missing_scope") ? "CONNECTION_FORBIDDEN" : "CONNECTION_UNAUTHORIZED", provider, said);
	// The root of the team has changed while the sync went on; the next try asks for it.
	if (status === 422) return fail("ADDRESS_FAILED", hostname, said);
	if (status === 403) return fail("CONNECTION_FORBIDDEN", provider, said);
	if (status >= 400) return fail("ADDRESS_REFUSED", hostname, status);
	return fail("ADDRESS_CHANGED", hostname, `it leads elsewhere, with status ${status}`);
}
