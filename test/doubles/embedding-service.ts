/** An embedding service on this machine that speaks OpenAI's protocol and Ollama's, and behaves as it is told. */

export interface EmbeddingAsked {
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly model: string;
	readonly input: readonly string[];
	readonly body: Readonly<Record<string, unknown>>;
}

export type EmbeddingBehaviour = (asked: EmbeddingAsked, before: number) => Response | Promise<Response> | null;

export interface EmbeddingService {
	readonly address: string;
	readonly host: string;
	readonly asked: readonly EmbeddingAsked[];
	/** From now on; where it answers null it behaves. */
	readonly behave: (behaviour: EmbeddingBehaviour) => void;
	readonly forget: () => void;
	readonly stop: () => Promise<void>;
}

export function startEmbeddingService(dimensions = 16): EmbeddingService {
	const asked: EmbeddingAsked[] = [];
	let behaviour: EmbeddingBehaviour = () => null;
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			const body = (await request.json()) as { model: string; input: readonly string[] };
			const path = new URL(request.url).pathname;
			const question = { path, headers: Object.fromEntries(request.headers), model: body.model, input: body.input, body };
			asked.push(question);
			return (await behaviour(question, asked.length - 1)) ?? answering(question, dimensions);
		},
	});
	return {
		address: `http://127.0.0.1:${server.port}`,
		host: `127.0.0.1:${server.port}`,
		asked,
		behave: (next) => {
			behaviour = next;
		},
		forget: () => void asked.splice(0),
		stop: () => server.stop(true),
	};
}

/** What a service answers that behaves. */
export function answering({ path, input }: Pick<EmbeddingAsked, "path" | "input">, dimensions: number): Response {
	const vectors = input.map((text) => vectorOf(text, dimensions));
	const tokens = input.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
	if (path === "/api/embed") return Response.json({ model: "m", embeddings: vectors, total_duration: 1, load_duration: 1, prompt_eval_count: tokens });
	// In another order, as the protocol allows.
	const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding })).toReversed();
	return Response.json({ object: "list", data, model: "m", usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

/** Each word a direction of its own, near enough; not of unit length, as some servers answer. */
export function vectorOf(text: string, dimensions: number): readonly number[] {
	const vector = new Array<number>(dimensions).fill(0.01);
	for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []) {
		let hash = 7;
		for (const sign of word) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
		const place = (hash >>> 8) % dimensions;
		vector[place] = (vector[place] ?? 0) + 1;
	}
	return vector;
}
