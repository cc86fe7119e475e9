/** Runs work that may be observed. Without an observer it only costs a function call. */

import type { ObservedKind } from "../ports/observer.ts";
import type { World } from "../ports/world.ts";

export function observed<Result>({ observer }: Pick<World, "observer">, kind: ObservedKind, name: string, work: () => Promise<Result>): Promise<Result> {
	return observer === undefined ? work() : observer.observe(kind, name, work);
}
