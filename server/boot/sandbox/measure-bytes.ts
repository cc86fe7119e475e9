/** The serialised size of a value, or `Infinity` as soon as it exceeds the limit. */

/** The size of a reference, number or property: about that of structured clone. */
const slotBytes = 8;

/** Visits every object once, as structured clone does, and without recursion, so that deep nesting cannot overflow the stack. */
export function measureBytes(value: unknown, bytesMax: number): number {
	const seen = new Set<object>();
	const pending: unknown[] = [value];
	let bytes = 0;
	while (pending.length > 0) {
		const next = pending.pop();
		bytes += slotBytes;
		if (typeof next === "string") bytes += Buffer.byteLength(next);
		if (typeof next === "object" && next !== null && !seen.has(next)) {
			seen.add(next);
			bytes += addParts(next, pending, bytesMax - bytes);
		}
		if (bytes > bytesMax) return Number.POSITIVE_INFINITY;
	}
	return bytes;
}

/** Adds an object's parts to the work list. @returns the bytes of the object itself. */
function addParts(object: object, pending: unknown[], bytesLeft: number): number {
	if (ArrayBuffer.isView(object)) return object.byteLength;
	if (object instanceof ArrayBuffer || object instanceof SharedArrayBuffer) return object.byteLength;
	if (object instanceof Blob) return object.size;
	if (Array.isArray(object)) return addAll(object, object.length, pending, bytesLeft);
	if (object instanceof Set) return addAll(object, object.size, pending, bytesLeft);
	if (object instanceof Map) return addAll([...object.keys(), ...object.values()], object.size * 2, pending, bytesLeft);
	let bytes = 0;
	for (const [key, part] of Object.entries(object)) {
		bytes += key.length;
		pending.push(part);
	}
	return bytes;
}

/** Compares the count with the limit first, since a sparse array may have four billion holes. */
function addAll(parts: Iterable<unknown>, count: number, pending: unknown[], bytesLeft: number): number {
	if (count * slotBytes > bytesLeft) return Number.POSITIVE_INFINITY;
	for (const part of parts) pending.push(part);
	return 0;
}
