/** `/mcp`: the tools, resources and prompts of the Model Context Protocol, over its Streamable HTTP transport. */

import { limits } from "../../../core/model/limits.ts";
import type { ApiKey } from "../../../core/ports/account-store.ts";
import { keyOf } from "../../auth/request-guard.ts";
import { createWireApi } from "../../client/wire-api.ts";
import { readBytes } from "../../wire/requests/read-body.ts";
import type { Access } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

/** A tool makes requests of its own, and each of them is held to the key's role, grants and rate. */
const connects = { auth: "key", scope: "any", idempotent: "by-key", secret: "none", rate: "none", takesTokens: true } as const satisfies Access;

/** The space that a connection works in, as the peer's clients name it. */
const spaceHeader = "x-sm-project";
/** No request goes there: the app answers what a tool asks by itself. */
const here = "http://localhost";

/** @param handle the app's own, which the requests of tools go through */
export function mcpRoutes(handle: (request: Request, caller: ApiKey) => Promise<Response>): readonly Operation[] {
	return [
		operation(
			"POST /mcp",
			{
				access: connects,
				summary: "Speak the Model Context Protocol",
				description: "JSON-RPC messages of an MCP client, without a session. `x-sm-project` names the container that the tools use.",
				tags: ["MCP"],
				operationId: "answerMcp",
				responses: { 200: null, 202: null },
				errors: ["INPUT_INVALID", "BODY_TOO_LARGE"],
			},
			async ({ request, caller }) => {
				const body = await readBytes(request, limits.requestBodyBytesMax);
				// Read late: a server that nobody asks this way does without it.
				const { answerMcp } = await import("../../mcp/answer-mcp.ts");
				const api = createWireApi({ send: (asked) => handle(asked, caller), address: here, key: keyOf(request.headers) ?? "", source: "mcp" });
				return answerMcp(request, body, { api, space: request.headers.get(spaceHeader) });
			},
		),
	];
}
