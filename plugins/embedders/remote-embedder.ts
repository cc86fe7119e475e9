/** A remote service as an embedder. Its dimensions and calibration are measured once and stored. */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Embedder, fail, type Host, type Provides, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { measuredCalibration } from "./measured-calibration.ts";
import { createRemoteEmbed, type RemoteCall, type RemoteService } from "./remote-service.ts";

export const remoteOptions = {
	model: z.string().trim().min(1).optional(),
	/** Prefixes for queries and documents, for models trained with them. */
	queryPrompt: z.string().default(""),
	documentPrompt: z.string().default(""),
	/** Measured and stored where it is not given. */
	dimensions: z.number().int().min(1).max(16_384).optional(),
	timeoutMs: z.number().int().min(100).default(60_000),
	/** For a million tokens, for the ledger. */
	price: z.number().min(0).default(0),
	/** Limits of one request. */
	textsMax: z.number().int().min(1).max(2_048).default(64),
	charactersMax: z.number().int().min(1_000).default(200_000),
};

type RemoteOptions = z.output<z.ZodObject<typeof remoteOptions>> & { readonly baseUrl: string };

/** The differences between protocols. */
export interface Protocol {
	/** Name of the embedder. */
	readonly name: string;
	/** @param base without a slash at its end. */
	readonly call: (base: string, model: string, texts: readonly string[]) => RemoteCall;
	readonly read: RemoteService["read"];
}

/** The embedder of a plugin for this protocol. Nothing is sent unless a model is named. */
export async function offerRemote({ model, ...options }: RemoteOptions, { name, call, read }: Protocol, host: Host): Promise<Pick<Provides, "embedder">> {
	if (model === undefined) return {};
	const { dimensions, queryPrompt, documentPrompt, textsMax, charactersMax, timeoutMs, price } = options;
	const baseUrl = options.baseUrl.replace(/\/+$/, "");
	const bounds = { textsMax, charactersMax, timeoutMs, price };
	const service: RemoteService = { embedder: name, name: new URL(baseUrl).host, ...bounds, call: (texts) => call(baseUrl, model, texts), read };
	return { embedder: await startIfKnown(() => startRemote({ name, model, baseUrl, dimensions, queryPrompt, documentPrompt }, service, host), host) };
}

interface Remote {
	readonly name: string;
	readonly model: string;
	readonly baseUrl: string;
	readonly dimensions: number | undefined;
	readonly queryPrompt: string;
	readonly documentPrompt: string;
}

/** Until it is measured: typical values of models. */
const presumed = { unrelated: 0.3, related: 0.7, weight: 1 };
const known = z.object({ dimensions: z.number().int().positive() });

/** @throws ServiceError `EMBEDDER_UNAVAILABLE` when its dimensions are not known and it does not tell them. */
async function startRemote(remote: Remote, service: RemoteService, host: Host): Promise<Embedder> {
	const { name, model, baseUrl, queryPrompt, documentPrompt } = remote;
	const embed = createRemoteEmbed(service, host);
	const recipe = createHash("sha256")
		.update(JSON.stringify([baseUrl, model, remote.dimensions, queryPrompt, documentPrompt]))
		.digest("hex")
		.slice(0, 12);
	const dimensions =
		remote.dimensions ?? (await dimensionsOf(join(host.folder, `dimensions-${recipe}.json`), name, (text) => embed([text], stepAtStart(host))));
	const space = `${name} ${model} ${recipe}`;
	const calibration = await measuredCalibration(space, presumed, host);
	const ask = (texts: readonly string[], purpose: "document" | "query", step: Step) =>
		embed(
			texts.map((text) => (purpose === "query" ? queryPrompt : documentPrompt) + text),
			step,
		);
	return {
		name,
		space: {
			name: space,
			dimensions,
			metric: "cosine",
			get calibration() {
				return calibration.current();
			},
		},
		batchMax: service.textsMax,
		embed: async (texts, purpose, step) => {
			if (texts.length === 0) return [];
			const vectors = await ask(texts, purpose, step);
			// After the first response, so that a failing service is asked only once.
			await calibration.settle((pairs, as) => ask(pairs, as, step));
			return vectors;
		},
	};
}

/** A service that does not answer and whose dimensions are unknown cannot be an embedder yet; the server starts all the same, if it uses another. */
async function startIfKnown(start: () => Promise<Embedder>, { log }: Pick<Host, "log">): Promise<readonly Embedder[]> {
	try {
		return [await start()];
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		log("error", "an embedding service is left out: its dimensions are not known, and it does not tell them", { reason: thrown.message, hint: thrown.hint });
		return [];
	}
}

async function dimensionsOf(file: string, name: string, ask: (text: string) => Promise<readonly Float32Array[]>): Promise<number> {
	const kept = known.safeParse(parsed(await readFile(file, "utf8").catch(() => "")));
	if (kept.success) return kept.data.dimensions;
	const [vector] = await ask("text");
	if (vector === undefined || vector.length === 0) throw fail("EMBEDDER_UNAVAILABLE", name, "it answers no vector");
	await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
	await writeFile(file, JSON.stringify({ dimensions: vector.length }));
	return vector.length;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function stepAtStart({ log }: Host): Step {
	return { signal: new AbortController().signal, log, warn: () => undefined, progress: () => undefined };
}
