/** `POST /v4/conversations`: each conversation is one document, to which messages are added. */

import type { Service } from "../../../core/service.ts";
import { originOf, withDefaultContainer } from "../../wire/requests/fields.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { conversationBody, parseConversation } from "../../wire/v4/conversation-request.ts";
import { writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");

export function conversationRoutes(service: Service): readonly Operation[] {
	return [
		operation(
			"POST /v4/conversations",
			{
				access: writeAccess,
				summary: "Add to a conversation",
				description: "Send the whole history or only the new messages: no message is stored twice.",
				operationId: "addConversation",
				body: conversationBody,
				example: { conversationId: "chat-1", messages: [{ role: "user", content: "I moved to Lisbon last week." }], containerTag: "user_123" },
				responses: { 200: "ConversationReceipt" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "CUSTOM_ID_AMBIGUOUS", "QUOTA_DOCUMENTS", "QUOTA_BYTES"],
			},
			async ({ request, caller }) => {
				const conversation = parseConversation(withDefaultContainer(await readJson(request), caller));
				const metadata = { ...originOf(request.headers), ...conversation.metadata };
				const { id, status } = await service.converse(caller, { ...conversation, metadata });
				return { id, conversationId: conversation.id, status };
			},
		),
	];
}
