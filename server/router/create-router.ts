/**
 * The memory router: it adds what is known about the user to a chat request, forwards it to the provider, and stores the turn when the
 * response is complete. If reading memories fails, the request is forwarded without them, and the error is in a header and in the log.
 */

import type { IncomingMessage } from "node:http";
import { boundsOf } from "../../core/access/bounds.ts";
import { asServiceError, fail, ServiceError } from "../../core/errors/fail.ts";
import { isConversation } from "../../core/ingest/converse.ts";
import type { Caller } from "../../core/model/caller.ts";
import type { World } from "../../core/ports/world.ts";
import type { Service } from "../../core/service.ts";
import type { GuardedRelay } from "../boot/network/guarded-relay.ts";
import { createResponseReader, type ResponseReader } from "../wire/v1/chat-answer.ts";
import { type ChatRequest, userParameter, withMemoryText } from "../wire/v1/chat-request.ts";
import { forwardedHeaders, returnedHeaders } from "./forwarded-headers.ts";
import { readUserContext, type UserContextParts } from "./read-user-context.ts";
import type { TurnStore } from "./remember-turns.ts";
import { type BodyObserver, streamThrough } from "./stream-through.ts";
import { turnOf } from "./turn.ts";

export interface RouterParts extends UserContextParts {
	readonly service: Service;
	readonly turns: TurnStore;
	readonly relay: GuardedRelay;
	/** The provider's key for requests without one; null for none. */
	readonly providerKey: string | null;
	readonly world: Pick<World, "log">;
}

export interface Router {
	readonly chat: (caller: Caller, chat: ChatRequest, request: Request) => Promise<Response>;
	readonly models: (request: Request) => Promise<Response>;
}

export function createRouter(parts: RouterParts): Router {
	const { turns, relay, providerKey, world } = parts;

	/** Null if the client has disconnected. */
	async function send(path: string, { headers, signal, url }: Request, body: string | null): Promise<IncomingMessage | null> {
		const bytes = body === null ? null : new TextEncoder().encode(body);
		const forwarded = { ...forwardedHeaders(headers, providerKey), ...(body !== null && { "content-type": "application/json" }) };
		try {
			return await relay({ path: `${path}${queryOf(url)}`, headers: forwarded, body: bytes, signal });
		} catch (thrown) {
			if (signal.aborted) return null;
			throw thrown;
		}
	}

	/** The text about the user; null if nothing is known; or the error, which is also logged. */
	async function userContext(caller: Caller, chat: ChatRequest, signal: AbortSignal): Promise<string | null | ServiceError> {
		try {
			return await readUserContext(caller, chat, signal, parts);
		} catch (thrown) {
			if (signal.aborted) return null;
			const error = asServiceError(thrown);
			world.log("error", "a chat was routed without memories", { code: error.code, cause: String(error.cause ?? error) });
			return error;
		}
	}

	function remember(caller: Caller, { chat, containerTags }: PlacedChat, reader: ResponseReader, { signal }: Request): void {
		const providerResponse = reader.response();
		const reason = signal.aborted ? "the client disconnected before the response was complete" : "the response was cut off or could not be parsed";
		const turn = providerResponse === null ? null : turnOf(chat, providerResponse, containerTags);
		if (providerResponse === null) turns.logLost({ ...chat, containerTags }, reason);
		else if (turn !== null) turns.remember(caller, turn);
	}

	return {
		chat: async (caller, chat, request) => {
			const containerTags = await containersOfTurn(caller, chat, parts.service);
			const text = await userContext(caller, chat, request.signal);
			const hasContextFailed = text instanceof ServiceError;
			const providerResponse = await send("/chat/completions", request, withMemoryText(chat.body, hasContextFailed ? null : text));
			if (providerResponse === null) {
				turns.logLost({ ...chat, containerTags }, "the client disconnected before the response began");
				return clientLeftResponse();
			}
			const reader = createResponseReader(providerResponse.headers["content-type"] ?? "");
			const isSuccessful = (providerResponse.statusCode ?? 0) < 300;
			const observer = { onChunk: reader.push, onEnd: () => (isSuccessful ? remember(caller, { chat, containerTags }, reader, request) : undefined) };
			return toResponse(providerResponse, observer, {
				"x-supermemory-context-modified": String(text !== null && !hasContextFailed),
				...(chat.conversationId !== null && { "x-supermemory-conversation-id": chat.conversationId }),
				...(hasContextFailed && { "x-supermemory-error": text.code }),
			});
		},
		models: async (request) => {
			const providerResponse = await send("/models", request, null);
			if (providerResponse === null) return clientLeftResponse();
			// The response to a `HEAD` has no body.
			if (request.method === "HEAD") providerResponse.destroy();
			return toResponse(providerResponse, { onChunk: () => undefined, onEnd: () => undefined }, {});
		},
	};
}

/** The client has disconnected, which is no error. 499 is the status that proxies log for this. */
function clientLeftResponse(): Response {
	return new Response(null, { status: 499 });
}

interface PlacedChat {
	readonly chat: ChatRequest;
	/** The containers of the conversation that the turn is added to. */
	readonly containerTags: readonly string[];
}

/**
 * The containers that the turn will be stored in: those of its conversation, or the user's container. Checked before the request is
 * forwarded, because an error could not be reported to the client afterwards.
 *
 * @throws ServiceError `CONTAINER_FORBIDDEN`, `CUSTOM_ID_TAKEN`
 */
async function containersOfTurn(caller: Caller, { user, conversationId }: ChatRequest, { named }: Pick<Service, "named">): Promise<readonly string[]> {
	if (caller.grants !== null) boundsOf(caller.grants).demandWritable([user]);
	// An error is ignored here; if it persists, storing the turn fails too and is logged.
	const conversation = conversationId === null ? null : await named(caller, conversationId, user).catch(() => null);
	if (conversation === null) return [user];
	if (isConversation(conversation)) return conversation.containerTags;
	throw fail("CUSTOM_ID_TAKEN", conversationId ?? "");
}

function toResponse(providerResponse: IncomingMessage, observer: BodyObserver, additionalHeaders: Readonly<Record<string, string>>): Response {
	const headers = returnedHeaders(providerResponse.headers);
	for (const [name, value] of Object.entries(additionalHeaders)) headers.set(name, value);
	return new Response(streamThrough(providerResponse, observer), { status: providerResponse.statusCode ?? 502, headers });
}

/** The query string without the parameter that only Cairn uses. */
function queryOf(url: string): string {
	const { searchParams } = new URL(url);
	searchParams.delete(userParameter);
	return searchParams.size === 0 ? "" : `?${searchParams}`;
}
