/** The extractors that ship, as the server runs them: media type by content, the engine in a child process, its end as a code. */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Extraction, type Extractor, type Host, limits, type Warning } from "cairn-memory";
import { choose } from "../../core/plugin/choose.ts";
import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { MediaTypes } from "../../core/ports/media-types.ts";
import { builtinPlugins } from "../../server/boot/builtin-plugins.ts";
import { createMediaTypes } from "../../server/boot/media-types.ts";
import { createSandbox } from "../../server/boot/sandbox/create-sandbox.ts";
import { createHost, createStep, sourceOf, startExtractors } from "../../test/doubles/extractor-host.ts";

export interface ReadFile {
	readonly mediaType: string;
	readonly extraction: Extraction | null;
	/** Null when it was read. */
	readonly error: { readonly code: string; readonly message: string } | null;
	readonly warnings: readonly Warning[];
	readonly ms: number;
}

export interface Reader extends AsyncDisposable {
	readonly read: (path: string) => Promise<ReadFile>;
	/** The most memory any child held, in megabytes, as seen a few times a second; 0 where the system does not tell. */
	readonly peakMb: () => number;
}

/** @param processes how many files are read at one time at most */
export async function createReader(processes: number): Promise<Reader> {
	const sandbox = createSandbox({ log: () => undefined, processesMax: processes });
	const host = createHost(sandbox);
	const extractors = (await Promise.all((builtinPlugins as readonly (() => Plugin)[]).map((factory) => extractorsOf(factory(), host)))).flat();
	const mediaTypes = createMediaTypes(extractors, new Set());
	let peak = 0;
	const watching = setInterval(async () => {
		for (const pid of sandbox.pids()) peak = Math.max(peak, await residentMb(pid));
	}, 100);
	return {
		read: (path) => readWith(extractors, mediaTypes, path),
		peakMb: () => peak,
		[Symbol.asyncDispose]: async () => {
			clearInterval(watching);
			await sandbox.close();
		},
	};
}

/** Only these: a storage would open files. */
async function extractorsOf(plugin: Plugin, host: Host): Promise<readonly Extractor[]> {
	return plugin.name.startsWith("extractor-") ? await startExtractors(plugin, host) : [];
}

async function readWith(extractors: readonly Extractor[], mediaTypes: MediaTypes, path: string): Promise<ReadFile> {
	const bytes = new Uint8Array(await readFile(path));
	const fileName = basename(path);
	const mediaType = await mediaTypes.ofBytes(bytes, fileName, null);
	const source = sourceOf(bytes, mediaType, { fileName });
	const step = createStep(AbortSignal.timeout(limits.extractTimeoutMs * 2));
	const began = performance.now();
	const end = (extraction: Extraction | null, error: ReadFile["error"]): ReadFile => {
		return { mediaType, extraction, error, warnings: step.warnings, ms: performance.now() - began };
	};
	try {
		const extractor = choose(extractors, mediaType, source);
		if (extractor === null) return end(null, { code: "EXTRACTOR_MISSING", message: `nothing reads ${mediaType}` });
		return end(await extractor.extract(source, step), null);
	} catch (thrown) {
		const error = thrown as Error & { readonly code?: string };
		return end(null, { code: error.code ?? error.name, message: error.message });
	}
}

/** As Linux tells. */
async function residentMb(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
	return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}
