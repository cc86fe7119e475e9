/** Runs an engine on a source's content under limits and hands its warnings to the step. */

import {
	type Attachment,
	type Extraction,
	type ExtractorSource,
	fail,
	type Host,
	limits,
	type PackedExtraction,
	type Step,
	unpackExtraction,
	type Warning,
} from "cairn-memory";

/** What every engine of this folder answers. */
export interface SandboxResult extends Beside {
	readonly extraction: Extraction;
}

/** What an engine answers that writes its extraction down as it reads, see `createExtractionWriter`. */
export interface PackedSandboxResult extends Beside {
	readonly extraction: PackedExtraction;
}

interface Beside {
	readonly warnings: readonly Warning[];
	/** What is inside of it and is to become documents of their own. */
	readonly attachments?: readonly Attachment[];
}

/** The content as an engine takes it: text when it came as text, else bytes with the charset that came with them. */
export type Content =
	| { readonly text: string; readonly bytes: null; readonly charset: null }
	| { readonly text: null; readonly bytes: Uint8Array; readonly charset: string | null };

export interface EngineCall<Input> {
	readonly engine: URL;
	readonly input: Input;
	readonly timeoutMs: number;
	readonly memoryMb: number;
}

/** Blocks and readable text both hold every character, as two bytes each where they are not Latin. */
const outputBytesMax = limits.extractedCharactersMax * 4;

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
