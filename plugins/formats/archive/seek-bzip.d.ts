/** The part of seek-bzip that is used here; it has no types of its own. */

declare module "seek-bzip" {
	export interface ByteSink {
		readonly writeByte: (byte: number) => void;
		readonly flush: () => void;
	}
	/** @throws an Error for damaged data, and whatever the sink throws */
	export function decode(input: Uint8Array, output: ByteSink, isMultistream: boolean): void;
}
