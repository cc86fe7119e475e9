/** An async iterable whose next value can be read before it is consumed. */

export interface Peekable<Value> {
	/** The next value; null at the end. */
	readonly peek: () => Promise<Value | null>;
	readonly take: () => Promise<void>;
}

export function peekable<Value>(values: AsyncIterable<Value>): Peekable<Value> {
	const iterator = values[Symbol.asyncIterator]();
	let next: Promise<Value | null> | null = null;
	return {
		peek: () => {
			next ??= iterator.next().then(({ done, value }) => (done === true ? null : value));
			return next;
		},
		take: async () => {
			next = null;
		},
	};
}
