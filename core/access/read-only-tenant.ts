/** The stores of a key that may only read: it gets what `methodEffects` lists as harmless, and everything else is refused. */

import { fail } from "../errors/fail.ts";
import type { TenantStore } from "../ports/storage.ts";
import { type Effects, methodEffects } from "./method-effects.ts";

export function readOnlyTenant(tenant: TenantStore): TenantStore {
	return {
		documents: readOnly(tenant.documents, methodEffects.documents),
		memories: readOnly(tenant.memories, methodEffects.memories),
		words: readOnly(tenant.words, methodEffects.words),
		vectors: (space) => readOnly(tenant.vectors(space), methodEffects.vectors),
		blobs: readOnly(tenant.blobs, methodEffects.blobs),
		containers: readOnly(tenant.containers, methodEffects.containers),
		profiles: readOnly(tenant.profiles, methodEffects.profiles),
		records: readOnly(tenant.records, methodEffects.records),
		removals: readOnly(tenant.removals, methodEffects.removals),
		events: readOnly(tenant.events, methodEffects.events),
	};
}

/** A method that the store has and the list has not is refused too: a plugin in JavaScript is held to no type. */
export function readOnly<Store extends object>(store: Store, effects: Effects<Store>): Store {
	const decided: Readonly<Record<string, string | undefined>> = effects;
	const methods = Object.entries(store).map(([name, method]) => [name, decided[name] === "reads" || decided[name] === "bookkeeping" ? method : refuse]);
	return Object.fromEntries(methods) as Store;
}

async function refuse(): Promise<never> {
	throw fail("ROLE_MISSING", "write");
}
