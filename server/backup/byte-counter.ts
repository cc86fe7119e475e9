/** Reports progress while bytes are copied. */

/** Called with the bytes copied so far and the total; the total is 0 while it is not known. */
export type ByteProgress = (bytesDone: number, total: number) => void;

/** @returns a function that is called with each number of bytes */
export function byteCounter(total: number, progress: ByteProgress): (bytes: number) => void {
	let done = 0;
	return (bytes) => {
		done += bytes;
		progress(done, total);
	};
}
