/** Reads what objects refer to once, however often they refer to it: a file of some kilobytes may refer to a long message a million times. */

export function remembered<Value>(read: (id: number) => Value): (id: number) => Value {
	const known = new Map<number, { readonly value: Value }>();
	return (id) => {
		const entry = known.get(id) ?? { value: read(id) };
		known.set(id, entry);
		return entry.value;
	};
}
