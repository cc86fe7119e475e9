/** What a plugin gets when it starts. All access to the outside goes through it. */

import type { Progress } from "../model/document.ts";
import type { MediaType } from "../model/media-type.ts";
import type { Log, World } from "../ports/world.ts";

export interface Host {
	/** The log. It adds the plugin's name to every line. */
	readonly log: Log;
	readonly world: World;
	/** The path of a permanent folder for this plugin alone. */
	readonly folder: string;
	readonly fetch: GuardedFetch;
	readonly connect: GuardedConnect;
	readonly sandbox: Sandbox;
	/** Returns a process for this plugin alone, see `OwnProcess`. */
	readonly ownProcess: (bounds: OwnProcessBounds) => OwnProcess;
	/** The value that this plugin shares from another thread of the same program, see `Storage.share`; null in the first thread. */
	readonly inherited: unknown;
}

/** The only outgoing HTTP client: public addresses only, every redirect is checked, time and bytes are limited. */
export type GuardedFetch = (address: string, options: FetchOptions) => Promise<Fetched>;

/**
 * Refuses an address that the guarded fetch would refuse, also if a host name leads to it. It resolves if that is not known, since the
 * guarded fetch checks every connection. @throws ServiceError `ADDRESS_BLOCKED`
 */
export type DemandReachable = (address: string) => Promise<void>;

export interface FetchOptions {
	readonly signal: AbortSignal;
	readonly bytesMax: number;
	readonly timeoutMs: number;
	readonly accept?: string;
	/**
	 * Request headers that are added or replaced, such as `user-agent`. Their names are in lower case. After a redirect to another origin
	 * they are not sent.
	 */
	readonly headers?: Readonly<Record<string, string>>;
	/** Status codes besides 2xx that the caller handles: they are returned instead of followed or thrown. For example `304` or `404`. */
	readonly answers?: readonly number[];
	/** If present, the request is a `POST` unless `method` is set, and redirects are not followed. */
	readonly body?: Uint8Array;
	/** Set for a request that is neither a `GET` nor a `POST`. Redirects are not followed then. */
	readonly method?: "PUT" | "DELETE" | "PROPFIND";
}

export interface Fetched {
	/** The URL after all redirects. */
	readonly address: URL;
	readonly status: number;
	/** Response headers, with names in lower case. */
	readonly headers: ReadonlyMap<string, string>;
	/** The media type from the `content-type` header; null if there is none. */
	readonly claimedMediaType: MediaType | null;
	readonly charset: string | null;
	readonly fileName: string | null;
	readonly bytes: Uint8Array;
}

/**
 * Connects to a server that does not speak HTTP, under the rules of the guarded fetch: public addresses only, which are not resolved
 * again. Without TLS only hosts are reached that the operator allows, so that no password goes in the clear over the internet.
 */
export type GuardedConnect = (place: ConnectPlace, options: ConnectOptions) => Promise<ByteConnection>;

export interface ConnectPlace {
	readonly hostname: string;
	readonly port: number;
	/** Whether it begins with TLS. The certificate is checked against the host name. */
	readonly isSecure: boolean;
}

export interface ConnectOptions {
	/** Aborts the attempt, not the connection. */
	readonly signal: AbortSignal;
	readonly timeoutMs: number;
}

/** It reads and writes bytes; nothing is read ahead beyond a few kilobytes. */
export interface ByteConnection {
	readonly readable: ReadableStream<Uint8Array>;
	readonly writable: WritableStream<Uint8Array>;
	/** Ends it at once. Does nothing if it has ended. */
	readonly close: () => void;
}

/**
 * Runs an engine that reads untrusted bytes in a child process with limits. If it crashes, hangs or exceeds a limit, only this call
 * fails, with a `ServiceError` (`PROCESS_TIMEOUT`, `PROCESS_MEMORY`, `PROCESS_CRASHED`, `OUTPUT_TOO_LARGE`), and the child process is
 * replaced. A `ServiceError` that the engine throws reaches the caller unchanged.
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
	/** Counted from when a child process takes the call. The operator may set a lower limit. */
	readonly timeoutMs: number;
	/** Memory of the whole child process, in MiB. The operator may set a lower limit. */
	readonly memoryMb: number;
	readonly outputBytesMax: number;
	readonly progress?: (progress: Progress) => void;
}

/**
 * A sandbox for an engine that loads something large, such as a model, and uses it for many calls. The process starts with the first
 * call, handles one call at a time in order, is replaced when it ends or fails, and is stopped after `idleMs` without a call. The caller
 * does not wait for an aborted call, but the process finishes it, since loading the model again would cost more.
 */
export interface OwnProcess extends Sandbox {
	readonly close: () => Promise<void>;
}

export interface OwnProcessBounds {
	/** How long the process is kept after its last call. */
	readonly idleMs: number;
}

/** The actual limits of a call: those of the plugin, or the operator's if they are lower. */
export interface EngineBounds {
	readonly timeoutMs: number;
	readonly memoryMb: number;
}

/**
 * The function that runs in the child process. By convention it uses no network, no settings and no secrets, and it cannot reach the
 * store. If it takes longer than `bounds.timeoutMs`, its whole result is lost, so an engine that can return part of its result checks
 * `bounds`.
 */
export type Engine<Input, Output> = (input: Input, report: (progress: Progress) => void, bounds: EngineBounds) => Promise<Output>;
