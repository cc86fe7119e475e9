/** What the current request or job is, for log lines and traces. It follows every promise that the request or job starts. */

import { AsyncLocalStorage } from "node:async_hooks";

export interface Context {
	/** Details that are added to each log line: `requestId`, or `job` and `document`. */
	readonly details: Readonly<Record<string, string>>;
	/** The pattern of the route, once it is known. */
	route: string | null;
	/** The context of the tracing library; null if nothing is traced. */
	trace: unknown;
}

const storage = new AsyncLocalStorage<Context>();

export function currentContext(): Context | null {
	return storage.getStore() ?? null;
}

export function runInContext<Result>(context: Context, work: () => Result): Result {
	return storage.run(context, work);
}
