/**
 * The memory router: a chat request gets what is known of its user, goes on to the provider, and the turn is remembered when its
 * answer is complete. A fault of the memory never keeps an answer away; it stands in a header and in the log.
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
import { passOn, type Watcher } from "./pass-on.ts";
import { readUserContext, type UserContextParts } from "./read-user-context.ts";
import type { Turns } from "./remember-turns.ts";
import { turnOf } from "./turn.ts";

export interface RouterParts extends UserContextParts {
	readonly service: Service;
	readonly turns: Turns;
	readonly relay: GuardedRelay;
	/** The provider's key for requests that bring none; null for none. */
	readonly providerKey: string | null;
	readonly world: Pick<World, "log">;
}

export interface Router {
	readonly chat: (caller: Caller, chat: ChatRequest, request: Request) => Promise<Response>;
	readonly models: (request: Request) => Promise<Response>;
}

export function createRouter(parts: RouterParts): Router {
	const { turns, relay, providerKey, world } = parts;

	/** Null when the client has left meanwhile. */
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

	/** What is known, or the error that is in the log. */
	async function known(caller: Caller, chat: ChatRequest, signal: AbortSignal): Promise<string | null | ServiceError> {
		try {
			return await readUserContext(caller, chat, signal, parts);
		} catch (thrown) {
			if (signal.aborted) return null;
			const error = asServiceError(thrown);
			world.log("error", "a chat was routed without memories", { code: error.code, cause: String(error.cause ?? error) });
			return error;
		}
	}

	function remember(caller: Caller, { chat, containerTags }: Placed, reader: ResponseReader, { signal }: Request): void {
		const answer = reader.response();
		const why = signal.aborted ? "the client left before the answer was complete" : "the answer was cut off, or cannot be read";
		const turn = answer === null ? null : turnOf(chat, answer, containerTags);
		if (answer === null) turns.lose({ ...chat, containerTags }, why);
		else if (turn !== null) turns.remember(caller, turn);
	}

	return {
		chat: async (caller, chat, request) => {
			const containerTags = await placeOf(caller, chat, parts.service);
			const text = await known(caller, chat, request.signal);
			const isFault = text instanceof ServiceError;
			const answer = await send("/chat/completions", request, withMemoryText(chat.body, isFault ? null : text));
			if (answer === null) {
				turns.lose({ ...chat, containerTags }, "the client left before the answer began");
				return clientLeftResponse();
			}
			const reader = createResponseReader(answer.headers["content-type"] ?? "");
			const isGood = (answer.statusCode ?? 0) < 300;
			const watcher = { take: reader.push, end: () => (isGood ? remember(caller, { chat, containerTags }, reader, request) : undefined) };
			return toResponse(answer, watcher, {
				"x-supermemory-context-modified": String(text !== null && !isFault),
				...(chat.conversationId !== null && { "x-supermemory-conversation-id": chat.conversationId }),
				...(isFault && { "x-supermemory-error": text.code }),
			});
		},
		models: async (request) => {
			const answer = await send("/models", request, null);
			if (answer === null) return clientLeftResponse();
			// Nobody would read the body of an answer to a `HEAD`.
			if (request.method === "HEAD") answer.destroy();
			return toResponse(answer, { take: () => undefined, end: () => undefined }, {});
		},
	};
}

/** The client has left, so nothing went wrong. The number is the one that proxies write into their logs. */
function clientLeftResponse(): Response {
	return new Response(null, { status: 499 });
}

interface Placed {
	readonly chat: ChatRequest;
	/** Of the conversation that the turn is added to. */
	readonly containerTags: readonly string[];
}

/**
 * Where the turn is to be stored: where its conversation lies, or in the user's container. Asked before the provider is, since
 * nobody could be told afterwards that there is no place for it.
 *
 * @throws ServiceError `CONTAINER_FORBIDDEN`, `CUSTOM_ID_TAKEN`
 */
async function placeOf(caller: Caller, { user, conversationId }: ChatRequest, { named }: Pick<Service, "named">): Promise<readonly string[]> {
	if (caller.grants !== null) boundsOf(caller.grants).demandWritable([user]);
	// What cannot be read now is met again when the turn is stored.
	const stored = conversationId === null ? null : await named(caller, conversationId, user).catch(() => null);
	if (stored === null) return [user];
	if (isConversation(stored)) return stored.containerTags;
	throw fail("CUSTOM_ID_TAKEN", conversationId ?? "");
}

function toResponse(answer: IncomingMessage, watcher: Watcher, added: Readonly<Record<string, string>>): Response {
	const headers = returnedHeaders(answer.headers);
	for (const [name, value] of Object.entries(added)) headers.set(name, value);
	return new Response(passOn(answer, watcher), { status: answer.statusCode ?? 502, headers });
}

/** Without the parameter that is ours. */
function queryOf(url: string): string {
	const { searchParams } = new URL(url);
	searchParams.delete(userParameter);
	return searchParams.size === 0 ? "" : `?${searchParams}`;
}
