/** A provider on this machine that speaks OpenAI's chat protocol as its users see it: whole answers, streams, errors, and connections that break. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface AskedChat {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** The body as it came. */
	readonly text: string;
	readonly messages: readonly { readonly role: string; readonly content: unknown }[];
	/** The texts of its system messages. */
	readonly system: string;
}

/** Answers one request. */
export type ChatBehaviour = (response: ServerResponse, asked: AskedChat) => void | Promise<void>;

export interface ChatProvider {
	readonly baseUrl: string;
	readonly asked: readonly AskedChat[];
	readonly last: () => AskedChat;
	/** From now on. */
	readonly behave: (behaviour: ChatBehaviour) => void;
	readonly stop: () => Promise<void>;
}

export async function startChatProvider(behaviour: ChatBehaviour = saying("Good to know.")): Promise<ChatProvider> {
	let current = behaviour;
	const asked: AskedChat[] = [];
	const server = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const one = askedWith(request.method ?? "", request.url ?? "", request.headers, Buffer.concat(pieces).toString());
		asked.push(one);
		if (request.method === "GET" && one.path.startsWith("/v1/models")) return json(response, 200, models);
		await current(response, one);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		asked,
		last: () => asked.at(-1) as AskedChat,
		behave: (next) => {
			current = next;
		},
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const models = { object: "list", data: [{ id: "stub-1", object: "model", created: 1_760_000_000, owned_by: "stub" }] };

function askedWith(method: string, path: string, headers: IncomingHttpHeaders, text: string): AskedChat {
	const messages = text === "" ? [] : ((JSON.parse(text) as Partial<AskedChat>).messages ?? []);
	const system = messages.flatMap(({ role, content }) =>
		role === "system" || role === "developer" ? [typeof content === "string" ? content : JSON.stringify(content)] : [],
	);
	return { method, path, headers, text, messages, system: system.join("\n") };
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
	response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const shared = { id: "chatcmpl-1", created: 1_760_000_000, model: "stub-1", system_fingerprint: "fp_1" };

/** Whole, or as a stream of words where the request asks for one. */
export function saying(text: string): ChatBehaviour {
	return (response, { text: asked }) => {
		const isStream = (JSON.parse(asked) as { readonly stream?: boolean }).stream === true;
		if (!isStream) return json(response, 200, completion({ role: "assistant", content: text, refusal: null }));
		response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "openai-processing-ms": "7" });
		for (const event of events(text)) response.write(event);
		response.end();
	};
}

export function completion(message: object, finish = "stop"): object {
	return {
		...shared,
		object: "chat.completion",
		choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
		usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
	};
}

/** The events of a stream, the last one with `[DONE]`. */
export function events(text: string): readonly string[] {
	const chunk = (delta: object, finish: string | null = null) =>
		`data: ${JSON.stringify({ ...shared, object: "chat.completion.chunk", choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })}\n\n`;
	const words = text.split(/(?<= )/).map((content) => chunk({ content }));
	return [chunk({ role: "assistant", content: "", refusal: null }), ...words, chunk({}, "stop"), "data: [DONE]\n\n"];
}
