/** `/mcp`: the tools, resources and prompts of the Model Context Protocol, over its Streamable HTTP transport. */

import { limits } from "../../../core/model/limits.ts";
import type { ApiKey } from "../../../core/ports/account-store.ts";
import { keyOf } from "../../auth/request-guard.ts";
import { createWireApi } from "../../client/wire-api.ts";
import { readBytes } from "../../wire/requests/read-body.ts";
import type { Access } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("MCP");

/** The tools make API requests, and the key's role, grants and rate limit are checked for each of them. */
const mcpAccess = { auth: "key", scope: "any", idempotent: "by-key", secret: "none", rate: "none", takesTokens: true } as const satisfies Access;

/** The header with the space of a connection, as Supermemory's clients send it. */
const spaceHeader = "x-sm-project";
/** A placeholder host: the app handles the requests of tools in this process. */
const placeholderUrl = "http://localhost";

/** @param handle the app's request handler, which handles the requests of tools in the same process */
export function mcpRoutes(handle: (request: Request, caller: ApiKey) => Promise<Response>): readonly Operation[] {
	return [
		operation(
			"POST /mcp",
			{
				access: mcpAccess,
				summary: "Speak the Model Context Protocol",
				description: "JSON-RPC messages of an MCP client, without a session. `x-sm-project` names the container that the tools use.",
				operationId: "answerMcp",
				responses: { 200: null, 202: null },
				errors: ["INPUT_INVALID", "BODY_TOO_LARGE"],
			},
			async ({ request, caller }) => {
				const body = await readBytes(request, limits.requestBodyBytesMax);
				// Imported on first use, so that servers without MCP clients do not load it.
				const { handleMcpRequest } = await import("../../mcp/handle-request.ts");
				const api = createWireApi({
					send: (toolRequest) => handle(toolRequest, caller),
					baseUrl: placeholderUrl,
					key: keyOf(request.headers) ?? "",
					source: "mcp",
				});
				return handleMcpRequest(request, body, { api, space: request.headers.get(spaceHeader) });
			},
		),
	];
}
