/** A sandbox without a child process: it imports the engine and calls it. No limit but the signal holds here. */

import { asServiceError, type Engine, type Sandbox, type SandboxCall, ServiceError } from "cairn-memory";

export function createInProcessSandbox(): Sandbox {
	return {
		async run<Input, Output>(call: SandboxCall<Input>): Promise<Output> {
			call.signal.throwIfAborted();
			const { default: engine } = (await import(call.engine.href)) as { default: Engine<Input, Output> };
			return await Promise.race([clone(engine, call), untilAborted(call.signal)]);
		},
	};
}

/** What crosses the border must survive cloning, as it has to on its way to a child. */
async function clone<Input, Output>(engine: Engine<Input, Output>, { input, progress, timeoutMs, memoryMb }: SandboxCall<Input>): Promise<Output> {
	try {
		return structuredClone(await engine(structuredClone(input), (done) => progress?.(done), { timeoutMs, memoryMb }));
	} catch (thrown) {
		throw thrown instanceof ServiceError ? thrown : new ServiceError("PROCESS_CRASHED", [], asServiceError(thrown).cause);
	}
}

function untilAborted(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
