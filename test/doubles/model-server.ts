/** A server on this machine that speaks OpenAI's protocol, keeps what it is asked, and behaves as it is told: well or badly. */

export interface Asked {
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: {
		readonly model: string;
		readonly messages: readonly { readonly role: string; readonly content: string }[];
		readonly response_format?: { readonly type: string };
		readonly max_tokens?: number;
	};
	/** What it is to do. */
	readonly system: string;
	/** What it is to do it with. */
	readonly prompt: string;
	readonly at: number;
}

/** Answers one question; `before` says how many came earlier. */
export type Behaviour = (asked: Asked, before: number) => Response | Promise<Response>;

export interface ModelServer {
	readonly baseUrl: string;
	/** Host and port. */
	readonly host: string;
	readonly asked: readonly Asked[];
	/** From now on. */
	readonly behave: (behaviour: Behaviour) => void;
	readonly forget: () => void;
	readonly stop: () => Promise<void>;
}

export function startModelServer(behaviour: Behaviour = () => remembering([]), port = 0): ModelServer {
	let current = behaviour;
	const asked: Asked[] = [];
	const server = Bun.serve({
		port,
		hostname: "127.0.0.1",
		idleTimeout: 60,
		fetch: async (request) => {
			const body = (await request.json()) as Asked["body"];
			const content = (role: string) => body.messages?.find((message) => message.role === role)?.content ?? "";
			const question = { path: new URL(request.url).pathname, headers: Object.fromEntries(request.headers), body, at: performance.now() };
			asked.push({ ...question, system: content("system"), prompt: content("user") });
			return current(asked.at(-1) as Asked, asked.length - 1);
		},
	});
	return {
		baseUrl: `http://127.0.0.1:${server.port}/v1`,
		host: `127.0.0.1:${server.port}`,
		asked,
		behave: (next) => {
			current = next;
		},
		forget: () => void asked.splice(0),
		stop: () => server.stop(true),
	};
}

export interface Told {
	readonly text: string;
	readonly quote: string;
	readonly kind?: string;
	readonly isStatic?: boolean;
	readonly subject?: string | null;
	readonly eventTime?: string | null;
	readonly forgetAfter?: string | null;
	readonly confidence?: number;
	readonly replaces?: readonly string[];
}

/** What a well-behaved model answers. */
export function remembering(memories: readonly Told[]): Response {
	const whole = memories.map((memory) => ({ kind: "fact", isStatic: false, subject: null, eventTime: null, forgetAfter: null, confidence: 0.9, ...memory }));
	return saying(JSON.stringify({ memories: whole }));
}

/** Any text as the model's own. */
export function saying(content: string, usage: object | undefined = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }): Response {
	return Response.json({
		id: "chatcmpl-1",
		object: "chat.completion",
		created: 1_760_000_000,
		model: "stub",
		choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
		...(usage !== undefined && { usage }),
	});
}

/** As OpenAI's protocol says no. */
export function refusing(status: number, message = "no", headers: Readonly<Record<string, string>> = {}): Response {
	return Response.json({ error: { message, type: "stub", code: null } }, { status, headers });
}

/** Never answers. */
export function hanging(): Promise<Response> {
	return new Promise(() => undefined);
}
