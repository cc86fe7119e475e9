/** Microsoft Graph through the guarded fetch: tokens that are renewed, pauses that are asked for, downloads, and refusals without secrets. */

import { type Fetched, fail, type Host, limits, refusalWords, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { type TokenOf, withPauses, withToken } from "../bearer-fetch.ts";
import { jsonOf } from "../json-of.ts";
import { provider } from "./config.ts";
import type { DriveItem } from "./drive-item.ts";
import { isDownloadAddress } from "./hosts.ts";

export interface GraphApi {
	/** @param path below `/v1.0`, or a link that Graph gave. Null for what is not there, or not for this account. */
	readonly json: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.infer<Schema> | null>;
	/** The same for a delta query. `resync` if Graph no longer knows the token, with the link that begins anew if it gives one. */
	readonly delta: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.infer<Schema> | null | { readonly resync: string | null }>;
	/** Null if the file is no longer there. */
	readonly content: (drive: string, item: DriveItem) => Promise<Fetched | null>;
}

/** A page of a delta query has 200 items unless Graph chooses otherwise. */
const jsonBytesMax = 32 * 1024 * 1024;
/** Enough for fifty megabytes at two megabits per second. */
const fileTimeoutMs = 200_000;
const redirects: readonly number[] = [301, 302, 303, 307, 308];
const redirectsMax = 3;
/** 423: a file that somebody has locked. Redirects are answers, so that no token and no file takes a way beside Microsoft's hosts. */
const returnedStatuses = [...redirects, 400, 401, 403, 404, 410, 423];
/** A download address is valid for minutes, and gone with its file. https://learn.microsoft.com/graph/api/driveitem-get-content */
const expiredStatuses: readonly number[] = [401, 403, 404, 410];

/** @param endpoint the origin of a service in Microsoft's place; null for Microsoft */
export function openGraph(endpoint: string | null, tokenOf: TokenOf, host: Host, step: Step): GraphApi {
	const base = `${endpoint ?? "https://graph.microsoft.com"}/v1.0`;
	const { hostname } = new URL(base);
	const common = { signal: step.signal, timeoutMs: limits.fetchTimeoutMs, answers: returnedStatuses };

	async function request(path: string, answers: readonly number[]): Promise<Fetched | null> {
		const url = path.startsWith("/") ? `${base}${path}` : path;
		// Links come from Graph or from a cursor, and carry no token of themselves.
		if (!url.startsWith(`${base}/`)) throw fail("ADDRESS_CHANGED", hostname, "a link of its response leads elsewhere");
		return withPauses(
			async () => {
				const options = { ...common, bytesMax: jsonBytesMax, accept: "application/json" };
				const fetched = await withToken(tokenOf, (headers) => host.fetch(url, { ...options, headers }));
				if (fetched.status === 404) return null;
				if (fetched.status < 300 || answers.includes(fetched.status)) return fetched;
				throw refusal(fetched, hostname);
			},
			host,
			step,
		);
	}

	function parsed<Schema extends z.ZodType>({ bytes }: Fetched, schema: Schema): z.infer<Schema> {
		const result = schema.safeParse(jsonOf(bytes));
		if (result.success) return result.data;
		throw fail("ADDRESS_CHANGED", hostname, `its response has no valid ${result.error.issues[0]?.path.join(".") || "JSON"}`);
	}

	/** Without a token. Null if the address has expired. */
	async function download(address: string): Promise<Fetched | null> {
		let url = address;
		for (let hops = 0; hops <= redirectsMax; hops++) {
			if (!isDownloadAddress(url, endpoint)) throw fail("ADDRESS_CHANGED", hostname, "a download leads to a host that is not Microsoft's");
			const options = { ...common, timeoutMs: fileTimeoutMs, bytesMax: limits.fileBytesMax };
			const fetched = await withPauses(() => host.fetch(url, options), host, step).catch((thrown: unknown) => {
				throw withoutPath(thrown, url);
			});
			if (expiredStatuses.includes(fetched.status)) return null;
			if (fetched.status < 300) return fetched;
			if (!redirects.includes(fetched.status)) throw refusal(fetched, hostname);
			url = URL.parse(fetched.headers.get("location") ?? "", url)?.href ?? "";
		}
		throw fail("ADDRESS_CHANGED", hostname, `a download redirects more than ${redirectsMax} times`);
	}

	return {
		json: async (path, schema) => {
			const fetched = await request(path, []);
			return fetched === null ? null : parsed(fetched, schema);
		},
		delta: async (path, schema) => {
			const fetched = await request(path, [410]);
			if (fetched?.status !== 410) return fetched === null ? null : parsed(fetched, schema);
			const location = fetched.headers.get("location") ?? null;
			return { resync: location?.startsWith(`${base}/`) === true ? location : null };
		},
		content: async (drive, item) => {
			const direct = item["@microsoft.graph.downloadUrl"];
			const fetched = direct === undefined ? null : await download(direct);
			if (fetched !== null) return fetched;
			const redirect = await request(`/drives/${drive}/items/${item.id}/content`, redirects);
			return redirect === null || redirect.status < 300 ? redirect : download(redirect.headers.get("location") ?? "");
		},
	};
}

const errorSchema = z.object({ error: z.object({ code: z.string().default(""), message: z.string().default("") }) });

/** Who knows the path of a download may read the file, so an error names the host alone. */
function withoutPath(thrown: unknown, url: string): unknown {
	if (!(thrown instanceof ServiceError) || thrown.code !== "ADDRESS_FAILED") return thrown;
	const failure = fail("ADDRESS_FAILED", new URL(url).hostname, "a download failed").notBefore(thrown.earliestRetryMs);
	return thrown.retryAfterMs === null ? failure : failure.after(thrown.retryAfterMs);
}

/** https://learn.microsoft.com/graph/errors */
function refusal({ status, bytes }: Fetched, hostname: string): ServiceError {
	const { data } = errorSchema.safeParse(jsonOf(bytes));
	const said = refusalWords([data?.error.code, data?.error.message].filter((words) => words).join(": ") || `it answered with status ${status}`);
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, said);
	if (status === 403 || status === 423) return fail("ITEM_REFUSED", "it", said);
	if (redirects.includes(status)) return fail("ADDRESS_CHANGED", hostname, `it leads elsewhere, with status ${status}`);
	return fail("ADDRESS_REFUSED", hostname, status);
}
