/**
 * Stores an object unless there is one. Not every service has conditional writes: some answer 501, and others ignore the condition. So whoever
 * wants the key first writes a claim of its own beside it, and stores the object only if a list that follows has no other claim. Lists show what
 * was written before, so of two at least one sees the other. Then the one whose claim is first by its name waits, and others take theirs back.
 */

import type { World } from "cairn-memory";
import type { StoredObject } from "./client.ts";
import type { Connection } from "./send.ts";

export interface CreateParts {
	readonly send: Connection["send"];
	readonly list: (prefix: string) => AsyncIterable<StoredObject>;
	/** For what is stored. */
	readonly headers: Readonly<Record<string, string>>;
	readonly world: Pick<World, "now" | "sleep" | "random">;
}

/** Whoever needs longer from the claim to the object gives up. A claim that is twice as old was left by a process that was killed. */
const claimMs = 60_000;
const attemptsMax = 40;
const pauseMsMax = 500;

/** @returns whether it was stored */
export async function createOnce({ send, list, headers, world }: CreateParts, key: string, body: Uint8Array): Promise<boolean> {
	const claims = `${key}.claim-`;
	const own = `${claims}${crypto.randomUUID()}`;
	const withdraw = () => send({ method: "DELETE", key: own, expected: [404] });
	try {
		for (let tries = 0; tries < attemptsMax; tries++) {
			if ((await read()) !== null) return false;
			// While another one is before it, it does not get in its way; now and then it does, because only beside an own claim is one seen to be left over.
			if (tries % 4 === 0 || (await otherClaims()).every((other) => other > own)) {
				const claimedAt = world.now().getTime();
				await send({ method: "PUT", key: own, body, headers });
				const others = await otherClaims();
				if (others.length === 0) return world.now().getTime() - claimedAt < claimMs && (await read()) === null && (await store());
				if (others.some((other) => other < own)) await withdraw();
			}
			await world.sleep(world.random() * pauseMsMax, new AbortController().signal);
		}
		return false;
	} finally {
		await withdraw();
	}

	/** Those that are not left over. All times are by the clock of the service, which the newest claim tells. */
	async function otherClaims(): Promise<readonly string[]> {
		const all = await Array.fromAsync(list(claims));
		const newest = Math.max(...all.map(({ modifiedAt }) => modifiedAt.getTime()));
		const left = all.filter(({ modifiedAt }) => newest - modifiedAt.getTime() > 2 * claimMs);
		for (const claim of left) await send({ method: "DELETE", key: claim.key, expected: [404] });
		return all.filter((claim) => claim.key !== own && !left.includes(claim)).map((claim) => claim.key);
	}

	async function store(): Promise<boolean> {
		const put = { method: "PUT", key, body } as const;
		const { status } = await send({ ...put, headers: { ...headers, "if-none-match": "*" }, expected: [409, 412, 501] });
		if (status === 501) await send({ ...put, headers });
		// If the response to the first attempt was lost, the second one was refused.
		return (await read())?.equals(body) === true;
	}

	async function read(): Promise<Buffer | null> {
		const { status, bytes } = await send({ method: "GET", key, expected: [404] });
		return status === 404 ? null : Buffer.from(bytes);
	}
}
