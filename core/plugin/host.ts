/** What a plugin gets at its start. All external access goes through it. */

import type { Progress } from "../model/document.ts";
import type { MediaType } from "../model/media-type.ts";
import type { Log, World } from "../ports/world.ts";

export interface Host {
	/** Lines that already bear the plugin's name. */
	readonly log: Log;
	readonly world: World;
	/** A folder of the plugin's own that outlives the process. */
	readonly folder: string;
	readonly fetch: GuardedFetch;
	readonly sandbox: Sandbox;
	/** A process of the plugin's own, see `OwnProcess`. */
	readonly ownProcess: (bounds: OwnProcessBounds) => OwnProcess;
	/** What this plugin handed over in another thread of the same program, see `Storage.share`; null in the first. */
	readonly inherited: unknown;
}

/** The only outgoing HTTP client: public addresses only, every redirect is checked, time and bytes are limited. */
export type GuardedFetch = (address: string, options: FetchOptions) => Promise<Fetched>;

export interface FetchOptions {
	readonly signal: AbortSignal;
	readonly bytesMax: number;
	readonly timeoutMs: number;
	readonly accept?: string;
	/**
	 * Additional or replacing headers: a user agent, a condition, a signature. Names in lower case. They are not sent to another
	 * origin after a redirect.
	 */
	readonly headers?: Readonly<Record<string, string>>;
	/** Statuses besides 2xx that are an answer to this caller: neither followed nor thrown. `304` with a condition, say, or `404`. */
	readonly answers?: readonly number[];
	/** Makes it a `POST`. Redirects are not followed. */
	readonly body?: Uint8Array;
}

export interface Fetched {
	/** After all redirects. */
	readonly address: URL;
	readonly status: number;
	/** Response headers, with names in lower case. */
	readonly headers: ReadonlyMap<string, string>;
	/** As declared by the server; null when it is missing. */
	readonly claimedMediaType: MediaType | null;
	readonly charset: string | null;
	readonly fileName: string | null;
	readonly bytes: Uint8Array;
}

/**
 * Runs an engine that reads untrusted bytes in a warm child process, under limits. A crash, a hang or a bomb fails this
 * one call with a `ServiceError` (`PROCESS_TIMEOUT`, `PROCESS_MEMORY`, `PROCESS_CRASHED`, `OUTPUT_TOO_LARGE`) and the child
 * is replaced. A `ServiceError` the engine throws arrives as it is.
 */
export interface Sandbox {
	readonly run: <Input, Output>(call: SandboxCall<Input>) => Promise<Output>;
}

export interface SandboxCall<Input> {
	/** The module whose default export is an `Engine`. */
	readonly engine: URL;
	/** Anything that can be structurally cloned. */
	readonly input: Input;
	readonly signal: AbortSignal;
	/** From the moment that a child takes it. The operator may allow less. */
	readonly timeoutMs: number;
	/** Of the whole child. The operator may allow less. */
	readonly memoryMb: number;
	readonly outputBytesMax: number;
	readonly progress?: (progress: Progress) => void;
}

/**
 * A sandbox for an engine that loads something large, a model, and answers many calls with it. The process starts with the
 * first call, takes one call at a time in order, is replaced when it ends or fails, and is stopped after a while without a call.
 * An aborted call is not waited for, but the process finishes it, since loading again would cost more.
 */
export interface OwnProcess extends Sandbox {
	readonly close: () => Promise<void>;
}

export interface OwnProcessBounds {
	/** How long the process stays after its last call. */
	readonly idleMs: number;
}

/** The actual limits of a call: those of the plugin, or lower ones of the operator. */
export interface EngineBounds {
	readonly timeoutMs: number;
	readonly memoryMb: number;
}

/**
 * What runs inside the child. It has no network, no settings and no secrets by convention, and no way to the store. Nothing
 * of an engine that takes longer than its bounds arrives: one that can hand over a part looks at them.
 */
export type Engine<Input, Output> = (input: Input, report: (progress: Progress) => void, bounds: EngineBounds) => Promise<Output>;
