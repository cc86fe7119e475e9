/**
 * What SQLite and the file system throw leaves this storage as an error of ours, with its code: here, around every method
 * of every store, since a statement may throw wherever it is stepped.
 */

import type { ServiceError } from "cairn-memory";
import { asStorageError } from "../writer/writer-protocol.ts";

// biome-ignore lint/suspicious/noExplicitAny: arguments differ from one method to the next, and none of them is looked at
type Method = (...args: any[]) => unknown;

/** The same store, or stores; `note` is told of each failure. What a method answers by which more is asked, an index say, is wrapped as well. */
export function tellingFailures<Store extends object>(store: Store, note: (error: ServiceError) => void): Store {
	function told(thrown: unknown): unknown {
		const error = asStorageError(thrown);
		if (error.code === "INTERNAL") return thrown;
		note(error);
		return error;
	}

	async function* toldPieces(pieces: AsyncIterable<unknown>): AsyncGenerator<unknown> {
		try {
			yield* pieces;
		} catch (thrown) {
			throw told(thrown);
		}
	}

	function toldAnswer(answer: unknown): unknown {
		if (typeof answer !== "object" || answer === null) return answer;
		if (answer instanceof Promise) return answer.catch((thrown: unknown) => Promise.reject(told(thrown)));
		if (Symbol.asyncIterator in answer) return toldPieces(answer as AsyncIterable<unknown>);
		return holdsMethods(answer) ? tellingFailures(answer, note) : answer;
	}

	function wrapped(method: Method): Method {
		return (...args) => {
			try {
				return toldAnswer(method(...args));
			} catch (thrown) {
				throw told(thrown);
			}
		};
	}

	function toldMember(value: unknown): unknown {
		if (typeof value === "function") return wrapped(value as Method);
		return typeof value === "object" && value !== null && holdsMethods(value) ? tellingFailures(value, note) : value;
	}

	return Object.fromEntries(Object.entries(store).map(([name, value]) => [name, toldMember(value)])) as Store;
}

function holdsMethods(answer: object): boolean {
	return Object.values(answer).some((value) => typeof value === "function");
}
