/** Gives each request its id and its place in a trace, and measures it. */

import type { RandomBytes } from "../../core/model/id.ts";
import { type Context, currentContext, runInContext } from "./context.ts";
import type { ThreadObserver } from "./observer.ts";

type Respond = () => Promise<Response>;
export type ObserveRequest = (request: Request, respond: Respond) => Promise<Response>;

/** Any other method is measured as `other`, so that clients cannot create metrics with names of their own. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createObserveRequest(observer: ThreadObserver | null, randomBytes: RandomBytes): ObserveRequest {
	return async (request, respond) => {
		// The MCP endpoint calls this server's own routes. Such a call belongs to the request that is being answered.
		if (currentContext() !== null) return respond();
		const begin = performance.now();
		const context: Context = { details: { requestId: newRequestId(randomBytes) }, route: null, trace: null };
		const tracing = observer?.tracing ?? null;
		const response = await (tracing === null ? runInContext(context, respond) : tracing.requestSpan(request, context, respond));
		observer?.measure?.({
			kind: "request",
			route: context.route ?? "unmatched",
			method: methods.has(request.method) ? request.method : "other",
			status: response.status,
			seconds: (performance.now() - begin) / 1_000,
		});
		return response;
	};
}

/** The id of the current request; a new one outside of requests. */
export function requestIdOf(randomBytes: RandomBytes): string {
	return currentContext()?.details["requestId"] ?? newRequestId(randomBytes);
}

function newRequestId(randomBytes: RandomBytes): string {
	return Buffer.from(randomBytes(9)).toString("base64url");
}
