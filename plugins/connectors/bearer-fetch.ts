/** Fetches with the access token of a sign-in: a token that is refused is renewed once, and pauses that the service asks for are waited for. */

import { type Fetched, fail, type Host, ServiceError, type Step } from "cairn-memory";

/** As `Step.accessToken`. */
export type TokenOf = NonNullable<Step["accessToken"]>;

/** A second, then twice as long each time, is what the vendors recommend. */
const triesMax = 5;
const firstPauseMs = 1_000;
/** A longer pause is not waited for here: the sync goes on after it. */
const pauseMaxMs = 60_000;

/** Runs a request again while it fails for a moment. @throws ServiceError, with `retryAfterMs` where the service has asked for a longer pause */
export async function withPauses<Answer>(request: () => Promise<Answer>, { world }: Host, { signal }: Step): Promise<Answer> {
	for (let tries = 1; ; tries++) {
		try {
			return await request();
		} catch (thrown) {
			if (!(thrown instanceof ServiceError) || thrown.code !== "ADDRESS_FAILED") throw thrown;
			const pauseMs = Math.max(thrown.earliestRetryMs, firstPauseMs * 2 ** (tries - 1) * (1 + world.random()));
			if (pauseMs > pauseMaxMs) throw thrown.after(pauseMs);
			if (tries >= triesMax) throw thrown;
			await world.sleep(pauseMs, signal);
			signal.throwIfAborted();
		}
	}
}

/** @param send must return a response of status 401 */
export async function withToken(tokenOf: TokenOf, send: (headers: Readonly<Record<string, string>>) => Promise<Fetched>): Promise<Fetched> {
	const token = await tokenOf();
	const fetched = await send(bearer(token));
	if (fetched.status !== 401) return fetched;
	const next = await tokenOf(token);
	return next === token ? fetched : send(bearer(next));
}

function bearer(token: string) {
	return { authorization: `Bearer ${token}` };
}

/** The token that the client gave, which has no other behind it, else that of the sign-in. @throws ServiceError if there is neither */
export function tokenFor(token: string | undefined, step: Step, provider: string): TokenOf {
	return token === undefined ? tokenOf(step, provider) : async () => token;
}

/** @throws ServiceError if nobody has signed in */
export function tokenOf({ accessToken }: Step, provider: string): TokenOf {
	if (accessToken === undefined) throw fail("CONNECTION_UNAUTHORIZED", provider, "nobody has signed in");
	return accessToken;
}
