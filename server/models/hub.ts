/** Queries the model hub (Hugging Face, or a mirror) for a model's latest revision and its files. */

import { z } from "zod";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { GuardedFetch } from "../../core/plugin/host.ts";

export interface HubFile {
	readonly path: string;
	readonly bytes: number;
	/** SHA-256 of large files (LFS); null for others. */
	readonly sha256: string | null;
	/** The hash of the git blob, which is used for files without `sha256`. */
	readonly gitHash: string;
}

export interface Hub {
	readonly baseUrl: string;
	readonly fetch: GuardedFetch;
}

const commitHash = z.string().regex(/^[0-9a-f]{40}$/);
const modelInfo = z.object({ sha: commitHash });
const fileListSchema = z.array(
	z.object({
		type: z.string(),
		path: z.string(),
		oid: z.string(),
		size: z.number().int().nonnegative(),
		lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() }).nullish(),
	}),
);
/** The most bytes of one response, which is only a list of files. */
const responseBytesMax = 8 * 1024 * 1024;
const timeoutMs = 30_000;
/** The most pages of the list of files; each has up to a thousand files. */
const pagesMax = 10;

export async function revisionOf(repository: string, name: string, hub: Hub, signal: AbortSignal): Promise<string> {
	const { value } = await request(`${hub.baseUrl}/api/models/${repository}/revision/main`, modelInfo, name, hub, signal);
	return value.sha;
}

export async function filesOf(repository: string, revision: string, name: string, hub: Hub, signal: AbortSignal): Promise<readonly HubFile[]> {
	const files: HubFile[] = [];
	let url: string | null = `${hub.baseUrl}/api/models/${repository}/tree/${revision}?recursive=true`;
	for (let page = 0; url !== null && page < pagesMax; page++) {
		const { value, nextUrl }: HubResponse<z.output<typeof fileListSchema>> = await request(url, fileListSchema, name, hub, signal);
		for (const { type, path, oid, size, lfs } of value) {
			if (type === "file") files.push({ path, bytes: lfs?.size ?? size, sha256: lfs?.oid ?? null, gitHash: oid });
		}
		url = nextUrl;
	}
	return files;
}

export function fileUrl({ baseUrl }: Pick<Hub, "baseUrl">, repository: string, revision: string, path: string): string {
	return `${baseUrl}/${repository}/resolve/${revision}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

interface HubResponse<Value> {
	readonly value: Value;
	/** The URL of the next page; null on the last. */
	readonly nextUrl: string | null;
}

async function request<Value>(url: string, schema: z.ZodType<Value>, name: string, hub: Hub, signal: AbortSignal): Promise<HubResponse<Value>> {
	const response = await hub.fetch(url, { signal, timeoutMs, bytesMax: responseBytesMax, accept: "application/json" }).catch((thrown: unknown) => {
		throw hubFailure(thrown, name, hub);
	});
	const checked = schema.safeParse(parseJson(new TextDecoder().decode(response.bytes)));
	if (!checked.success) throw fail("MODEL_PULL_FAILED", name, `${new URL(hub.baseUrl).host} sent a response that is not in the format of the hub`);
	const nextUrl = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
	return { value: checked.data, nextUrl: nextUrl === undefined ? null : new URL(nextUrl, url).href };
}

/** The error message for the user who wants to download the model. */
export function hubFailure(thrown: unknown, name: string, { baseUrl }: Pick<Hub, "baseUrl">): ServiceError {
	if (!(thrown instanceof ServiceError)) return fail("MODEL_PULL_FAILED", name, "the connection broke").because(thrown);
	if (thrown.code.startsWith("MODEL_")) return thrown;
	const { host } = new URL(baseUrl);
	const status = thrown.code === "ADDRESS_REFUSED" ? Number(thrown.args[1]) : null;
	if (status === 404) return fail("MODEL_PULL_FAILED", name, `${host} has no such model, revision or file`).because(thrown);
	if (status === 401 || status === 403)
		return fail("MODEL_PULL_FAILED", name, `${host} requires a signed-in user who has accepted the model's terms`).because(thrown);
	return fail("MODEL_PULL_FAILED", name, `${host}: ${String(thrown.args[1] ?? thrown.message)}`).because(thrown);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
