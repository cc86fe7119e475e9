/**
 * The part common to all protocols of remote embedding services. Texts are sent in batches of limited size. After a failure, or when
 * the service asks for a pause, no request is sent until the pause is over. A rejected text does not affect the others.
 */

import { askedPauseMs, type EmbeddingSpent, fail, type Host, refusalWords, ServiceError, type Step, type Vector, withoutSecrets } from "cairn-memory";

export interface RemoteCall {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

export interface RemoteResponse {
	readonly vectors: readonly Vector[];
	/** Tokens that the request has cost; null if the service does not report them. */
	readonly tokens: number | null;
}

export interface RemoteService {
	/** The embedder's name, for the ledger. */
	readonly embedder: string;
	/** Host of the service, for error messages. */
	readonly name: string;
	readonly textsMax: number;
	/** Characters of all texts in a request. */
	readonly charactersMax: number;
	readonly timeoutMs: number;
	/** Price per million tokens. */
	readonly price: number;
	readonly call: (texts: readonly string[]) => RemoteCall;
	/** Reads the body of a response to `count` texts: the vectors, or what is wrong with it. */
	readonly read: (value: unknown, count: number) => RemoteResponse | { readonly error: string };
}

/** A vector of 4,096 numbers takes 80 kB in JSON. */
const responseBytesMax = 64 * 1024 * 1024;
/** All error statuses are returned instead of thrown. */
const returnedStatuses = Array.from({ length: 300 }, (_, i) => 300 + i);
/**
 * The pause if the service does not name one: after a temporary failure, and after a refusal such as a wrong key, which an operator has to
 * correct.
 */
const pauseMs = { temporary: 5_000, refused: 60_000 } as const;
/** The longest pause. */
const pauseMsMax = 3_600_000;
const charactersPerToken = 4;

export function createRemoteEmbed(service: RemoteService, host: Host): (texts: readonly string[], step: Step) => Promise<readonly Vector[]> {
	const { world } = host;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let pauseReason = "";

	/** Begins a pause without requests, so that an outage costs one failed request and not one per document. */
	function pause(ms: number, reason: string): ServiceError {
		const bounded = Math.min(Math.max(ms, 0), pauseMsMax);
		pausedUntil = world.elapsedMs() + bounded;
		pauseReason = reason;
		host.log("warn", "the embedding service failed; requests to it are paused", { service: service.name, reason, pauseMs: bounded });
		return fail("EMBEDDER_UNAVAILABLE", service.name, reason).after(bounded);
	}

	async function ask(texts: readonly string[], step: Step): Promise<readonly Vector[]> {
		const leftMs = pausedUntil - world.elapsedMs();
		if (leftMs > 0) throw fail("EMBEDDER_UNAVAILABLE", service.name, pauseReason).after(leftMs);
		const { url, headers, body } = service.call(texts);
		const fetched = await host
			.fetch(url, {
				signal: step.signal,
				timeoutMs: service.timeoutMs,
				bytesMax: responseBytesMax,
				accept: "application/json",
				headers: { "content-type": "application/json", ...headers },
				answers: returnedStatuses,
				body: new TextEncoder().encode(JSON.stringify(body)),
			})
			.catch((thrown: unknown) => {
				if (step.signal.aborted || !(thrown instanceof ServiceError)) throw thrown;
				throw pause(thrown.mayPass ? pauseMs.temporary : pauseMs.refused, String(thrown.args[1] ?? thrown.message)).because(thrown);
			});
		const text = new TextDecoder().decode(fetched.bytes);
		if (fetched.status >= 300) throw statusError(fetched.status, withoutSecrets(text, headers), fetched.headers.get("retry-after") ?? null);
		const response = service.read(parseJson(text), texts.length);
		if ("error" in response) throw pause(pauseMs.temporary, response.error);
		step.spent?.(spentOf(response.tokens, texts));
		return response.vectors;
	}

	/** The error for a status: a rejected text, a temporary failure, or a refusal of all requests. */
	function statusError(status: number, body: string, retryAfter: string | null): ServiceError {
		const reason = `it answered with status ${status}`;
		if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
			return pause(askedPauseMs(retryAfter, world.now()) ?? pauseMs.temporary, reason);
		const isAboutText = status === 413 || status === 422 || (status === 400 && !/\bmodel\b[^.]*\b(not|unknown|exist|found)/i.test(body));
		return isAboutText ? fail("EMBEDDER_DECLINED", service.name, reason) : pause(pauseMs.refused, `${reason}: ${refusalWords(body)}`);
	}

	function spentOf(tokens: number | null, texts: readonly string[]): EmbeddingSpent {
		const counted = tokens ?? Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / charactersPerToken);
		return { embedder: service.embedder, tokens: counted, cost: (counted * service.price) / 1_000_000 };
	}

	/** Splits a refused batch in halves, which finds the refused text in few requests. */
	async function askInHalves(texts: readonly string[], step: Step): Promise<readonly Vector[]> {
		try {
			return await ask(texts, step);
		} catch (thrown) {
			if (texts.length === 1 || !(thrown instanceof ServiceError) || thrown.code !== "EMBEDDER_DECLINED") throw thrown;
			const middle = texts.length >> 1;
			return [...(await askInHalves(texts.slice(0, middle), step)), ...(await askInHalves(texts.slice(middle), step))];
		}
	}

	return async (texts, step) => {
		const vectors: Vector[] = [];
		for (const batch of batchesOf(texts, service)) {
			step.signal.throwIfAborted();
			vectors.push(...(await askInHalves(batch, step)));
		}
		return vectors;
	};
}

/** Splits texts into batches within the limits, in their order. A text that exceeds the limit alone is a batch of its own. */
export function batchesOf(
	texts: readonly string[],
	{ textsMax, charactersMax }: Pick<RemoteService, "textsMax" | "charactersMax">,
): readonly (readonly string[])[] {
	const batches: string[][] = [];
	let characters = 0;
	for (const text of texts) {
		const batch = batches.at(-1);
		if (batch === undefined || batch.length >= textsMax || characters + text.length > charactersMax) {
			batches.push([text]);
			characters = text.length;
		} else {
			batch.push(text);
			characters += text.length;
		}
	}
	return batches;
}

/** Normalises a vector. NaN stays NaN, which core reports. */
export function unitVector(numbers: readonly number[]): Vector {
	const vector = Float32Array.from(numbers);
	const norm = Math.hypot(...vector);
	return norm > 0 && Number.isFinite(norm) ? vector.map((value) => value / norm) : vector;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
