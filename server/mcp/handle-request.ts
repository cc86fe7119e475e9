/** Handles one request of the Streamable HTTP transport. There are no sessions, so any server process can handle any request. */

import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { fail } from "../../core/errors/fail.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { ToolContext } from "./tool.ts";

/** Older versions of the protocol allow several messages in one request, and each may be a search. */
const messagesMax = 20;

/** @param body the body of the request, which was read before. @throws ServiceError `INPUT_INVALID` for too many messages in one request */
export async function handleMcpRequest(request: Request, body: Uint8Array, context: ToolContext): Promise<Response> {
	const messages = parseJson(body);
	if (Array.isArray(messages) && messages.length > messagesMax) throw fail("INPUT_INVALID", `a request should contain no more than ${messagesMax} messages`);
	const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
	const server = createMcpServer(context);
	await server.connect(transport);
	try {
		// If the JSON is invalid, the transport gets the body and responds with an error.
		if (messages !== undefined) return await transport.handleRequest(request, { parsedBody: messages });
		return await transport.handleRequest(new Request(request.url, { method: request.method, headers: request.headers, body: body.slice() }));
	} finally {
		await server.close();
	}
}

function parseJson(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch {
		return undefined;
	}
}
