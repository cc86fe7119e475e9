/** Writes tide logs, for tests and for trying the plugin out. */

export interface TideEntry {
	/** Minutes since 1970. */
	readonly minute: number;
	readonly level: number;
	readonly note: string;
}

export function tideLogOf(entries: readonly TideEntry[]): Uint8Array {
	const encoder = new TextEncoder();
	const written = entries.map(({ minute, level, note }) => {
		const words = encoder.encode(note).subarray(0, 255);
		const entry = new Uint8Array(7 + words.byteLength);
		const view = new DataView(entry.buffer);
		view.setUint32(0, minute);
		view.setInt16(4, level);
		view.setUint8(6, words.byteLength);
		entry.set(words, 7);
		return [...entry];
	});
	return Uint8Array.from([...encoder.encode("TIDES\u0001"), ...written.flat()]);
}
