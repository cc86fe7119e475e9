/**
 * The part common to all protocols of remote embedding services. Texts are sent in batches of limited size; when the service asks
 * for a pause, no request is made until it is over; a refused text does not affect the others.
 */

import { askedPauseMs, type EmbeddingSpent, fail, type Host, refusalWords, ServiceError, type Step, type Vector, withoutSecrets } from "cairn-memory";

export interface RemoteCall {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

export interface RemoteAnswer {
	readonly vectors: readonly Vector[];
	/** Null where the service does not report it. */
	readonly tokens: number | null;
}

export interface RemoteService {
	/** The embedder's name, for the ledger. */
	readonly embedder: string;
	/** Its host, for errors. */
	readonly name: string;
	readonly textsMax: number;
	/** Of all texts in a request. */
	readonly charactersMax: number;
	readonly timeoutMs: number;
	/** For a million tokens. */
	readonly price: number;
	readonly call: (texts: readonly string[]) => RemoteCall;
	/** The answer, or what is wrong with it. */
	readonly read: (value: unknown, count: number) => RemoteAnswer | { readonly complaint: string };
}

/** A vector of 4,096 numbers is 80 kB as text. */
const answerBytesMax = 64 * 1024 * 1024;
const answers = Array.from({ length: 300 }, (_, i) => 300 + i);
/** The pause where the service names none: after a transient failure, and after a wrong key, which an operator has to correct. */
const pauseMs = { passing: 5_000, refused: 60_000 } as const;
/** The longest pause. */
const pauseMsMax = 3_600_000;
const charactersPerToken = 4;

export function createRemoteEmbed(service: RemoteService, host: Host): (texts: readonly string[], step: Step) => Promise<readonly Vector[]> {
	const { world } = host;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let why = "";

	/** Begins a pause without requests, so that an outage is noticed once and not by every document. */
	function pause(ms: number, reason: string): ServiceError {
		const bounded = Math.min(Math.max(ms, 0), pauseMsMax);
		pausedUntil = world.elapsedMs() + bounded;
		why = reason;
		host.log("warn", "the embedding service does not answer", { service: service.name, reason, pauseMs: bounded });
		return fail("EMBEDDER_UNAVAILABLE", service.name, reason).after(bounded);
	}

	async function ask(texts: readonly string[], step: Step): Promise<readonly Vector[]> {
		const leftMs = pausedUntil - world.elapsedMs();
		if (leftMs > 0) throw fail("EMBEDDER_UNAVAILABLE", service.name, why).after(leftMs);
		const { url, headers, body } = service.call(texts);
		const fetched = await host
			.fetch(url, {
				signal: step.signal,
				timeoutMs: service.timeoutMs,
				bytesMax: answerBytesMax,
				accept: "application/json",
				headers: { "content-type": "application/json", ...headers },
				answers,
				body: new TextEncoder().encode(JSON.stringify(body)),
			})
			.catch((thrown: unknown) => {
				if (step.signal.aborted || !(thrown instanceof ServiceError)) throw thrown;
				throw pause(thrown.mayPass ? pauseMs.passing : pauseMs.refused, String(thrown.words[1] ?? thrown.message)).because(thrown);
			});
		const said = new TextDecoder().decode(fetched.bytes);
		if (fetched.status >= 300) throw refusal(fetched.status, withoutSecrets(said, headers), fetched.headers.get("retry-after") ?? null);
		const answer = service.read(parsed(said), texts.length);
		if ("complaint" in answer) throw pause(pauseMs.passing, answer.complaint);
		step.spent?.(spentOf(answer.tokens, texts));
		return answer.vectors;
	}

	function refusal(status: number, said: string, retryAfter: string | null): ServiceError {
		const reason = `it answered with status ${status}`;
		if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
			return pause(askedPauseMs(retryAfter, world.now()) ?? pauseMs.passing, reason);
		const aboutText = status === 413 || status === 422 || (status === 400 && !/\bmodel\b[^.]*\b(not|unknown|exist|found)/i.test(said));
		return aboutText ? fail("EMBEDDER_DECLINED", service.name, reason) : pause(pauseMs.refused, `${reason}: ${refusalWords(said)}`);
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

/** As many texts as fit, in their order; one that is too large by itself goes alone. */
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

/** Normalises a vector. NaN is kept, since core reports it. */
export function unitVector(numbers: readonly number[]): Vector {
	const vector = Float32Array.from(numbers);
	const norm = Math.hypot(...vector);
	return norm > 0 && Number.isFinite(norm) ? vector.map((value) => value / norm) : vector;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
