/** Runs a transaction again after a conflict with another one, which the database has ended without a trace. */

/** Serialization failed (40001), two transactions waited for each other (40P01), or one without a lock has added the same unique row (23505). */
const triedAgain: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);
const triesMax = 5;

/** Whether the database has ended a transaction for another one, and without a trace. */
export function isConflict(thrown: unknown): boolean {
	return triedAgain.has(codeOf(thrown));
}

export async function tryAgain<Result>(run: () => Promise<Result>): Promise<Result> {
	for (let tries = 1; ; tries++) {
		try {
			return await run();
		} catch (thrown) {
			if (tries === triesMax || !isConflict(thrown)) throw thrown;
		}
	}
}

/** The SQLSTATE of an error, or of its cause: the cause of a converted error is that of the database. */
export function codeOf(thrown: unknown): string {
	const { code, cause } = (thrown ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
	return cause === undefined || cause === null ? String(code) : codeOf(cause);
}

/** Whether the connection was lost or could not be made, so that nothing else can be done on it. */
export function isLost(thrown: unknown): boolean {
	return /^(08...|57P..|25P03)$|^CONNECT|^E[A-Z]+$/.test(codeOf(thrown));
}
