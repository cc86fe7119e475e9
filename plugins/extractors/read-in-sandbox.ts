/** Runs an engine on a source's content in the sandbox, and passes its warnings and attachments on to the step. */

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
} from "cairn-memory";
import { unpackExtraction } from "cairn-memory/words";
import type { BytesInput, Content, PackedSandboxResult, SandboxResult } from "../formats/blocks/content.ts";

export interface EngineCall<Input> {
	readonly engine: URL;
	readonly input: Input;
	readonly timeoutMs: number;
	readonly memoryMb: number;
}

/** Blocks and readable text both contain every character, with two bytes for characters that are not Latin. */
const outputBytesMax = limits.extractedCharactersMax * 4;

/** The description of an extractor that runs one engine on the content of a source. */
export interface SandboxedExtractor<Input> {
	readonly name: string;
	/** The signatures of all media types that it reads. */
	readonly signatures: readonly FileSignature[];
	readonly engine: URL;
	readonly input: (source: ExtractorSource) => Promise<Input>;
	readonly bounds?: Pick<EngineCall<Input>, "timeoutMs" | "memoryMb">;
}

/** The input of engines that need only the bytes of a file. */
export async function bytesInput(source: ExtractorSource): Promise<BytesInput> {
	return { bytes: await bytesOf(source) };
}

/** A plugin without options whose extractors need only the sandbox. */
export function sandboxedExtractors(name: string, ...engines: readonly SandboxedExtractor<unknown>[]): PluginFactory<Record<string, never>> {
	const start = (_options: unknown, host: Host) => ({ extractor: engines.map((engine) => extractorOf(host, engine)) });
	return definePlugin({ name, contract: 1, start });
}

export function extractorOf<Input>(host: Host, { name, signatures, engine, input, bounds = defaultBounds }: SandboxedExtractor<Input>): Extractor {
	return {
		name,
		...typesAndSignatures(signatures),
		extract: async (source, step) => await readInSandbox({ engine, input: await input(source), ...bounds }, host, step),
	};
}

/** The media types and signatures that an extractor declares. An entry with only a media type is not a signature. */
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
	await passOnAttachments(attachments, step);
	return "parts" in extraction ? unpackExtraction(extraction) : extraction;
}

/** Passes attachments on to the step; a warning if the step does not accept any. */
export async function passOnAttachments(attachments: readonly Attachment[], step: Step): Promise<void> {
	const { attachment: collect } = step;
	if (collect !== undefined) await Promise.all(attachments.map(collect));
	else if (attachments.length > 0)
		step.warn("MEMBERS_UNREAD", `the attachments were not extracted: ${attachments.map(({ path }) => path).join(", ")}`.slice(0, 1_000));
}

/** Half a megabyte of Markdown marks takes three seconds of CPU time, and twenty times that if many processes run at the same time. */
export const defaultBounds = { timeoutMs: 180_000, memoryMb: 1_024 } as const;

/** @throws CONTENT_EMPTY if there is no text and there are no bytes. */
export async function contentOf(source: ExtractorSource): Promise<Content> {
	if (source.text !== null) {
		if (source.text.trim() === "") throw fail("CONTENT_EMPTY");
		return { text: source.text, bytes: null, charset: null };
	}
	return { text: null, bytes: await bytesOf(source), charset: source.charset };
}

/** @throws CONTENT_EMPTY if there are no bytes. */
export async function bytesOf(source: ExtractorSource): Promise<Uint8Array> {
	const bytes = await source.bytes();
	if (bytes.byteLength === 0) throw fail("CONTENT_EMPTY");
	return bytes;
}
