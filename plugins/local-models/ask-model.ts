/** Calls a model's own process, and reports its failures as errors of the model, not of a file. */

import { fail, type OwnProcess, type SandboxCall, ServiceError } from "cairn-memory";

/** Limits of the process. */
export interface ModelLimits {
	/** Including the model itself. */
	readonly memoryMb: number;
	readonly timeoutMs: number;
}

/** Far more than a hundred vectors of a thousand numbers, which take 400 kB. */
const outputBytesMax = 64 * 1024 * 1024;
/** How often a call is tried; after a crash the process is restarted at once. */
const triesMax = 2;
/** If no process could be started, the job is retried after this time, and the failure does not count as an attempt. */
const retryAfterMs = 30_000;

/** @throws ServiceError `MODEL_PROCESS_FAILED`, which may be temporary. */
export async function askModel<Input, Output>(
	process: OwnProcess,
	name: string,
	call: Pick<SandboxCall<Input>, "engine" | "input" | "signal" | "progress">,
	limits: ModelLimits,
): Promise<Output> {
	for (let tries = 1; ; tries++) {
		try {
			return await process.run<Input, Output>({ ...call, ...limits, outputBytesMax });
		} catch (thrown) {
			if (call.signal.aborted || !(thrown instanceof ServiceError)) throw thrown;
			// Only a crash is retried at once: a process that exceeded a limit would exceed it again.
			if (thrown.code === "PROCESS_CRASHED" && tries < triesMax) continue;
			const failure = fail("MODEL_PROCESS_FAILED", name, reasonOf(thrown, limits)).because(thrown);
			throw thrown.code === "PROCESS_UNAVAILABLE" ? failure.after(retryAfterMs) : failure;
		}
	}
}

function reasonOf({ code, message }: ServiceError, { memoryMb, timeoutMs }: ModelLimits): string {
	if (code === "PROCESS_MEMORY") return `it took more than ${memoryMb} MB of memory`;
	if (code === "PROCESS_TIMEOUT") return `it took longer than ${timeoutMs / 1_000} seconds`;
	return code === "PROCESS_CRASHED" ? "its process ended" : message;
}
