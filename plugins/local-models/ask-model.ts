/** Calls a model's own process, and reports failures as errors of the model and not of a file. */

import { fail, type OwnProcess, type SandboxCall, ServiceError } from "cairn-memory";

/** Memory, besides the model's own size, and time limit of a process. */
export interface ModelBounds {
	readonly memoryMb: number;
	readonly timeoutMs: number;
}

/** A hundred vectors of a thousand numbers are 400 kB. */
const outputBytesMax = 64 * 1024 * 1024;
/** After a crash the process is restarted at once, this often. */
const triesMax = 2;
/** When no process could be started, the job is retried after this without counting as an attempt. */
const againAfterMs = 30_000;

/** @throws ServiceError `MODEL_PROCESS_FAILED`, which may pass. */
export async function askModel<Input, Output>(
	process: OwnProcess,
	name: string,
	call: Pick<SandboxCall<Input>, "engine" | "input" | "signal" | "progress">,
	bounds: ModelBounds,
): Promise<Output> {
	for (let tries = 1; ; tries++) {
		try {
			return await process.run<Input, Output>({ ...call, ...bounds, outputBytesMax });
		} catch (thrown) {
			if (call.signal.aborted || !(thrown instanceof ServiceError)) throw thrown;
			// Only what ended by itself may do better at once: the limits are the same the next time.
			if (thrown.code === "PROCESS_CRASHED" && tries < triesMax) continue;
			const failure = fail("MODEL_PROCESS_FAILED", name, why(thrown, bounds)).because(thrown);
			throw thrown.code === "PROCESS_UNAVAILABLE" ? failure.after(againAfterMs) : failure;
		}
	}
}

function why({ code, message }: ServiceError, { memoryMb, timeoutMs }: ModelBounds): string {
	if (code === "PROCESS_MEMORY") return `it took more than ${memoryMb} MB of memory`;
	if (code === "PROCESS_TIMEOUT") return `it took longer than ${timeoutMs / 1_000} seconds`;
	return code === "PROCESS_CRASHED" ? "its process ended" : message;
}
