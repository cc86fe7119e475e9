/** Enforces for every request what its route declares: who may call it, rate limits, idempotency, and that secrets are not logged. */

import { demandOperator, demandRole } from "../../core/access/authorize.ts";
import { asServiceError, fail } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { RespondOnce } from "../idempotency/respond-once.ts";
import type { Access } from "../routes/access.ts";
import type { Call, Operation, RouteResult } from "../routes/operation.ts";
import { requestIdHeader } from "../wire/responses/headers.ts";
import { rateHeaders } from "../wire/responses/rate-headers.ts";
import type { RequestGuard } from "./request-guard.ts";
import type { SignedLinks } from "./signed-links.ts";

export interface EnforcementParts {
	readonly accounts: Pick<AccountStore, "organisationAccounts">;
	readonly guard: Pick<RequestGuard, "admit" | "revalidate">;
	readonly once: RespondOnce;
	readonly links: SignedLinks;
	readonly world: Pick<World, "now">;
	/** The response to a failed request. */
	readonly answerError: (thrown: unknown, request: Request, requestId: string) => Response;
}

/** A request with the parameters of its route, as the router passes it. */
interface RoutedRequest {
	readonly request: Request;
	readonly params: Readonly<Record<string, string>>;
	readonly set: { status?: number | string; readonly headers: Record<string, string | number> };
}

export function createEnforcement({ accounts, guard, once, links, world, answerError }: EnforcementParts) {
	/** @returns the API key, or null if the route needs none */
	async function authorize({ request, params, set }: RoutedRequest, access: Access): Promise<ApiKey | null> {
		if (access.auth === "none") return null;
		if (access.auth === "link") {
			if (!links.isValid(params["key"] ?? "", new URL(request.url).searchParams, world.now())) throw fail("LINK_INVALID");
			return null;
		}
		const key = await guard.admit(request, access, (allowance) => Object.assign(set.headers, rateHeaders(allowance)));
		if (access.scope === "operator") await demandOperator(key, accounts);
		else if (access.scope !== "any") demandRole(key, access.scope);
		return key;
	}

	return ({ access, status, handle }: Operation) => {
		const handler = access.secret === "none" ? handle : withoutSecrets(handle);
		return async (routed: RoutedRequest): Promise<RouteResult> => {
			const { request, params, set } = routed;
			const caller = await authorize(routed, access);
			// A key that may only read changes nothing, so no record of its request is needed.
			const isIdempotent = access.idempotent === "by-key" && caller !== null && caller.role !== "read";
			const idempotencyKey = isIdempotent ? once.keyOf(request) : null;
			if (idempotencyKey === null || caller === null) {
				const response = await handler({ request, params, caller });
				set.status = status;
				return response ?? new Response(null, { status });
			}
			const requestId = String(set.headers[requestIdHeader]);
			return once.respond({ request, key: caller, idempotencyKey, storesResponse: access.secret !== "answer", requestId }, async (hashed) => {
				try {
					return asResponse(await handler({ request: hashed, params, caller }), status);
				} catch (thrown) {
					return answerError(thrown, request, requestId);
				}
			});
		};
	};
}

function asResponse(result: RouteResult, status: number): Response {
	if (result instanceof Response) return result;
	return result === undefined ? new Response(null, { status }) : Response.json(result, { status });
}

/** For a route with secrets: its response is not cached, and the messages of its errors, which may contain a secret, are removed. */
function withoutSecrets(handle: Operation["handle"]): Operation["handle"] {
	return async (call: Call) => {
		try {
			const response = await handle(call);
			if (response instanceof Response) response.headers.set("cache-control", "no-store");
			return response;
		} catch (thrown) {
			const error = asServiceError(thrown);
			throw error.cause === undefined ? error : error.because(withoutMessage(error.cause));
		}
	};
}

/** An error with the same stack but without the message. */
function withoutMessage(thrown: unknown): Error {
	const stripped = new Error("the message is left out, because this route handles secrets");
	const lines = (thrown instanceof Error ? (thrown.stack ?? "") : "").split("\n").filter((line) => /^\s+at /.test(line));
	stripped.stack = [stripped.message, ...lines].join("\n");
	return stripped;
}
