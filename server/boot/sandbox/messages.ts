/** The messages between the pool and a sandbox child. */

import type { Progress } from "../../../core/model/document.ts";
import type { EngineBounds } from "../../../core/plugin/host.ts";
import type { Thrown } from "./thrown.ts";

export interface CallMessage {
	readonly kind: "call";
	readonly call: number;
	/** The URL of the engine's module. */
	readonly engine: string;
	readonly input: unknown;
	readonly bounds: EngineBounds;
	readonly outputBytesMax: number;
}

/** Asks the child to import this engine before a call needs it. */
export interface PrepareMessage {
	readonly kind: "prepare";
	readonly engine: string;
}

/** What the child writes to stderr when it takes a call: what stands before it is of another one. One that an engine writes cuts off only its own words, and beyond one for each call it is dropped. */
export const callMark = "\0";

export type ParentMessage = CallMessage | PrepareMessage;

export type ChildMessage =
	/** The engine was imported. If it cannot be, the child exits instead. */
	| { readonly kind: "prepared"; readonly idleMb: number }
	/** The engine is loaded and begins the call. A crash before this is not caused by the file. */
	| { readonly kind: "begun"; readonly call: number }
	| { readonly kind: "progress"; readonly call: number; readonly progress: Progress }
	| { readonly kind: "done"; readonly call: number; readonly output: unknown; readonly idleMb: number }
	| { readonly kind: "thrown"; readonly call: number; readonly thrown: Thrown };
