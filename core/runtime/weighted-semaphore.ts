/** Limits the total weight of what runs at once, so that several big tasks together do not exhaust the memory. */

export interface WeightedSemaphore {
	/** Whether `enter` would let it in at once. */
	readonly hasRoom: (weight: number) => boolean;
	/**
	 * Waits its turn. What weighs next to nothing passes at once, what weighs more than is allowed at all goes alone.
	 * @returns what to call in the end; more than once does no harm. Rejects with the signal's reason.
	 */
	readonly acquire: (weight: number, signal: AbortSignal) => Promise<() => void>;
}

/** Below this share of the whole a thing is not weighed: it is not what fills the memory, and it should not wait for what does. */
const lightShare = 1 / 32;

interface Waiting {
	readonly weight: number;
	readonly admit: () => void;
}

export function createWeightedSemaphore(weightMax: number): WeightedSemaphore {
	const waiting: Waiting[] = [];
	let weighed = 0;

	const isLight = (weight: number) => weight < weightMax * lightShare;
	const fits = (weight: number) => weighed === 0 || weighed + weight <= weightMax;
	const admitAll = () => {
		for (let next = waiting[0]; next !== undefined && fits(next.weight); next = waiting[0]) {
			waiting.shift();
			next.admit();
		}
	};
	const leave = (weight: number) => {
		weighed -= weight;
		admitAll();
	};
	const taken = (weight: number) => {
		weighed += weight;
		let isIn = true;
		return () => {
			if (isIn) leave(weight);
			isIn = false;
		};
	};

	const hasRoom = (weight: number) => isLight(weight) || (waiting.length === 0 && fits(weight));

	return {
		hasRoom,
		acquire: (weight, signal) => {
			if (isLight(weight)) return Promise.resolve(() => undefined);
			if (hasRoom(weight)) return Promise.resolve(taken(weight));
			const { promise, resolve, reject } = Promise.withResolvers<() => void>();
			const stop = () => {
				waiting.splice(waiting.indexOf(entry), 1);
				reject(signal.reason);
				// It may have been what those behind it were waiting for.
				admitAll();
			};
			const entry: Waiting = {
				weight,
				admit: () => {
					signal.removeEventListener("abort", stop);
					resolve(taken(weight));
				},
			};
			waiting.push(entry);
			signal.addEventListener("abort", stop, { once: true });
			return promise;
		},
	};
}
