/** Metrics of the whole server, for Prometheus. */

import { timingSafeEqual } from "node:crypto";
import { fail } from "../../../core/errors/fail.ts";
import { hashKey } from "../../auth/keys.ts";
import { keyOf } from "../../auth/request-guard.ts";
import type { Metrics } from "../../observation/metrics.ts";
import { operatorReadAccess, publicAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Health");

const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** @param token may read them; null if an operator's key may */
export function metricsRoutes(metrics: Metrics, token: string | null): readonly Operation[] {
	const tokenHash = token === null ? null : Buffer.from(hashKey(token));

	async function answer(): Promise<Response> {
		return new Response(await metrics.text(), { headers: { "content-type": contentType } });
	}

	return [
		operation(
			"GET /metrics",
			{
				access: token === null ? operatorReadAccess : publicAccess,
				summary: "Read the metrics of the server",
				description: "In the text format of Prometheus, for the whole server and not for one organisation. docs/operations.md lists them.",
				operationId: "metrics",
				responses: { 200: "Metrics" },
				responseType: "text/plain",
				errors: token === null ? [] : ["KEY_INVALID"],
			},
			({ request }) => {
				if (tokenHash !== null && !timingSafeEqual(Buffer.from(hashKey(keyOf(request.headers) ?? "")), tokenHash)) throw fail("KEY_INVALID");
				return answer();
			},
		),
	];
}
