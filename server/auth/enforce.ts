/** Enforces what a route declares, for every request: who may call it, rate limits, idempotency, and what is kept out of the log. */

import { demandRole } from "../../core/access/authorize.ts";
import { asServiceError, fail } from "../../core/errors/fail.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { AnswerOnce } from "../idempotency/answer-once.ts";
import type { Access } from "../routes/access.ts";
import type { Call, Operation, RouteResult } from "../routes/operation.ts";
import { requestIdHeader } from "../wire/answers/headers.ts";
import { rateHeaders } from "../wire/answers/rate-headers.ts";
import type { RequestGuard } from "./request-guard.ts";
import type { SignedLinks } from "./signed-links.ts";

export interface EnforcementParts {
	readonly guard: Pick<RequestGuard, "admit" | "stillHolds">;
	readonly once: AnswerOnce;
	readonly links: SignedLinks;
	readonly world: Pick<World, "now">;
	/** The response to a failed request. */
	readonly answerError: (thrown: unknown, request: Request, requestId: string) => Response;
}

/** The request as the router passes it. */
interface Routed {
	readonly request: Request;
	readonly params: Readonly<Record<string, string>>;
	readonly set: { status?: number | string; readonly headers: Record<string, string | number> };
}

export function createEnforcement({ guard, once, links, world, answerError }: EnforcementParts) {
	/** @returns null where the route needs no key */
	async function letIn({ request, params, set }: Routed, access: Access): Promise<ApiKey | null> {
		if (access.auth === "none") return null;
		if (access.auth === "link") {
			if (!links.holds(params["key"] ?? "", new URL(request.url).searchParams, world.now())) throw fail("LINK_INVALID");
			return null;
		}
		const key = await guard.admit(request, access, (allowance) => Object.assign(set.headers, rateHeaders(allowance)));
		if (access.scope !== "any") demandRole(key, access.scope);
		return key;
	}

	return ({ access, status, handle }: Operation) => {
		const act = access.secret === "none" ? handle : discreetly(handle);
		return async (routed: Routed): Promise<RouteResult> => {
			const { request, params, set } = routed;
			const caller = await letIn(routed, access);
			// Who may only read has no effect, and leaves nothing behind.
			const isRemembered = access.idempotent === "by-key" && caller !== null && caller.role !== "read";
			const name = isRemembered ? once.named(request) : null;
			if (name === null || caller === null) {
				const answered = await act({ request, params, caller });
				set.status = status;
				return answered ?? new Response(null, { status });
			}
			const requestId = String(set.headers[requestIdHeader]);
			return once.answer({ request, key: caller, name, keepsAnswer: access.secret !== "answer", requestId }, async (watched) => {
				try {
					return asResponse(await act({ request: watched, params, caller }), status);
				} catch (thrown) {
					return answerError(thrown, request, requestId);
				}
			});
		};
	};
}

function asResponse(answer: RouteResult, status: number): Response {
	if (answer instanceof Response) return answer;
	return answer === undefined ? new Response(null, { status }) : Response.json(answer, { status });
}

/** A route with secrets: its response is not cached, and its errors lose all text that may contain one. */
function discreetly(answer: Operation["handle"]): Operation["handle"] {
	return async (call: Call) => {
		try {
			const answered = await answer(call);
			if (answered instanceof Response) answered.headers.set("cache-control", "no-store");
			return answered;
		} catch (thrown) {
			const error = asServiceError(thrown);
			throw error.cause === undefined ? error : error.because(withoutWords(error.cause));
		}
	};
}

/** Keeps the stack and drops the message. */
function withoutWords(thrown: unknown): Error {
	const bare = new Error("its words are left out, as this route handles secrets");
	const lines = (thrown instanceof Error ? (thrown.stack ?? "") : "").split("\n").filter((line) => /^\s+at /.test(line));
	bare.stack = [bare.message, ...lines].join("\n");
	return bare;
}
