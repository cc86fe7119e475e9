/** A guarded fetch whose names all lead to this machine, with what it logged. */

import type { FetchOptions, GuardedFetch } from "cairn-memory";
import { createGuardedFetch, type GuardOptions } from "../../../../server/boot/network/guarded-fetch.ts";

export const logged: string[] = [];

export function guard(options: Partial<GuardOptions> = {}): GuardedFetch {
	return createGuardedFetch({
		allow: [],
		log: (level, message, facts) => logged.push(`${level} ${message} ${JSON.stringify(facts)}`),
		resolve: async () => ["127.0.0.1"],
		...options,
	});
}

export const bounds = (options: Partial<FetchOptions> = {}): FetchOptions => ({
	signal: new AbortController().signal,
	bytesMax: 1_000_000,
	timeoutMs: 2_000,
	...options,
});

export const textOf = ({ bytes }: { readonly bytes: Uint8Array }): string => new TextDecoder().decode(bytes);

export async function rejection(promise: Promise<unknown>): Promise<{ readonly code?: string; readonly message?: string }> {
	try {
		await promise;
	} catch (error) {
		return error as { readonly code?: string; readonly message?: string };
	}
	throw new Error("it was expected to fail");
}
