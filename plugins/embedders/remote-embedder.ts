/** Makes an embedder of a remote service. Its dimensions and calibration are measured once and stored. */

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
	/** If absent, it is measured and stored. */
	dimensions: z.number().int().min(1).max(16_384).optional(),
	timeoutMs: z.number().int().min(100).default(60_000),
	/** Price per million tokens, for the ledger. */
	price: z.number().min(0).default(0),
	/** Limits of one request. */
	textsMax: z.number().int().min(1).max(2_048).default(64),
	charactersMax: z.number().int().min(1_000).default(200_000),
};

type RemoteOptions = z.output<z.ZodObject<typeof remoteOptions>> & { readonly baseUrl: string };

/** What differs between the protocols. */
export interface Protocol {
	/** Name of the embedder. */
	readonly name: string;
	/** @param base the base URL without a slash at its end. */
	readonly call: (base: string, model: string, texts: readonly string[]) => RemoteCall;
	readonly read: RemoteService["read"];
}

/** The embedder of a plugin for this protocol. Without a `model` in the options there is none, and nothing is sent. */
export async function offerRemote({ model, ...options }: RemoteOptions, { name, call, read }: Protocol, host: Host): Promise<Pick<Provides, "embedder">> {
	if (model === undefined) return {};
	const { dimensions, queryPrompt, documentPrompt, textsMax, charactersMax, timeoutMs, price } = options;
	const baseUrl = options.baseUrl.replace(/\/+$/, "");
	const requestLimits = { textsMax, charactersMax, timeoutMs, price };
	const service: RemoteService = { embedder: name, name: new URL(baseUrl).host, ...requestLimits, call: (texts) => call(baseUrl, model, texts), read };
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

/** Typical values of models, used until the calibration is measured. */
const defaultCalibration = { unrelated: 0.3, related: 0.7, weight: 1 };
const storedDimensions = z.object({ dimensions: z.number().int().positive() });

/** @throws ServiceError `EMBEDDER_UNAVAILABLE` if the dimensions are unknown and the service cannot be reached to measure them. */
async function startRemote(remote: Remote, service: RemoteService, host: Host): Promise<Embedder> {
	const { name, model, baseUrl, queryPrompt, documentPrompt } = remote;
	const embed = createRemoteEmbed(service, host);
	const fingerprint = createHash("sha256")
		.update(JSON.stringify([baseUrl, model, remote.dimensions, queryPrompt, documentPrompt]))
		.digest("hex")
		.slice(0, 12);
	const dimensions =
		remote.dimensions ?? (await dimensionsOf(join(host.folder, `dimensions-${fingerprint}.json`), name, (text) => embed([text], stepAtStart(host))));
	const space = `${name} ${model} ${fingerprint}`;
	const calibration = await measuredCalibration(space, defaultCalibration, host);
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
			// This comes after the first response, so that a failing service gets only one request.
			await calibration.measureOnce((texts, purpose) => ask(texts, purpose, step));
			return vectors;
		},
	};
}

/** If the dimensions are unknown and the service cannot be reached, there is no embedder. The server still starts if it uses another one. */
async function startIfKnown(start: () => Promise<Embedder>, { log }: Pick<Host, "log">): Promise<readonly Embedder[]> {
	try {
		return [await start()];
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		log("error", "an embedding service cannot be used: its dimensions are unknown, and it cannot be reached to measure them", {
			reason: thrown.message,
			hint: thrown.hint,
		});
		return [];
	}
}

async function dimensionsOf(file: string, name: string, ask: (text: string) => Promise<readonly Float32Array[]>): Promise<number> {
	const stored = storedDimensions.safeParse(parseJson(await readFile(file, "utf8").catch(() => "")));
	if (stored.success) return stored.data.dimensions;
	const [vector] = await ask("text");
	if (vector === undefined || vector.length === 0) throw fail("EMBEDDER_UNAVAILABLE", name, "it returned no vector");
	await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
	await writeFile(file, JSON.stringify({ dimensions: vector.length }));
	return vector.length;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function stepAtStart({ log }: Host): Step {
	return { signal: new AbortController().signal, log, warn: () => undefined, progress: () => undefined };
}
