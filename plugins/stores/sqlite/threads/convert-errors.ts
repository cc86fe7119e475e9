/**
 * Converts errors of SQLite and the file system to errors of ours with a code. It wraps every method of every store, because any
 * statement may throw.
 */

import type { ServiceError } from "cairn-memory";
import { asStorageError } from "../writer/writer-protocol.ts";

// biome-ignore lint/suspicious/noExplicitAny: arguments differ from one method to the next, and none of them is looked at
type Method = (...args: any[]) => unknown;

/**
 * Wraps a store or several. `onError` is called with each converted error. Results that have methods themselves, such as an index, are
 * wrapped too.
 */
export function convertErrors<Store extends object>(store: Store, onError: (error: ServiceError) => void): Store {
	function convert(thrown: unknown): unknown {
		const error = asStorageError(thrown);
		if (error.code === "INTERNAL") return thrown;
		onError(error);
		return error;
	}

	async function* convertIterable(pieces: AsyncIterable<unknown>): AsyncGenerator<unknown> {
		try {
			yield* pieces;
		} catch (thrown) {
			throw convert(thrown);
		}
	}

	function wrapResult(answer: unknown): unknown {
		if (typeof answer !== "object" || answer === null) return answer;
		if (answer instanceof Promise) return answer.catch((thrown: unknown) => Promise.reject(convert(thrown)));
		if (Symbol.asyncIterator in answer) return convertIterable(answer as AsyncIterable<unknown>);
		return hasMethods(answer) ? convertErrors(answer, onError) : answer;
	}

	function wrapMethod(method: Method): Method {
		return (...args) => {
			try {
				return wrapResult(method(...args));
			} catch (thrown) {
				throw convert(thrown);
			}
		};
	}

	function wrapMember(value: unknown): unknown {
		if (typeof value === "function") return wrapMethod(value as Method);
		return typeof value === "object" && value !== null && hasMethods(value) ? convertErrors(value, onError) : value;
	}

	return Object.fromEntries(Object.entries(store).map(([name, value]) => [name, wrapMember(value)])) as Store;
}

function hasMethods(answer: object): boolean {
	return Object.values(answer).some((value) => typeof value === "function");
}
