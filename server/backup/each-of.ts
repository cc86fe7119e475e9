/** Calls a function with each item, a few at a time. After a failure no further item is begun, and those that have begun are awaited. */

export async function eachOf<Item>(items: Iterable<Item>, atOnce: number, act: (item: Item) => Promise<void>): Promise<void> {
	const left = items[Symbol.iterator]();
	let isOver = false;
	const work = async () => {
		for (let next = left.next(); next.done !== true && !isOver; next = left.next()) {
			await act(next.value).catch((thrown: unknown) => {
				isOver = true;
				throw thrown;
			});
		}
	};
	const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, work));
	const failed = outcomes.find((outcome) => outcome.status === "rejected");
	if (failed !== undefined) throw failed.reason;
}
