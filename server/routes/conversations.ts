/** `POST /v4/conversations`: one document per conversation, growing. */

import { Elysia } from "elysia";
import type { Service } from "../../core/service.ts";
import type { Authenticate } from "../app.ts";
import { originOf } from "../wire/origin.ts";
import { withOwnContainer } from "../wire/own-container.ts";
import { readJson } from "../wire/read-body.ts";
import { conversationBody, parseConversation } from "../wire/v4/conversation-request.ts";
import { operation } from "./operation.ts";

export function conversationRoutes(service: Service, authenticate: Authenticate) {
	return new Elysia().post(
		"/v4/conversations",
		async ({ request }) => {
			const caller = await authenticate(request);
			const conversation = parseConversation(withOwnContainer(await readJson(request), caller));
			const metadata = { ...originOf(request.headers), ...conversation.metadata };
			const { id, status } = await service.converse(caller, { ...conversation, metadata });
			return { id, conversationId: conversation.id, status };
		},
		{
			parse: "none",
			detail: operation({
				summary: "Add to a conversation",
				description: "Every call may carry the whole history, or only what is new: nothing is kept twice.",
				tags: ["Documents"],
				operationId: "addConversation",
				body: conversationBody,
				example: { conversationId: "chat-1", messages: [{ role: "user", content: "I moved to Lisbon last week." }], containerTag: "user_123" },
				answers: { 200: "ConversationReceipt" },
				errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN"],
			}),
		},
	);
}
