/** What an extractor needs to be tried out: a host with a sandbox in process, a source made of bytes, a step that remembers. */

import type { Extractor, Host, MediaType, Member, Plugin, Progress, Remark, Sandbox, Source, Step } from "cairn-memory";
import { createInProcessSandbox } from "./in-process-sandbox.ts";

export function createHost(sandbox: Sandbox = createInProcessSandbox()): Host {
	const silent = () => {};
	return {
		log: silent,
		world: {
			now: () => new Date(0),
			elapsedMs: () => performance.now(),
			sleep: async () => {},
			randomBytes: (length) => new Uint8Array(length),
			random: () => 0,
			log: silent,
		},
		folder: "",
		fetch: () => Promise.reject(new Error("no network in this test")),
		sandbox,
		ownProcess: () => ({ ...sandbox, close: async () => {} }),
		inherited: null,
	};
}

/** The extractors of a plugin, started with its default options. */
export async function startExtractors(plugin: Plugin, host: Host = createHost()): Promise<readonly Extractor[]> {
	const checked = await plugin.options["~standard"].validate(plugin.given);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	return (await plugin.start(checked.value, host)).extractor ?? [];
}

export function sourceOf(content: Uint8Array | string, mediaType: MediaType, more: Partial<Source> = {}): Source {
	const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
	return { mediaType, charset: null, fileName: null, address: null, byteLength: bytes.byteLength, bytes: async () => bytes, text: null, ...more };
}

export interface RecordedStep extends Step {
	readonly remarks: readonly Remark[];
	readonly reports: readonly Progress[];
	/** What was handed over. */
	readonly members: readonly Member[];
}

export function createStep(signal: AbortSignal = new AbortController().signal): RecordedStep {
	const remarks: Remark[] = [];
	const reports: Progress[] = [];
	const members: Member[] = [];
	return {
		signal,
		log: () => {},
		remark: (code, message, place) => remarks.push({ code, message, ...(place === undefined ? {} : { place }) }),
		progress: (progress) => reports.push(progress),
		member: async (member) => members.push(member) > 0,
		remarks,
		reports,
		members,
	};
}
