/** Queries the hub for a model's latest revision and its files. */

import { z } from "zod";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { GuardedFetch } from "../../core/plugin/host.ts";

export interface HubFile {
	readonly path: string;
	readonly bytes: number;
	/** Of large files, which the hub keeps apart; null for others. */
	readonly sha256: string | null;
	/** Of the others: the hash that git gives them. */
	readonly gitHash: string;
}

export interface Hub {
	readonly address: string;
	readonly fetch: GuardedFetch;
}

const commit = z.string().regex(/^[0-9a-f]{40}$/);
const about = z.object({ sha: commit });
const tree = z.array(
	z.object({
		type: z.string(),
		path: z.string(),
		oid: z.string(),
		size: z.number().int().nonnegative(),
		lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() }).nullish(),
	}),
);
/** A list of files, not the files. */
const answerBytesMax = 8 * 1024 * 1024;
const timeoutMs = 30_000;
/** A thousand files each. */
const pagesMax = 10;

export async function revisionOf(repository: string, name: string, hub: Hub, signal: AbortSignal): Promise<string> {
	const { value } = await ask(`${hub.address}/api/models/${repository}/revision/main`, about, name, hub, signal);
	return value.sha;
}

export async function filesOf(repository: string, revision: string, name: string, hub: Hub, signal: AbortSignal): Promise<readonly HubFile[]> {
	const files: HubFile[] = [];
	let address: string | null = `${hub.address}/api/models/${repository}/tree/${revision}?recursive=true`;
	for (let page = 0; address !== null && page < pagesMax; page++) {
		const { value, next }: Answer<z.output<typeof tree>> = await ask(address, tree, name, hub, signal);
		for (const { type, path, oid, size, lfs } of value) {
			if (type === "file") files.push({ path, bytes: lfs?.size ?? size, sha256: lfs?.oid ?? null, gitHash: oid });
		}
		address = next;
	}
	return files;
}

export function addressOf({ address }: Pick<Hub, "address">, repository: string, revision: string, path: string): string {
	return `${address}/${repository}/resolve/${revision}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

interface Answer<Value> {
	readonly value: Value;
	/** The next page. */
	readonly next: string | null;
}

async function ask<Value>(address: string, schema: z.ZodType<Value>, name: string, hub: Hub, signal: AbortSignal): Promise<Answer<Value>> {
	const fetched = await hub.fetch(address, { signal, timeoutMs, bytesMax: answerBytesMax, accept: "application/json" }).catch((thrown: unknown) => {
		throw hubFailure(thrown, name, hub);
	});
	const checked = schema.safeParse(parsed(new TextDecoder().decode(fetched.bytes)));
	if (!checked.success) throw fail("MODEL_PULL_FAILED", name, `${new URL(hub.address).host} answers something that is not of the hub`);
	const link = /<([^>]+)>;\s*rel="next"/.exec(fetched.headers.get("link") ?? "")?.[1];
	return { value: checked.data, next: link === undefined ? null : new URL(link, address).href };
}

/** The error for a person who wanted a model. */
export function hubFailure(thrown: unknown, name: string, { address }: Pick<Hub, "address">): ServiceError {
	if (!(thrown instanceof ServiceError)) return fail("MODEL_PULL_FAILED", name, "the connection broke").because(thrown);
	if (thrown.code.startsWith("MODEL_")) return thrown;
	const { host } = new URL(address);
	const status = thrown.code === "ADDRESS_REFUSED" ? Number(thrown.words[1]) : null;
	if (status === 404) return fail("MODEL_PULL_FAILED", name, `${host} has no such model, revision or file`).because(thrown);
	if (status === 401 || status === 403) return fail("MODEL_PULL_FAILED", name, `${host} gives it only to those who have agreed to its terms`).because(thrown);
	return fail("MODEL_PULL_FAILED", name, `${host}: ${String(thrown.words[1] ?? thrown.message)}`).because(thrown);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
