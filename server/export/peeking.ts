/** A sequence whose next value can be looked at before it is taken. */

export interface Peeking<Value> {
	/** Null at the end. */
	readonly peek: () => Promise<Value | null>;
	readonly take: () => Promise<void>;
}

export function peeking<Value>(values: AsyncIterable<Value>): Peeking<Value> {
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
