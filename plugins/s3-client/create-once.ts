/**
 * Stores an object unless there is one. Not every service has conditional writes: some answer 501, and others ignore the condition. So each who
 * wants the key first writes a claim of its own beside it, and then lists all claims. Lists show what was written before, so of two at least one
 * sees the other and gives up; both may.
 */

import type { StoredObject } from "./client.ts";
import type { Connection } from "./send.ts";

export interface CreateParts {
	readonly send: Connection["send"];
	readonly list: (prefix: string) => AsyncIterable<StoredObject>;
	/** For what is stored. */
	readonly headers: Readonly<Record<string, string>>;
	readonly now: () => number;
}

/** Whoever needs longer from the claim to the object gives up. A claim that is twice as old was left by a process that was killed. */
const claimMs = 60_000;

/** @returns whether it was stored */
export async function createOnce({ send, list, headers, now }: CreateParts, key: string, body: Uint8Array): Promise<boolean> {
	const claims = `${key}.claim-`;
	const own = `${claims}${crypto.randomUUID()}`;
	const begunAt = now();
	await send({ method: "PUT", key: own, body, headers });
	try {
		if (await isClaimedByOthers()) return false;
		if ((await read()) !== null || now() - begunAt > claimMs) return false;
		const put = { method: "PUT", key, body } as const;
		const { status } = await send({ ...put, headers: { ...headers, "if-none-match": "*" }, expected: [409, 412, 501] });
		if (status === 501) await send({ ...put, headers });
		// If the response to the first attempt was lost, the second one was refused.
		return (await read())?.equals(body) === true;
	} finally {
		await send({ method: "DELETE", key: own, expected: [404] });
	}

	/** Both times are by the clock of the service. */
	async function isClaimedByOthers(): Promise<boolean> {
		const all = await Array.fromAsync(list(claims));
		const at = all.find((claim) => claim.key === own)?.modifiedAt.getTime();
		// A service whose lists do not show what was written tells nothing.
		if (at === undefined) return true;
		const others = all.filter((claim) => claim.key !== own);
		const left = others.filter(({ modifiedAt }) => at - modifiedAt.getTime() > 2 * claimMs);
		for (const claim of left) await send({ method: "DELETE", key: claim.key, expected: [404] });
		return left.length < others.length;
	}

	async function read(): Promise<Buffer | null> {
		const { status, bytes } = await send({ method: "GET", key, expected: [404] });
		return status === 404 ? null : Buffer.from(bytes);
	}
}
