/** What an extractor needs to be tried out: a host with a sandbox in process, a source made of bytes, a step that remembers. */

import type { Attachment, Extractor, ExtractorSource, Host, MediaType, Plugin, Progress, Sandbox, Step, Warning } from "cairn-memory";
import { createInProcessSandbox } from "./in-process-sandbox.ts";

export function createHost(sandbox: Sandbox = createInProcessSandbox()): Host {
	const silent = () => {};
	return {
		log: silent,
		world: {
			now: () => new Date(0),
			steadyNow: () => new Date(0),
			elapsedMs: () => performance.now(),
			sleep: async () => {},
			randomBytes: (length) => new Uint8Array(length),
			random: () => 0,
			log: silent,
		},
		folder: "",
		fetch: () => Promise.reject(new Error("no network in this test")),
		connect: () => Promise.reject(new Error("no network in this test")),
		sandbox,
		ownProcess: () => ({ ...sandbox, close: async () => {} }),
		inherited: null,
	};
}

/** The extractors of a plugin, started with its default options. */
export async function startExtractors(plugin: Plugin, host: Host = createHost()): Promise<readonly Extractor[]> {
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	return (await plugin.start(checked.value, host)).extractor ?? [];
}

export function sourceOf(content: Uint8Array | string, mediaType: MediaType, more: Partial<ExtractorSource> = {}): ExtractorSource {
	const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
	return { mediaType, charset: null, fileName: null, address: null, byteLength: bytes.byteLength, bytes: async () => bytes, text: null, ...more };
}

export interface RecordedStep extends Step {
	readonly warnings: readonly Warning[];
	readonly reports: readonly Progress[];
	/** What was handed over. */
	readonly attachments: readonly Attachment[];
}

export function createStep(signal: AbortSignal = new AbortController().signal): RecordedStep {
	const warnings: Warning[] = [];
	const reports: Progress[] = [];
	const attachments: Attachment[] = [];
	return {
		signal,
		log: () => {},
		warn: (code, message, place) => warnings.push({ code, message, ...(place === undefined ? {} : { place }) }),
		progress: (progress) => reports.push(progress),
		attachment: async (attachment) => attachments.push(attachment) > 0,
		warnings,
		reports,
		attachments,
	};
}
