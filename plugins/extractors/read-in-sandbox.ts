/** Runs an engine on a source's content under limits and hands its warnings to the step. */

import {
	type Attachment,
	definePlugin,
	type Extraction,
	type Extractor,
	type ExtractorSource,
	type FileSignature,
	fail,
	type Host,
	limits,
	type PluginFactory,
	type Step,
	unpackExtraction,
} from "cairn-memory";
import { z } from "zod";
import type { BytesInput, Content, PackedSandboxResult, SandboxResult } from "../formats/blocks/content.ts";

export interface EngineCall<Input> {
	readonly engine: URL;
	readonly input: Input;
	readonly timeoutMs: number;
	readonly memoryMb: number;
}

/** Blocks and readable text both hold every character, as two bytes each where they are not Latin. */
const outputBytesMax = limits.extractedCharactersMax * 4;

/** An extractor that runs one engine on the whole of a source. */
export interface OneEngine<Input> {
	readonly name: string;
	/** Of all media types that it reads. */
	readonly signatures: readonly FileSignature[];
	readonly engine: URL;
	readonly input: (source: ExtractorSource) => Promise<Input>;
	readonly bounds?: Pick<EngineCall<Input>, "timeoutMs" | "memoryMb">;
}

/** For the files of a format that needs nothing but its bytes. */
export async function bytesInput(source: ExtractorSource): Promise<BytesInput> {
	return { bytes: await bytesOf(source) };
}

/** A plugin whose extractors need nothing but the sandbox, and no options. */
export function sandboxedExtractors(name: string, ...engines: readonly OneEngine<unknown>[]): PluginFactory<Record<string, never>> {
	const start = (_options: unknown, host: Host) => ({ extractor: engines.map((engine) => extractorOf(host, engine)) });
	return definePlugin({ name, contract: 1, options: z.strictObject({}), start });
}

export function extractorOf<Input>(host: Host, { name, signatures, engine, input, bounds = textBounds }: OneEngine<Input>): Extractor {
	return {
		name,
		...typesAndSignatures(signatures),
		extract: async (source, step) => await readInSandbox({ engine, input: await input(source), ...bounds }, host, step),
	};
}

/** What an extractor declares. An entry with nothing but a media type is no signature. */
export function typesAndSignatures(signatures: readonly FileSignature[]): Pick<Extractor, "accepts" | "signatures"> {
	return {
		accepts: [...new Set(signatures.map(({ mediaType }) => mediaType))],
		signatures: signatures.filter((signature) => Object.keys(signature).length > 1),
	};
}

export async function readInSandbox<Input>(call: EngineCall<Input>, host: Host, step: Step): Promise<Extraction> {
	const {
		extraction,
		warnings,
		attachments = [],
	} = await host.sandbox.run<Input, SandboxResult | PackedSandboxResult>({ ...call, signal: step.signal, outputBytesMax, progress: step.progress });
	for (const { code, message, place } of warnings) step.warn(code, message, place);
	await handOver(attachments, step);
	return "parts" in extraction ? unpackExtraction(extraction) : extraction;
}

export async function handOver(attachments: readonly Attachment[], step: Step): Promise<void> {
	const { attachment: take } = step;
	if (take !== undefined) await Promise.all(attachments.map(take));
	else if (attachments.length > 0)
		step.warn("MEMBERS_UNREAD", `files inside were not taken out: ${attachments.map(({ path }) => path).join(", ")}`.slice(0, 1_000));
}

/** Half a megabyte of nothing but Markdown's marks takes three seconds of a core, and twenty times that where many want it. */
export const textBounds = { timeoutMs: 180_000, memoryMb: 1_024 } as const;

/** @throws CONTENT_EMPTY when there is nothing to read at all. */
export async function contentOf(source: ExtractorSource): Promise<Content> {
	if (source.text !== null) {
		if (source.text.trim() === "") throw fail("CONTENT_EMPTY");
		return { text: source.text, bytes: null, charset: null };
	}
	return { text: null, bytes: await bytesOf(source), charset: source.charset };
}

/** @throws CONTENT_EMPTY when there are no bytes. */
export async function bytesOf(source: ExtractorSource): Promise<Uint8Array> {
	const bytes = await source.bytes();
	if (bytes.byteLength === 0) throw fail("CONTENT_EMPTY");
	return bytes;
}
